/* SPDX-License-Identifier: MIT */
/* Making and destroying plans, and their settings. */
#include "plan.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

enum { PLANS = 4096 }; /* at once, in a process */

static struct fft_plan *plans[PLANS]; /* plans[0] is handle 1 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The arguments of a plan with strides. */
struct request {
    int rank, type;
    const long long *n, *inembed, *onembed; /* NULL: contiguous */
    long long istride, idist, ostride, odist, batch;
};

/* NULL for a handle that has no plan. */
struct fft_plan *fft_plan_of(cufftHandle handle)
{
    return handle > 0 && handle <= PLANS ? plans[handle - 1] : NULL;
}

/* --- arguments ------------------------------------------------------------ */

/* Is it a cufftType?  Those of double precision have 0x40 set. */
static bool is_type(int type)
{
    const int base = type & ~0x40;

    return base == CUFFT_C2C || base == CUFFT_R2C || base == CUFFT_C2R;
}

/* Is it a number of elements, as FFTW takes it? */
static bool fits(long long value)
{
    return value >= 1 && value <= INT_MAX;
}

/* Copy the layout of one side. */
static cufftResult set_layout(struct fftw_layout *l, int rank,
                              const long long *embed, long long stride,
                              long long dist)
{
    for (int i = 0; embed && i < rank; i++) {
        if (embed[i] > INT_MAX || (i > 0 && embed[i] < 1))
            return CUFFT_INVALID_SIZE;
        l->embed[i] = embed[i] < 1 ? 1 : (int)embed[i];
    }
    if (embed && (!fits(stride) || dist < 0))
        return CUFFT_INVALID_SIZE;
    l->stride = embed ? (int)stride : 1;
    l->dist = embed ? dist : 0;
    return CUFFT_SUCCESS;
}

/* Check a request and put it into the plan. */
static cufftResult set_shape(struct fft_plan *p, const struct request *r)
{
    struct fftw_shape *s = &p->shape;

    if (r->rank < 1 || r->rank > 3 || !r->n)
        return CUFFT_INVALID_VALUE;
    if (!is_type(r->type))
        return CUFFT_INVALID_TYPE;
    if (!fits(r->batch))
        return CUFFT_INVALID_SIZE;
    *s = (struct fftw_shape){.kind = r->type, .rank = r->rank,
                             .batch = (int)r->batch};
    for (int i = 0; i < r->rank; i++) {
        if (!fits(r->n[i]))
            return CUFFT_INVALID_SIZE;
        s->n[i] = (int)r->n[i];
    }
    p->in_contiguous = !r->inembed;
    p->out_contiguous = !r->onembed;
    const cufftResult result =
        set_layout(&s->in, r->rank, r->inembed, r->istride, r->idist);
    return result ? result
                  : set_layout(&s->out, r->rank, r->onembed, r->ostride,
                               r->odist);
}

/* Make the plan of a handle; a second time is an error. */
static cufftResult make(cufftHandle handle, const struct request *r,
                        size_t *work_size)
{
    struct fft_plan *p = fft_plan_of(handle);

    if (!p || p->made)
        return CUFFT_INVALID_PLAN;
    const cufftResult result = set_shape(p, r);
    if (result)
        return result;
    if (!fftw_load(fft_is_double(r->type)) || cudaFree(NULL) != cudaSuccess)
        return CUFFT_SETUP_FAILED;
    p->made = true;
    if (work_size)
        *work_size = 0;
    return CUFFT_SUCCESS;
}

/* Is it a plan that can be made?  It needs no work area. */
static cufftResult estimate(const struct request *r, size_t *work_size)
{
    struct fft_plan p = {0};
    const cufftResult result = set_shape(&p, r);

    if (!result && !work_size)
        return CUFFT_INVALID_VALUE;
    if (!result)
        *work_size = 0;
    return result;
}

/* --- handles -------------------------------------------------------------- */

/* A handle without a plan; cufftMakePlan...() makes it. */
cufftResult cufftCreate(cufftHandle *handle)
{
    if (!handle)
        return CUFFT_INVALID_VALUE;
    struct fft_plan *p = calloc(1, sizeof *p);
    int i = 0;
    pthread_mutex_lock(&lock);
    while (i < PLANS && plans[i])
        i++;
    if (i < PLANS)
        plans[i] = p;
    pthread_mutex_unlock(&lock);
    *handle = i + 1;
    if (p && i < PLANS)
        return CUFFT_SUCCESS;
    free(p);
    *handle = CUFFT_PLAN_NULL;
    return CUFFT_ALLOC_FAILED;
}

/* Free a plan; its handle can be given again. */
cufftResult cufftDestroy(cufftHandle handle)
{
    struct fft_plan *p = fft_plan_of(handle);

    if (!p)
        return CUFFT_INVALID_PLAN;
    pthread_mutex_lock(&lock);
    plans[handle - 1] = NULL;
    pthread_mutex_unlock(&lock);
    free(p); /* queued transforms have copies of it */
    return CUFFT_SUCCESS;
}

/* The stream of the transforms that follow; NULL is the default stream. */
cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream)
{
    struct fft_plan *p = fft_plan_of(handle);

    if (!p)
        return CUFFT_INVALID_PLAN;
    p->stream = stream;
    return CUFFT_SUCCESS;
}

/* --- plans ---------------------------------------------------------------- */

/* A contiguous plan. */
#define CONTIGUOUS(count, ...)                                         \
    (struct request){.rank = (count), .type = type, .batch = (many),   \
                     .n = (const long long[]){__VA_ARGS__}}
/* A plan with strides, from arrays of int. */
#define STRIDED(name)                                                       \
    long long widened[3][3];                                                \
    const struct request name = {                                           \
        .rank = rank, .type = type, .n = widen(widened[0], n, rank),        \
        .inembed = widen(widened[1], inembed, rank), .istride = istride,    \
        .idist = idist, .onembed = widen(widened[2], onembed, rank),        \
        .ostride = ostride, .odist = odist, .batch = batch}

/* A rank that is out of range is refused later: nothing is read then. */
static const long long *widen(long long *to, const int *from, int rank)
{
    for (int i = 0; from && rank <= 3 && i < rank; i++)
        to[i] = from[i];
    return from ? to : NULL;
}

/* A batch of one-dimensional transforms, one after the other in memory. */
cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type,
                            int batch, size_t *work_size)
{
    const int many = batch;

    return make(plan, &CONTIGUOUS(1, nx), work_size);
}

/* One two-dimensional transform; ny changes fastest. */
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type,
                            size_t *work_size)
{
    enum { many = 1 };

    return make(plan, &CONTIGUOUS(2, nx, ny), work_size);
}

/* One three-dimensional transform; nz changes fastest. */
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz,
                            cufftType type, size_t *work_size)
{
    enum { many = 1 };

    return make(plan, &CONTIGUOUS(3, nx, ny, nz), work_size);
}

/* A batch with a data layout of its own: inembed and onembed are the
 * storage dimensions, strides and distances are counted in elements. */
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int *n, int *inembed,
                              int istride, int idist, int *onembed,
                              int ostride, int odist, cufftType type,
                              int batch, size_t *work_size)
{
    STRIDED(request);

    return make(plan, &request, work_size);
}

/* The same with sizes of 64 bits; those above INT_MAX are
 * CUFFT_INVALID_SIZE. */
cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long *n,
                                long long *inembed, long long istride,
                                long long idist, long long *onembed,
                                long long ostride, long long odist,
                                cufftType type, long long batch,
                                size_t *work_size)
{
    const struct request request = {
        .rank = rank, .type = type, .n = n, .inembed = inembed,
        .istride = istride, .idist = idist, .onembed = onembed,
        .ostride = ostride, .odist = odist, .batch = batch};

    return make(plan, &request, work_size);
}

/* A handle and its plan in one call: without a plan there is no handle. */
static cufftResult create(cufftHandle *plan, const struct request *r)
{
    cufftResult result = cufftCreate(plan);

    if (result)
        return result;
    result = make(*plan, r, NULL);
    if (result) {
        cufftDestroy(*plan);
        *plan = CUFFT_PLAN_NULL;
    }
    return result;
}

/* A handle with the plan of cufftMakePlan1d(). */
cufftResult cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch)
{
    const int many = batch;

    return create(plan, &CONTIGUOUS(1, nx));
}

/* A handle with the plan of cufftMakePlan2d(). */
cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type)
{
    enum { many = 1 };

    return create(plan, &CONTIGUOUS(2, nx, ny));
}

/* A handle with the plan of cufftMakePlan3d(). */
cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz,
                        cufftType type)
{
    enum { many = 1 };

    return create(plan, &CONTIGUOUS(3, nx, ny, nz));
}

/* A handle with the plan of cufftMakePlanMany(). */
cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed,
                          int istride, int idist, int *onembed, int ostride,
                          int odist, cufftType type, int batch)
{
    STRIDED(request);

    return create(plan, &request);
}

/* --- sizes ---------------------------------------------------------------- */

/* Bytes of the work area that such a plan needs. */
cufftResult cufftEstimate1d(int nx, cufftType type, int batch,
                            size_t *work_size)
{
    const int many = batch;

    return estimate(&CONTIGUOUS(1, nx), work_size);
}

/* The same of cufftMakePlan2d(). */
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t *work_size)
{
    enum { many = 1 };

    return estimate(&CONTIGUOUS(2, nx, ny), work_size);
}

/* The same of cufftMakePlan3d(). */
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type,
                            size_t *work_size)
{
    enum { many = 1 };

    return estimate(&CONTIGUOUS(3, nx, ny, nz), work_size);
}

/* The same of cufftMakePlanMany(). */
cufftResult cufftEstimateMany(int rank, int *n, int *inembed, int istride,
                              int idist, int *onembed, int ostride, int odist,
                              cufftType type, int batch, size_t *work_size)
{
    STRIDED(request);

    return estimate(&request, work_size);
}
