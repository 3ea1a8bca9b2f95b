/* SPDX-License-Identifier: MIT */
/** @file
 *  What the calls of cuBLAS share: handles, scalars, arrays, queueing.
 *
 *  A public call checks its arguments, fills a structure that begins with a
 *  struct softgpu_library_call, and submits it; its `run` does the work when
 *  the stream comes to it.
 */
#ifndef SOFTGPU_BLAS_H
#define SOFTGPU_BLAS_H

#include <stdbool.h>

#include "../host/library.h"
#include "cublas_v2.h"

/** A handle. */
struct cublasContext {
    unsigned mark; /**< tells a handle from anything else */
    cudaStream_t stream;
    cublasPointerMode_t pointers;
    cublasAtomicsMode_t atomics;
    cublasMath_t math;
    int sms; /**< SmCountTarget */
};

/** First line of each public call: where is it made? */
#define BLAS_HERE() (softgpu_call_site = __builtin_return_address(0))
/** Return unless a condition holds. */
#define BLAS_NEED(condition, status) \
    do {                             \
        if (!(condition))            \
            return (status);         \
    } while (0)
/** Return unless this is a handle. */
#define BLAS_HANDLE(handle) \
    BLAS_NEED(blas_is_handle(handle), CUBLAS_STATUS_NOT_INITIALIZED)
/** Return unless the arguments are legal. */
#define BLAS_LEGAL(condition) BLAS_NEED(condition, CUBLAS_STATUS_INVALID_VALUE)

/** X(S, s, T, type, I, E) for each type of elements and of sizes. */
#define BLAS_EACH(X)                           \
    X(S, s, float, CUDA_R_32F, int, )          \
    X(S, s, float, CUDA_R_32F, int64_t, _64)   \
    X(D, d, double, CUDA_R_64F, int, )         \
    X(D, d, double, CUDA_R_64F, int64_t, _64)

/** 1 if it is a handle that is not destroyed. */
bool blas_is_handle(cublasHandle_t handle);
/** The larger; for leading dimensions. */
static inline int64_t blas_most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}
/** Not transposed, transposed or (the same for real numbers) adjoint. */
static inline bool blas_is_operation(cublasOperation_t op)
{
    return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C;
}

/* --- scalars -------------------------------------------------------------- */

/** A number that is known now, or in device memory when the call runs. */
struct blas_scalar {
    double value;
    const void *at; /**< device memory, or NULL */
    cudaDataType type;
};

/** Take one as the handle's pointer mode says; p is not NULL. */
struct blas_scalar blas_scalar(cublasHandle_t handle, const void *p,
                               cudaDataType type);
/** Its value; only in `run` and `arrays`. */
double blas_value(const struct blas_scalar *scalar);
/** In `arrays`: it is read, if it is in device memory. */
void blas_scalar_array(const char *name, const struct blas_scalar *scalar);

/* --- elements ------------------------------------------------------------- */

/** Bytes of an element. */
size_t blas_bytes(cudaDataType type);
/** Element i. */
double blas_get(cudaDataType type, const void *p, int64_t i);
/** Set element i: rounded to the nearest; int32 wraps. */
void blas_set(cudaDataType type, void *p, int64_t i, double value);
/** blas_get() of float or double alone: inlined where it is all there is. */
static inline double blas_real(cudaDataType type, const void *p, int64_t i)
{
    return type == CUDA_R_64F ? ((const double *)p)[i]
                              : (double)((const float *)p)[i];
}
/** blas_set(), likewise. */
static inline void blas_put_real(cudaDataType type, void *p, int64_t i,
                                 double value)
{
    if (type == CUDA_R_64F)
        ((double *)p)[i] = value;
    else
        ((float *)p)[i] = (float)value;
}
/** n elements of 16 bits or fewer, or of float, as floats. */
void blas_to_floats(cudaDataType type, const void *from, float *to, size_t n);
/** A float as the type nearest to it, as a float again. */
float blas_as_half(float x);
/** To bfloat16. */
float blas_as_bfloat(float x);
/** To TF32: 10 bits of fraction, ties away from zero. */
float blas_as_tf32(float x);

/* --- arrays --------------------------------------------------------------- */

/** In `arrays`: a matrix of these elements, column by column. */
struct blas_area {
    const char *name;
    const void *ptr;
    cudaDataType type;
    int64_t rows, columns, ld;
    enum softgpu_use use;
};
/** Name all of it. */
void blas_area(const struct blas_area *area);
/** Name a triangle of it, diagonal included. */
void blas_triangle(const struct blas_area *area, cublasFillMode_t uplo);

/** A vector: n elements, `step` apart, backwards when it is negative. */
struct blas_vector {
    void *ptr;
    int64_t n, step;
    cudaDataType type;
};
/** In `arrays`: name it. */
void blas_vector_array(const char *name, const struct blas_vector *vector,
                       enum softgpu_use use);
/** Index of element i. */
static inline int64_t blas_index(const struct blas_vector *v, int64_t i)
{
    return v->step < 0 ? (i + 1 - v->n) * v->step : i * v->step;
}

/* --- queueing ------------------------------------------------------------- */

/** Queue a call on a stream.  @return what cuBLAS calls the outcome */
cublasStatus_t blas_submit(cudaStream_t stream, const void *self,
                           size_t bytes);
/** The same for a call with a result: in host memory it is waited for. */
cublasStatus_t blas_submit_result(cublasHandle_t handle, const void *self,
                                  size_t bytes);

#endif
