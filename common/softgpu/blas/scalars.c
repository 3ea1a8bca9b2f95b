/* SPDX-License-Identifier: MIT */
/* rotg and rotmg: few numbers, in host or device memory by the pointer mode. */
#include "routines.h"

/** Arguments of a submitted call. */
struct scalars {
    struct softgpu_library_call call;
    const struct blas_routine *routine;
    void *function;
    void *at[5];
    size_t count;
};

static void run(const void *self, unsigned part)
{
    const struct scalars *s = self;

    (void)part;
    blas_call_fortran(s->function, s->at, s->count);
}

/* Declare accesses: all are read and written, but those that only rotg and
 * rotmg write, the cosine, sine and param; y1 is only read. */
static void arrays(const void *self)
{
    const struct scalars *s = self;

    for (size_t i = 0; i < s->count; i++) {
        const unsigned flags = s->routine->parameters[i];
        const bool is_output = s->count == 4 ? i >= 2 : i == 4;
        const struct blas_array array = {
            .name = "a scalar", .ptr = s->at[i],
            .type = flags & BLAS_IS_REAL ? blas_real_type(s->routine->type)
                                         : s->routine->type,
            .rows = i == 4 ? 5 : 1, .columns = 1, .ld = 5,
            .use = !(flags & BLAS_IS_WRITTEN) ? SOFTGPU_READS
                   : is_output ? SOFTGPU_WRITES
                               : SOFTGPU_READS | SOFTGPU_WRITES};

        blas_array(&array);
    }
}

cublasStatus_t blas_scalars(cublasHandle_t handle,
                            const struct blas_routine *routine,
                            const struct blas_arguments *g)
{
    struct scalars s = {
        .call = {.name = routine->name, .run = run, .arrays = arrays,
                 .parts = 1, .site = softgpu_call_site, .operations = 10,
                 .bytes = 64},
        .routine = routine,
        .function = blas_fortran_function(routine->family, routine->type)};

    BLAS_REQUIRE_SUPPORTED(s.function, "OpenBLAS lacks this function");
    for (; routine->parameters[s.count] != BLAS_END; s.count++) {
        BLAS_REQUIRE_VALUE(g->scalars[s.count]);
        s.at[s.count] = (void *)(uintptr_t)g->scalars[s.count];
    }
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        return blas_submit(handle->stream, &s, sizeof s);
    blas_call_fortran(s.function, s.at, s.count);
    return CUBLAS_STATUS_SUCCESS;
}
