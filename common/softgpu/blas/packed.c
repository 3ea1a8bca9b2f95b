/* SPDX-License-Identifier: MIT */
/* tpttr and trttp: triangles from packed to columns, and back. */
#include <string.h>

#include "shapes.h"

/** Arguments of a submitted call. */
struct packed {
    struct softgpu_library_call call;
    const struct blas_routine *routine;
    struct blas_arguments g;
};

/* The triangle and its packed form, by the direction. */
static bool is_unpacking(const struct packed *p)
{
    return !strcmp(p->routine->family, "tpttr");
}

static void run(const void *self, unsigned part)
{
    const struct packed *p = self;
    const bool is_lower = p->g.uplo == CUBLAS_FILL_MODE_LOWER;
    const int64_t n = p->g.n, ld = is_unpacking(p) ? p->g.c.ld : p->g.a.ld;
    const int64_t bytes = (int64_t)blas_bytes(p->routine->type);
    const char *from = p->g.a.ptr;
    char *to = (char *)(uintptr_t)p->g.c.ptr;

    (void)part;
    for (int64_t j = 0; j < n; j++) {
        const int64_t size = bytes * (is_lower ? n - j : j + 1);
        const int64_t column = bytes * (is_lower ? j * ld + j : j * ld);

        if (is_unpacking(p))
            memcpy(to + column, from, (size_t)size);
        else
            memcpy(to, from + column, (size_t)size);
        from += is_unpacking(p) ? size : 0;
        to += is_unpacking(p) ? 0 : size;
    }
}

/* Declare an access to the triangle (with ld) or its packed form (0). */
static void declare(const struct packed *p, const struct blas_operand *o,
                    const char *name, enum softgpu_use use)
{
    const struct blas_array array = {.name = name, .ptr = o->ptr,
                                     .type = p->routine->type, .ld = o->ld,
                                     .use = use};
    const struct blas_shape shape = {
        .form = o->ld ? BLAS_TRIANGLE : BLAS_PACKED, .rows = p->g.n,
        .columns = p->g.n};

    blas_declare_shape(&array, &shape, &p->g);
}

static void arrays(const void *self)
{
    const struct packed *p = self;

    declare(p, &p->g.a, is_unpacking(p) ? "AP" : "A", SOFTGPU_READS);
    declare(p, &p->g.c, is_unpacking(p) ? "A" : "AP", SOFTGPU_WRITES);
}

cublasStatus_t blas_packed(cublasHandle_t handle,
                           const struct blas_routine *routine,
                           const struct blas_arguments *g)
{
    struct packed p = {.routine = routine, .g = *g};
    const double size = (double)g->n * (double)g->n;

    BLAS_REQUIRE_VALUE((unsigned)g->uplo <= CUBLAS_FILL_MODE_UPPER);
    BLAS_REQUIRE_VALUE(g->n >= 0);
    BLAS_REQUIRE_VALUE((is_unpacking(&p) ? g->c.ld : g->a.ld)
                       >= blas_max(1, g->n));
    if (g->n == 0)
        return CUBLAS_STATUS_SUCCESS;
    p.call = (struct softgpu_library_call){
        .name = routine->name, .run = run, .arrays = arrays, .parts = 1,
        .site = softgpu_call_site, .operations = 0,
        .bytes = size * (double)blas_bytes(routine->type)};
    return blas_submit(handle->stream, &p, sizeof p);
}
