/* SPDX-License-Identifier: MIT */
/* Vectors: element by element, and sums. */
#include <math.h>

#include "blas.h"

enum { CHUNK = 1 << 16 }; /* elements a part */

/** What becomes of the elements. */
enum operation { AXPY, SCAL, COPY, SWAP, ROT, NRM2, DOT, ASUM, AMAX, AMIN };

/** The call. */
struct level1 {
    struct softgpu_library_call call;
    enum operation operation;
    struct blas_vector x, y;
    struct blas_scalar alpha; /* or the cosine */
    struct blas_scalar sine;
    void *result;
    size_t index_bytes; /* of the result of AMAX, AMIN */
    bool on_device;     /* the result */
};

/* --- element by element --------------------------------------------------- */

/* One vector with a number, or two. */
static void one(const struct level1 *l, double alpha, double sine, int64_t i)
{
    const cudaDataType t = l->x.type;
    const int64_t at = blas_index(&l->x, i);
    const int64_t other = l->y.ptr ? blas_index(&l->y, i) : 0;
    const double x = blas_real(t, l->x.ptr, at);
    const double y = l->y.ptr ? blas_real(t, l->y.ptr, other) : 0;

    switch (l->operation) {
    case AXPY:
        blas_put_real(t, l->y.ptr, other, alpha * x + y);
        break;
    case SCAL:
        blas_put_real(t, l->x.ptr, at, alpha * x);
        break;
    case COPY:
        blas_put_real(t, l->y.ptr, other, x);
        break;
    case SWAP:
        blas_put_real(t, l->y.ptr, other, x);
        blas_put_real(t, l->x.ptr, at, y);
        break;
    default:
        blas_put_real(t, l->x.ptr, at, alpha * x + sine * y);
        blas_put_real(t, l->y.ptr, other, alpha * y - sine * x);
    }
}

/* One chunk. */
static void run_each(const void *self, unsigned part)
{
    const struct level1 *l = self;
    const double alpha = blas_value(&l->alpha), sine = blas_value(&l->sine);
    const int64_t first = (int64_t)part * CHUNK;

    for (int64_t i = first; i < first + CHUNK && i < l->x.n; i++)
        one(l, alpha, sine, i);
}

/* axpy reads and writes y, copy writes it, swap and rot change both. */
static void arrays_each(const void *self)
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

/* Queue it; of no element there is nothing to do. */
static cublasStatus_t each(cublasHandle_t handle, struct level1 *l)
{
    const size_t bytes = blas_bytes(l->x.type);

    if (l->x.n <= 0)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_NEED(l->x.n / CHUNK < INT32_MAX, CUBLAS_STATUS_NOT_SUPPORTED);
    l->y.n = l->x.n;
    l->y.type = l->x.type;
    l->call.run = run_each;
    l->call.arrays = arrays_each;
    l->call.parts = (unsigned)((l->x.n + CHUNK - 1) / CHUNK);
    l->call.site = softgpu_call_site;
    l->call.operations = 2.0 * (double)l->x.n;
    l->call.bytes = 2.0 * (double)l->x.n * (double)bytes;
    return blas_submit(handle->stream, l, sizeof *l);
}

/* --- sums ----------------------------------------------------------------- */

/* In long double: the square of a large double needs its range. */
static double norm(const struct blas_vector *x)
{
    long double sum = 0;

    for (int64_t i = 0; i < x->n; i++) {
        const long double v = blas_real(x->type, x->ptr, blas_index(x, i));

        sum += v * v;
    }
    return (double)sqrtl(sum);
}

/* Of absolute values, or of products. */
static double sum(const struct level1 *l)
{
    long double sum = 0;

    for (int64_t i = 0; i < l->x.n; i++) {
        const long double x =
            blas_real(l->x.type, l->x.ptr, blas_index(&l->x, i));

        sum += l->operation == ASUM
                   ? fabsl(x)
                   : x * blas_real(l->x.type, l->y.ptr, blas_index(&l->y, i));
    }
    return (double)sum;
}

/* Index, from 1, of the first of the largest or of the smallest. */
static int64_t extreme(const struct level1 *l)
{
    int64_t best = 0;
    double value = 0;

    for (int64_t i = 0; i < l->x.n; i++) {
        const double x =
            fabs(blas_real(l->x.type, l->x.ptr, blas_index(&l->x, i)));

        if (!best || (l->operation == AMAX ? x > value : x < value)) {
            best = i + 1;
            value = x;
        }
    }
    return best;
}

/* The index has the type of the sizes. */
static void run_result(const void *self, unsigned part)
{
    const struct level1 *l = self;

    (void)part;
    if (l->operation >= AMAX && l->index_bytes == sizeof(int))
        *(int *)l->result = (int)extreme(l);
    else if (l->operation >= AMAX)
        *(int64_t *)l->result = extreme(l);
    else
        blas_put_real(l->x.type, l->result, 0,
                      l->operation == NRM2 ? norm(&l->x) : sum(l));
}

/* A result in host memory is no array of the device. */
static void arrays_result(const void *self)
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

/* Queue it, and wait if the host wants the result. */
static cublasStatus_t result(cublasHandle_t handle, struct level1 *l)
{
    BLAS_LEGAL(l->result);
    if (l->x.n < 0 || (l->operation != DOT && l->x.step <= 0))
        l->x.n = 0; /* of nothing: 0 */
    l->y.n = l->x.n;
    l->y.type = l->x.type;
    l->call.run = run_result;
    l->call.arrays = arrays_result;
    l->call.parts = 1;
    l->call.site = softgpu_call_site;
    l->call.operations = 2.0 * (double)l->x.n;
    l->call.bytes = (double)l->x.n * (double)blas_bytes(l->x.type);
    l->on_device = handle->pointers == CUBLAS_POINTER_MODE_DEVICE;
    return blas_submit_result(handle, l, sizeof *l);
}

/* --- the calls ------------------------------------------------------------ */

#define BEGIN(words, op)                                      \
    BLAS_HERE();                                              \
    BLAS_HANDLE(handle);                                      \
    struct level1 l = {.call.name = words, .operation = op}
#define VECTOR(x, stride, t) \
    ((struct blas_vector){(void *)(uintptr_t)x, n, stride, t})

/* axpy, scal, copy, swap and rot of one type. */
#define EACH(S, s, T, t, I, E)                                                \
    cublasStatus_t cublas##S##axpy_v2##E(cublasHandle_t handle, I n,          \
                                         const T *alpha, const T *x, I incx,  \
                                         T *y, I incy)                        \
    {                                                                         \
        BEGIN("cublas" #S "axpy", AXPY);                                      \
        BLAS_LEGAL(alpha);                                                    \
        l.alpha = blas_scalar(handle, alpha, t);                              \
        l.x = VECTOR(x, incx, t);                                             \
        l.y = VECTOR(y, incy, t);                                             \
        return each(handle, &l);                                              \
    }                                                                         \
    cublasStatus_t cublas##S##scal_v2##E(cublasHandle_t handle, I n,          \
                                         const T *alpha, T *x, I incx)        \
    {                                                                         \
        BEGIN("cublas" #S "scal", SCAL);                                      \
        BLAS_LEGAL(alpha);                                                    \
        l.alpha = blas_scalar(handle, alpha, t);                              \
        l.x = VECTOR(x, incx, t);                                             \
        return incx > 0 ? each(handle, &l) : CUBLAS_STATUS_SUCCESS;           \
    }                                                                         \
    cublasStatus_t cublas##S##copy_v2##E(cublasHandle_t handle, I n,          \
                                         const T *x, I incx, T *y, I incy)    \
    {                                                                         \
        BEGIN("cublas" #S "copy", COPY);                                      \
        l.x = VECTOR(x, incx, t);                                             \
        l.y = VECTOR(y, incy, t);                                             \
        return each(handle, &l);                                              \
    }                                                                         \
    cublasStatus_t cublas##S##swap_v2##E(cublasHandle_t handle, I n, T *x,    \
                                         I incx, T *y, I incy)                \
    {                                                                         \
        BEGIN("cublas" #S "swap", SWAP);                                      \
        l.x = VECTOR(x, incx, t);                                             \
        l.y = VECTOR(y, incy, t);                                             \
        return each(handle, &l);                                              \
    }                                                                         \
    cublasStatus_t cublas##S##rot_v2##E(cublasHandle_t handle, I n, T *x,     \
                                        I incx, T *y, I incy, const T *c,     \
                                        const T *sine)                        \
    {                                                                         \
        BEGIN("cublas" #S "rot", ROT);                                        \
        BLAS_LEGAL(c && sine);                                                \
        l.alpha = blas_scalar(handle, c, t);                                  \
        l.sine = blas_scalar(handle, sine, t);                                \
        l.x = VECTOR(x, incx, t);                                             \
        l.y = VECTOR(y, incy, t);                                             \
        return each(handle, &l);                                              \
    }
BLAS_EACH(EACH)

/* A call with one vector and one result. */
#define ONE_RESULT(words, op, function, T, t, I, R, bytes)                     \
    cublasStatus_t function(cublasHandle_t handle, I n, const T *x, I incx,   \
                            R *to)                                            \
    {                                                                         \
        BEGIN(words, op);                                                     \
        l.x = VECTOR(x, incx, t);                                             \
        l.result = to;                                                        \
        l.index_bytes = bytes;                                                \
        return result(handle, &l);                                            \
    }
/* nrm2, asum, amax, amin and dot of one type. */
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
        BEGIN("cublas" #S "dot", DOT);                                        \
        l.x = VECTOR(x, incx, t);                                             \
        l.y = VECTOR(y, incy, t);                                             \
        l.result = to;                                                        \
        return result(handle, &l);                                            \
    }
BLAS_EACH(RESULTS)
