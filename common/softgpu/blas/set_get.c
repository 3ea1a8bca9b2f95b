/* SPDX-License-Identifier: MIT */
/* cublasSetVector, cublasGetMatrix and the like: copies between host and
 * device. */
#include "blas.h"

/** The arguments of cudaMemcpy2D. */
struct copy {
    void *to;
    const void *from;
    size_t to_pitch, from_pitch, row, rows;
    enum cudaMemcpyKind kind;
};

/* Vectors with increments and matrices are rows of a pitched copy. */
static cublasStatus_t copy(const struct copy *c, bool is_async,
                           cudaStream_t stream)
{
    if (!c->row || !c->rows)
        return CUBLAS_STATUS_SUCCESS;
    const cudaError_t error =
        is_async ? cudaMemcpy2DAsync(c->to, c->to_pitch, c->from, c->from_pitch,
                                     c->row, c->rows, c->kind, stream)
                 : cudaMemcpy2D(c->to, c->to_pitch, c->from, c->from_pitch,
                                c->row, c->rows, c->kind);
    return error ? CUBLAS_STATUS_MAPPING_ERROR : CUBLAS_STATUS_SUCCESS;
}

/* A vector as a 2D copy; contiguous elements are one row. */
static struct copy vector_copy(int64_t n, int64_t bytes, int64_t incx,
                               int64_t incy)
{
    const bool dense = incx == 1 && incy == 1;

    return (struct copy){.to_pitch = (size_t)(dense ? n : incy) * (size_t)bytes,
                         .from_pitch =
                             (size_t)(dense ? n : incx) * (size_t)bytes,
                         .row = (size_t)(dense ? n : 1) * (size_t)bytes,
                         .rows = (size_t)(dense ? n > 0 : n)};
}

#define DEFINE_VECTOR_COPY(name, direction, is_async, I, E, ...)            \
    cublasStatus_t name##E(I n, I elemSize, const void *x, I incx, void *y, \
                           I incy __VA_ARGS__)                              \
    {                                                                       \
        SOFTGPU_LIBRARY_CALL();                                             \
        BLAS_REQUIRE_VALUE(n >= 0 && elemSize > 0 && incx > 0 && incy > 0); \
        struct copy c = vector_copy(n, elemSize, incx, incy);               \
        c.from = x;                                                         \
        c.to = y;                                                           \
        c.kind = direction;                                                 \
        return copy(&c, is_async, is_async ? STREAM : NULL);                \
    }
#define DEFINE_MATRIX_COPY(name, direction, is_async, I, E, ...)             \
    cublasStatus_t name##E(I rows, I cols, I elemSize, const void *a, I lda, \
                           void *b, I ldb __VA_ARGS__)                       \
    {                                                                        \
        SOFTGPU_LIBRARY_CALL();                                              \
        BLAS_REQUIRE_VALUE(rows >= 0 && cols >= 0 && elemSize > 0);          \
        BLAS_REQUIRE_VALUE(lda >= blas_max(1, rows)                          \
                           && ldb >= blas_max(1, rows));                     \
        const size_t bytes = (size_t)elemSize;                               \
        const struct copy c = {.to = b, .from = a,                           \
                               .to_pitch = (size_t)ldb * bytes,              \
                               .from_pitch = (size_t)lda * bytes,            \
                               .row = (size_t)rows * bytes,                  \
                               .rows = (size_t)cols, .kind = direction};     \
        return copy(&c, is_async, is_async ? STREAM : NULL);                 \
    }
#define BOTH(function, what, I, E)                                            \
    function(cublasSet##what, cudaMemcpyHostToDevice, false, I, E)            \
    function(cublasGet##what, cudaMemcpyDeviceToHost, false, I, E)
#define BOTH_ASYNC(function, what, I, E)                                      \
    function(cublasSet##what##Async, cudaMemcpyHostToDevice, true, I, E,      \
             , cudaStream_t stream)                                           \
    function(cublasGet##what##Async, cudaMemcpyDeviceToHost, true, I, E,      \
             , cudaStream_t stream)

#define STREAM NULL
BOTH(DEFINE_VECTOR_COPY, Vector, int, )
BOTH(DEFINE_VECTOR_COPY, Vector, int64_t, _64)
BOTH(DEFINE_MATRIX_COPY, Matrix, int, )
BOTH(DEFINE_MATRIX_COPY, Matrix, int64_t, _64)
#undef STREAM
#define STREAM stream
BOTH_ASYNC(DEFINE_VECTOR_COPY, Vector, int, )
BOTH_ASYNC(DEFINE_VECTOR_COPY, Vector, int64_t, _64)
BOTH_ASYNC(DEFINE_MATRIX_COPY, Matrix, int, )
BOTH_ASYNC(DEFINE_MATRIX_COPY, Matrix, int64_t, _64)
