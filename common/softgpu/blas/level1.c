/* SPDX-License-Identifier: MIT */
/* BLAS level 1: element-wise operations and reductions of vectors. */
#include <math.h>

#include "blas.h"

enum { CHUNK = 1 << 16 }; /* elements per part */

/** Operations; reductions begin with NRM2. */
enum operation { AXPY, SCAL, COPY, SWAP, ROT, NRM2, DOT, ASUM, AMAX, AMIN };

/** Arguments of a call. */
struct level1 {
    struct softgpu_library_call call;
    enum operation operation;
    struct blas_vector x, y;
    struct blas_scalar alpha; /* alpha, or the cosine of rot */
    struct blas_scalar sine;
    void *result;
    size_t index_bytes; /* size of the result of AMAX and AMIN */
    bool on_device;     /* the result is in device memory */
};

/* --- element by element -------------------------------------------------- */

/* Apply an element-wise operation to element i. */
static void apply_element(const struct level1 *l, double alpha, double sine,
                          int64_t i)
{
    const cudaDataType t = l->x.type;
    const int64_t at = blas_index(&l->x, i);
    const int64_t other = l->y.ptr ? blas_index(&l->y, i) : 0;
    const double x = blas_load_real(t, l->x.ptr, at);
    const double y = l->y.ptr ? blas_load_real(t, l->y.ptr, other) : 0;

    switch (l->operation) {
    case AXPY:
        blas_store_real(t, l->y.ptr, other, alpha * x + y);
        break;
    case SCAL:
        blas_store_real(t, l->x.ptr, at, alpha * x);
        break;
    case COPY:
        blas_store_real(t, l->y.ptr, other, x);
        break;
    case SWAP:
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
    const struct level1 *l = self;
    const double alpha = blas_scalar_value(&l->alpha),
                 sine = blas_scalar_value(&l->sine);
    const int64_t first = (int64_t)part * CHUNK;

    for (int64_t i = first; i < first + CHUNK && i < l->x.n; i++)
        apply_element(l, alpha, sine, i);
}

/* Declare accesses: axpy reads and writes y, copy writes it, swap and rot read
 * and write both vectors. */
static void arrays_elementwise(const void *self)
{
    const struct level1 *l = self;
    const bool both = l->operation == SWAP || l->operation == ROT;
    const enum softgpu_use x =
        both || l->operation == SCAL ? SOFTGPU_READS | SOFTGPU_WRITES
                                     : SOFTGPU_READS;
    const enum softgpu_use y = l->operation == COPY
                                   ? SOFTGPU_WRITES
                                   : SOFTGPU_READS | SOFTGPU_WRITES;

    blas_scalar_array("alpha", &l->alpha);
    blas_scalar_array("s", &l->sine);
    blas_vector_array("x", &l->x, x);
    if (l->y.ptr || l->operation != SCAL)
        blas_vector_array("y", &l->y, y);
}

/* Submit an element-wise operation; does nothing for 0 elements. */
static cublasStatus_t submit_elementwise(cublasHandle_t handle,
                                         struct level1 *l)
{
    const size_t bytes = blas_bytes(l->x.type);

    if (l->x.n <= 0)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_REQUIRE_SUPPORTED(l->x.n / CHUNK < INT32_MAX, "n is too large");
    l->y.n = l->x.n;
    l->y.type = l->x.type;
    l->call.run = run_elementwise;
    l->call.arrays = arrays_elementwise;
    l->call.parts = (unsigned)((l->x.n + CHUNK - 1) / CHUNK);
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
static double sum(const struct level1 *l)
{
    long double sum = 0;

    for (int64_t i = 0; i < l->x.n; i++) {
        const long double x =
            blas_load_real(l->x.type, l->x.ptr, blas_index(&l->x, i));

        sum +=
            l->operation == ASUM
                ? fabsl(x)
                : x * blas_load_real(l->x.type, l->y.ptr, blas_index(&l->y, i));
    }
    return (double)sum;
}

/* 1-based index of the first largest or smallest magnitude. */
static int64_t index_of_extreme(const struct level1 *l)
{
    int64_t best = 0;
    double value = 0;

    for (int64_t i = 0; i < l->x.n; i++) {
        const double x =
            fabs(blas_load_real(l->x.type, l->x.ptr, blas_index(&l->x, i)));

        if (!best || (l->operation == AMAX ? x > value : x < value)) {
            best = i + 1;
            value = x;
        }
    }
    return best;
}

/* Compute a reduction; an index has the type of the sizes. */
static void run_reduction(const void *self, unsigned part)
{
    const struct level1 *l = self;

    (void)part;
    if (l->operation >= AMAX && l->index_bytes == sizeof(int))
        *(int *)l->result = (int)index_of_extreme(l);
    else if (l->operation >= AMAX)
        *(int64_t *)l->result = index_of_extreme(l);
    else
        blas_store_real(l->x.type, l->result, 0,
                        l->operation == NRM2 ? norm2(&l->x) : sum(l));
}

/* Declare accesses; a result in host memory is not a device array. */
static void arrays_reduction(const void *self)
{
    const struct level1 *l = self;
    const struct softgpu_array result = {
        .name = "result", .ptr = l->result,
        .row = l->index_bytes ? l->index_bytes : blas_bytes(l->x.type),
        .rows = 1, .use = SOFTGPU_WRITES};

    blas_vector_array("x", &l->x, SOFTGPU_READS);
    if (l->operation == DOT)
        blas_vector_array("y", &l->y, SOFTGPU_READS);
    if (l->on_device)
        softgpu_library_array(&result);
}

/* Submit a reduction; synchronizes if the result is in host memory. */
static cublasStatus_t result(cublasHandle_t handle, struct level1 *l)
{
    BLAS_REQUIRE_VALUE(l->result);
    if (l->x.n < 0 || (l->operation != DOT && l->x.inc <= 0))
        l->x.n = 0; /* an empty vector has the result 0 */
    l->y.n = l->x.n;
    l->y.type = l->x.type;
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

#define BEGIN_CALL(words, op)    \
    SOFTGPU_LIBRARY_CALL();      \
    BLAS_REQUIRE_HANDLE(handle); \
    struct level1 l = {.call.name = words, .operation = op}
#define VECTOR(x, stride, t) \
    ((struct blas_vector){(void *)(uintptr_t)x, n, stride, t})

/* axpy, scal, copy, swap and rot for one element type. */
#define EACH(S, s, T, t, I, E)                                               \
    cublasStatus_t cublas##S##axpy_v2##E(cublasHandle_t handle, I n,         \
                                         const T *alpha, const T *x, I incx, \
                                         T *y, I incy)                       \
    {                                                                        \
        BEGIN_CALL("cublas" #S "axpy", AXPY);                                \
        BLAS_REQUIRE_VALUE(alpha);                                           \
        l.alpha = blas_scalar(handle, alpha, t);                             \
        l.x = VECTOR(x, incx, t);                                            \
        l.y = VECTOR(y, incy, t);                                            \
        return submit_elementwise(handle, &l);                               \
    }                                                                        \
    cublasStatus_t cublas##S##scal_v2##E(cublasHandle_t handle, I n,         \
                                         const T *alpha, T *x, I incx)       \
    {                                                                        \
        BEGIN_CALL("cublas" #S "scal", SCAL);                                \
        BLAS_REQUIRE_VALUE(alpha);                                           \
        l.alpha = blas_scalar(handle, alpha, t);                             \
        l.x = VECTOR(x, incx, t);                                            \
        return incx > 0 ? submit_elementwise(handle, &l)                     \
                        : CUBLAS_STATUS_SUCCESS;                             \
    }                                                                        \
    cublasStatus_t cublas##S##copy_v2##E(cublasHandle_t handle, I n,         \
                                         const T *x, I incx, T *y, I incy)   \
    {                                                                        \
        BEGIN_CALL("cublas" #S "copy", COPY);                                \
        l.x = VECTOR(x, incx, t);                                            \
        l.y = VECTOR(y, incy, t);                                            \
        return submit_elementwise(handle, &l);                               \
    }                                                                        \
    cublasStatus_t cublas##S##swap_v2##E(cublasHandle_t handle, I n, T *x,   \
                                         I incx, T *y, I incy)               \
    {                                                                        \
        BEGIN_CALL("cublas" #S "swap", SWAP);                                \
        l.x = VECTOR(x, incx, t);                                            \
        l.y = VECTOR(y, incy, t);                                            \
        return submit_elementwise(handle, &l);                               \
    }                                                                        \
    cublasStatus_t cublas##S##rot_v2##E(cublasHandle_t handle, I n, T *x,    \
                                        I incx, T *y, I incy, const T *c,    \
                                        const T *sine)                       \
    {                                                                        \
        BEGIN_CALL("cublas" #S "rot", ROT);                                  \
        BLAS_REQUIRE_VALUE(c && sine);                                       \
        l.alpha = blas_scalar(handle, c, t);                                 \
        l.sine = blas_scalar(handle, sine, t);                               \
        l.x = VECTOR(x, incx, t);                                            \
        l.y = VECTOR(y, incy, t);                                            \
        return submit_elementwise(handle, &l);                               \
    }
BLAS_FOR_EACH_TYPE(EACH)

/* A call with one vector and one result. */
#define ONE_RESULT(words, op, function, T, t, I, R, bytes)                  \
    cublasStatus_t function(cublasHandle_t handle, I n, const T *x, I incx, \
                            R *to)                                          \
    {                                                                       \
        BEGIN_CALL(words, op);                                              \
        l.x = VECTOR(x, incx, t);                                           \
        l.result = to;                                                      \
        l.index_bytes = bytes;                                              \
        return result(handle, &l);                                          \
    }
/* nrm2, asum, amax, amin and dot for one element type. */
#define RESULTS(S, s, T, t, I, E)                                             \
    ONE_RESULT("cublas" #S "nrm2", NRM2, cublas##S##nrm2_v2##E, T, t, I, T,   \
               0)                                                             \
    ONE_RESULT("cublas" #S "asum", ASUM, cublas##S##asum_v2##E, T, t, I, T,   \
               0)                                                             \
    ONE_RESULT("cublasI" #s "amax", AMAX, cublasI##s##amax_v2##E, T, t, I, I, \
               sizeof(I))                                                     \
    ONE_RESULT("cublasI" #s "amin", AMIN, cublasI##s##amin_v2##E, T, t, I, I, \
               sizeof(I))                                                     \
    cublasStatus_t cublas##S##dot_v2##E(cublasHandle_t handle, I n,           \
                                        const T *x, I incx, const T *y,       \
                                        I incy, T *to)                        \
    {                                                                         \
        BEGIN_CALL("cublas" #S "dot", DOT);                                   \
        l.x = VECTOR(x, incx, t);                                             \
        l.y = VECTOR(y, incy, t);                                             \
        l.result = to;                                                        \
        return result(handle, &l);                                            \
    }
BLAS_FOR_EACH_TYPE(RESULTS)
