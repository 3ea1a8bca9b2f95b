/* SPDX-License-Identifier: MIT */
/* FFTW in both precisions.  Its planner is not thread-safe, its plans are. */
#include "fftw.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cufft.h"

/* FFTW's flags. */
enum { DESTROY_INPUT = 1, UNALIGNED = 2, PRESERVE_INPUT = 16, ESTIMATE = 64 };

/* The functions that are used; those for complex numbers have a sign. */
struct fftw {
    void *(*plan_dft)(int rank, const int *n, int howmany, void *in,
                      const int *inembed, int istride, int idist, void *out,
                      const int *onembed, int ostride, int odist, int sign,
                      unsigned flags);
    void *(*plan_r2c)(int rank, const int *n, int howmany, void *in,
                      const int *inembed, int istride, int idist, void *out,
                      const int *onembed, int ostride, int odist,
                      unsigned flags);
    void *(*plan_c2r)(int rank, const int *n, int howmany, void *in,
                      const int *inembed, int istride, int idist, void *out,
                      const int *onembed, int ostride, int odist,
                      unsigned flags);
    void (*execute_dft)(void *plan, void *in, void *out);
    void (*execute_r2c)(void *plan, void *in, void *out);
    void (*execute_c2r)(void *plan, void *in, void *out);
    bool tried, loaded;
};

/* A plan that was made. */
struct made {
    struct fftw_shape shape;
    void *plan;
    struct made *next;
};

static struct fftw libraries[2]; /* float, double */
static struct made *plans;       /* never freed: graphs may keep calls */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Z and D have this bit. */
static bool is_double(int kind)
{
    return (kind & 0x40) != 0;
}

static bool find_symbol(void *library, void *function, const char *prefix,
                        const char *name)
{
    char symbol[64];

    snprintf(symbol, sizeof symbol, "%s_%s", prefix, name);
    *(void **)function = dlsym(library, symbol);
    return *(void **)function != NULL;
}

/* Load FFTW of one precision; what is missing is said on stderr, once. */
static void load(struct fftw *f, const char *file, const char *prefix,
                 const char *package)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);

    if (!library) {
        fprintf(stderr, "softgpu: cuFFT needs FFTW (%s), which is not "
                        "installed: apt-get install %s\n", file, package);
        return;
    }
    f->loaded =
        find_symbol(library, &f->plan_dft, prefix, "plan_many_dft")
        && find_symbol(library, &f->plan_r2c, prefix, "plan_many_dft_r2c")
        && find_symbol(library, &f->plan_c2r, prefix, "plan_many_dft_c2r")
        && find_symbol(library, &f->execute_dft, prefix, "execute_dft")
        && find_symbol(library, &f->execute_r2c, prefix, "execute_dft_r2c")
        && find_symbol(library, &f->execute_c2r, prefix, "execute_dft_c2r");
    if (!f->loaded)
        fprintf(stderr, "softgpu: %s lacks functions of FFTW\n", file);
}

/* Each precision is tried once in a process. */
bool fftw_load(bool wants_double)
{
    struct fftw *f = &libraries[wants_double];

    pthread_mutex_lock(&lock);
    if (!f->tried && wants_double)
        load(f, "libfftw3.so.3", "fftw", "libfftw3-double3");
    else if (!f->tried)
        load(f, "libfftw3f.so.3", "fftwf", "libfftw3-single3");
    f->tried = true;
    pthread_mutex_unlock(&lock);
    return f->loaded;
}

/* FFTW does not touch the arrays when it estimates. */
static void *make_plan(const struct fftw_shape *s)
{
    const struct fftw *f = &libraries[is_double(s->kind)];
    const unsigned flags = ESTIMATE | UNALIGNED
                           | (s->rank == 1 ? PRESERVE_INPUT : DESTROY_INPUT);
    char *in = (char *)64, *out = s->in_place ? in : in + 64;

    if (s->kind == CUFFT_C2C || s->kind == CUFFT_Z2Z)
        return f->plan_dft(s->rank, s->n, 1, in, s->in.embed, s->in.stride, 0,
                           out, s->out.embed, s->out.stride, 0, s->direction,
                           flags);
    return (s->kind == CUFFT_R2C || s->kind == CUFFT_D2Z
                ? f->plan_r2c
                : f->plan_c2r)(s->rank, s->n, 1, in, s->in.embed, s->in.stride,
                               0, out, s->out.embed, s->out.stride, 0, flags);
}

/* FFTW's plan of a shape, which is made once and kept; its planner is not
 * thread-safe, and runs under the lock. */
void *fftw_plan(const struct fftw_shape *shape)
{
    pthread_mutex_lock(&lock);
    struct made *m = plans;
    while (m && memcmp(&m->shape, shape, sizeof *shape))
        m = m->next;
    if (!m && (m = calloc(1, sizeof *m)) != NULL) {
        *m = (struct made){.plan = make_plan(shape), .next = plans};
        memcpy(&m->shape, shape, sizeof *shape);
        plans = m;
    }
    pthread_mutex_unlock(&lock);
    return m ? m->plan : NULL;
}

/* FFTW's functions for new arrays, which are thread-safe. */
void fftw_execute(const struct fftw_shape *shape, void *plan, void *in,
                  void *out)
{
    const struct fftw *f = &libraries[is_double(shape->kind)];

    if (shape->kind == CUFFT_C2C || shape->kind == CUFFT_Z2Z)
        f->execute_dft(plan, in, out);
    else if (shape->kind == CUFFT_R2C || shape->kind == CUFFT_D2Z)
        f->execute_r2c(plan, in, out);
    else
        f->execute_c2r(plan, in, out);
}
