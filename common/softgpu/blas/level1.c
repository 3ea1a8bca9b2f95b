/* SPDX-License-Identifier: MIT */
/* BLAS level 1: element-wise operations and reductions of vectors; those of
 * float or double here, any others in level1_any.c. */
#include <math.h>
#include <string.h>

#include "level1.h"
#include "shapes.h"

/* Are all elements of one real type, float or double? */
static bool is_real(const struct blas_level1 *l)
{
    const cudaDataType type = l->x.type;

    return (type == CUDA_R_32F || type == CUDA_R_64F) && l->y.type == type
           && l->result_type == type && l->operation != BLAS_ROTM;
}

/* --- element by element -------------------------------------------------- */

/* Apply an element-wise operation to element i. */
static void apply_element(const struct blas_level1 *l, double alpha,
                          double sine, int64_t i)
{
    const cudaDataType t = l->x.type;
    const int64_t at = blas_index(&l->x, i);
    const int64_t other = l->y.ptr ? blas_index(&l->y, i) : 0;
    const double x = blas_load_real(t, l->x.ptr, at);
    const double y = l->y.ptr ? blas_load_real(t, l->y.ptr, other) : 0;

    switch (l->operation) {
    case BLAS_AXPY:
        blas_store_real(t, l->y.ptr, other, alpha * x + y);
        break;
    case BLAS_SCAL:
        blas_store_real(t, l->x.ptr, at, alpha * x);
        break;
    case BLAS_COPY:
        blas_store_real(t, l->y.ptr, other, x);
        break;
    case BLAS_SWAP:
        blas_store_real(t, l->y.ptr, other, x);
        blas_store_real(t, l->x.ptr, at, y);
        break;
    default:
        blas_store_real(t, l->x.ptr, at, alpha * x + sine * y);
        blas_store_real(t, l->y.ptr, other, alpha * y - sine * x);
    }
}

/* Element-wise operation on one chunk. */
static void run_elementwise(const void *self, unsigned part)
{
    const struct blas_level1 *l = self;
    const double alpha = blas_scalar_value(&l->alpha),
                 sine = blas_scalar_value(&l->sine);
    const int64_t first = (int64_t)part * BLAS_CHUNK;
    const int64_t last = first + BLAS_CHUNK;
    const int64_t end = last < l->x.n ? last : l->x.n;

    if (!is_real(l)) {
        blas_apply_any(l, first, end);
        return;
    }
    for (int64_t i = first; i < end; i++)
        apply_element(l, alpha, sine, i);
}

/* Declare accesses: axpy reads and writes y, copy writes it, swap and rot read
 * and write both vectors. */
static void arrays_elementwise(const void *self)
{
    const struct blas_level1 *l = self;
    const bool both = l->operation == BLAS_SWAP || l->operation == BLAS_ROT
                      || l->operation == BLAS_ROTM;
    const enum softgpu_use x =
        both || l->operation == BLAS_SCAL ? SOFTGPU_READS | SOFTGPU_WRITES
                                     : SOFTGPU_READS;
    const enum softgpu_use y = l->operation == BLAS_COPY
                                   ? SOFTGPU_WRITES
                                   : SOFTGPU_READS | SOFTGPU_WRITES;

    blas_scalar_array("alpha", &l->alpha);
    blas_scalar_array("s", &l->sine);
    if (l->param_at)
        blas_array(&(struct blas_array){"param", l->param_at, l->x.type, 5, 1,
                                        5, SOFTGPU_READS});
    blas_vector_array("x", &l->x, x);
    if (l->y.ptr || l->operation != BLAS_SCAL)
        blas_vector_array("y", &l->y, y);
}

cublasStatus_t blas_submit_elementwise(cublasHandle_t handle,
                                       struct blas_level1 *l)
{
    const size_t bytes = blas_bytes(l->x.type);

    if (l->x.n <= 0)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_REQUIRE_SUPPORTED(l->x.n / BLAS_CHUNK < INT32_MAX, "n is too large");
    l->call.run = run_elementwise;
    l->call.arrays = arrays_elementwise;
    l->call.parts = (unsigned)((l->x.n + BLAS_CHUNK - 1) / BLAS_CHUNK);
    l->call.site = softgpu_call_site;
    l->call.operations = 2.0 * (double)l->x.n;
    l->call.bytes = 2.0 * (double)l->x.n * (double)bytes;
    return blas_submit(handle->stream, l, sizeof *l);
}

/* --- sums ---------------------------------------------------------------- */

/* In long double, because squares may exceed the range of double. */
static double norm2(const struct blas_vector *x)
{
    long double sum = 0;

    for (int64_t i = 0; i < x->n; i++) {
        const long double v = blas_load_real(x->type, x->ptr, blas_index(x, i));

        sum += v * v;
    }
    return (double)sqrtl(sum);
}

/* Sum of absolute values (asum), or of products (dot). */
static double sum(const struct blas_level1 *l)
{
    long double sum = 0;

    for (int64_t i = 0; i < l->x.n; i++) {
        const long double x =
            blas_load_real(l->x.type, l->x.ptr, blas_index(&l->x, i));

        sum +=
            l->operation == BLAS_ASUM
                ? fabsl(x)
                : x * blas_load_real(l->x.type, l->y.ptr, blas_index(&l->y, i));
    }
    return (double)sum;
}

/* 1-based index of the first largest or smallest magnitude. */
static int64_t index_of_extreme(const struct blas_level1 *l)
{
    const bool real = is_real(l);
    int64_t best = 0;
    double value = 0;

    for (int64_t i = 0; i < l->x.n; i++) {
        const double x =
            real ? fabs(blas_load_real(l->x.type, l->x.ptr,
                                       blas_index(&l->x, i)))
                 : blas_magnitude(&l->x, i);

        if (!best || (l->operation == BLAS_AMAX ? x > value : x < value)) {
            best = i + 1;
            value = x;
        }
    }
    return best;
}

/* Compute a reduction; an index has the type of the sizes. */
static void run_reduction(const void *self, unsigned part)
{
    const struct blas_level1 *l = self;

    (void)part;
    if (l->operation >= BLAS_AMAX && l->index_bytes == sizeof(int))
        *(int *)l->result = (int)index_of_extreme(l);
    else if (l->operation >= BLAS_AMAX)
        *(int64_t *)l->result = index_of_extreme(l);
    else if (!is_real(l))
        blas_store_complex(l->result_type, l->result, 0, blas_reduce_any(l));
    else
        blas_store_real(l->x.type, l->result, 0,
                        l->operation == BLAS_NRM2 ? norm2(&l->x) : sum(l));
}

/* The operations with a second vector. */
static bool is_dot(const struct blas_level1 *l)
{
    return l->operation == BLAS_DOT || l->operation == BLAS_DOTC;
}

/* Declare accesses; a result in host memory is not a device array. */
static void arrays_reduction(const void *self)
{
    const struct blas_level1 *l = self;
    const struct softgpu_array result = {
        .name = "result", .ptr = l->result,
        .row = l->index_bytes ? l->index_bytes : blas_bytes(l->result_type),
        .rows = 1, .use = SOFTGPU_WRITES};

    blas_vector_array("x", &l->x, SOFTGPU_READS);
    if (is_dot(l))
        blas_vector_array("y", &l->y, SOFTGPU_READS);
    if (l->on_device)
        softgpu_library_array(&result);
}

cublasStatus_t blas_submit_reduction(cublasHandle_t handle,
                                     struct blas_level1 *l)
{
    BLAS_REQUIRE_VALUE(l->result);
    if (l->x.n < 0 || (!is_dot(l) && l->x.inc <= 0))
        l->x.n = 0; /* an empty vector has the result 0 */
    l->y.n = l->x.n;
    l->call.run = run_reduction;
    l->call.arrays = arrays_reduction;
    l->call.parts = 1;
    l->call.site = softgpu_call_site;
    l->call.operations = 2.0 * (double)l->x.n;
    l->call.bytes = (double)l->x.n * (double)blas_bytes(l->x.type);
    l->on_device = handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE;
    return blas_submit_result(handle, l, sizeof *l);
}

/* --- the calls ----------------------------------------------------------- */

bool blas_operation_of(const char *name, enum blas_operation *operation)
{
    static const char *const names[] = {"axpy", "scal", "copy", "swap",
                                        "rot",  "rotm", "nrm2", "dot",
                                        "dotc", "asum", "amax", "amin"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i])) {
            *operation = (enum blas_operation)i;
            return true;
        }
    return false;
}

void blas_keep_param(cublasHandle_t handle, struct blas_level1 *l,
                     const void *param)
{
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        l->param_at = param;
    else
        for (int i = 0; i < 5; i++)
            l->param[i] = blas_load(l->x.type, param, i);
}

/* The type of a factor: complex, unless it is a real one of a complex call. */
static cudaDataType factor_type(const struct blas_routine *routine,
                                unsigned parameter)
{
    return parameter & BLAS_IS_REAL ? blas_real_type(routine->type)
                                    : routine->type;
}

/* Keep the factors and parameters of a call.  rot has a cosine, which is
 * real, and a sine, the last parameter. */
static cublasStatus_t keep_factors(cublasHandle_t handle, struct blas_level1 *l,
                                   const struct blas_routine *routine,
                                   const struct blas_arguments *g)
{
    const int at = blas_find_parameter(routine, BLAS_ALPHA);
    const size_t last = strlen((const char *)routine->parameters) - 1;

    if (at >= 0) {
        BLAS_REQUIRE_VALUE(g->alpha);
        l->alpha = blas_scalar(handle, g->alpha,
                               factor_type(routine, routine->parameters[at]));
    }
    if (l->operation == BLAS_ROT) {
        BLAS_REQUIRE_VALUE(g->cosine && g->sine);
        l->alpha = blas_scalar(handle, g->cosine,
                               blas_real_type(routine->type));
        l->sine = blas_scalar(handle, g->sine,
                              factor_type(routine, routine->parameters[last]));
    }
    if (l->operation == BLAS_ROTM) {
        BLAS_REQUIRE_VALUE(g->param);
        blas_keep_param(handle, l, g->param);
    }
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t blas_level1(cublasHandle_t handle,
                           const struct blas_routine *routine,
                           const struct blas_arguments *g)
{
    const cudaDataType type = routine->type, real = blas_real_type(type);
    struct blas_level1 l = {
        .call.name = routine->name,
        .x = {(void *)(uintptr_t)g->x.ptr, g->n, g->x.ld, type},
        .y = {(void *)(uintptr_t)g->y.ptr, g->n, g->y.ld, type},
        .result = g->result};

    if (!blas_operation_of(routine->family, &l.operation))
        l.operation = BLAS_DOT; /* dotu */
    const cublasStatus_t status = keep_factors(handle, &l, routine, g);
    if (status)
        return status;
    l.result_type =
        l.operation == BLAS_NRM2 || l.operation == BLAS_ASUM ? real : type;
    if (l.operation >= BLAS_AMAX)
        l.index_bytes = routine->size_bytes;
    if (l.operation >= BLAS_NRM2)
        return blas_submit_reduction(handle, &l);
    if (l.operation == BLAS_SCAL && l.x.inc <= 0)
        return CUBLAS_STATUS_SUCCESS;
    return blas_submit_elementwise(handle, &l);
}
