/* SPDX-License-Identifier: MIT */
/** @file
 *  Shared by all calls of cuBLAS: handles, scalars, arrays, submission.
 *
 *  A public call checks its arguments, fills a structure that begins with a
 *  struct softgpu_library_call, and submits it to the stream; its `run`
 *  function does the work when the stream reaches it. "In `arrays`" means:
 *  called from the structure's `arrays` function, which declares the memory
 *  accesses. */
#ifndef SOFTGPU_BLAS_H
#define SOFTGPU_BLAS_H

#include <complex.h>
#include <stdbool.h>

#undef I /* a type of sizes in macros */

#include "common/softgpu/host/library.h"
#include "cublas_api.h"

/** A cuBLAS handle. */
struct cublasContext {
    unsigned magic; /**< HANDLE_MAGIC while the handle is valid */
    cudaStream_t stream;
    cublasPointerMode_t pointer_mode; /**< where scalars and results are */
    cublasAtomicsMode_t atomics; /**< stored, without effect */
    cublasMath_t math;
    int sms; /**< SmCountTarget */
    struct {
        cublasEmulationStrategy_t strategy;
        cudaEmulationSpecialValuesSupport special;
        cudaEmulationMantissaControl control;
        int most_bits, bit_offset, *bit_count;
    } emulation; /**< stored, without effect */
};

/** Return `status` unless the condition holds. */
#define BLAS_REQUIRE(condition, status) \
    do {                                \
        if (!(condition))               \
            return (status);            \
    } while (0)
/** Return CUBLAS_STATUS_NOT_INITIALIZED unless this is a valid handle. */
#define BLAS_REQUIRE_HANDLE(handle) \
    BLAS_REQUIRE(blas_is_handle(handle), CUBLAS_STATUS_NOT_INITIALIZED)
/** Return CUBLAS_STATUS_NOT_SUPPORTED, and print why, unless the condition
 *  holds. */
#define BLAS_REQUIRE_SUPPORTED(condition, why)   \
    do {                                         \
        if (!(condition)) {                      \
            softgpu_library_refuse(why);         \
            return CUBLAS_STATUS_NOT_SUPPORTED;  \
        }                                        \
    } while (0)
/** Print that this thread's call needs this condition, if SOFTGPU_EXPLAIN is
 *  set.  @return CUBLAS_STATUS_INVALID_VALUE */
cublasStatus_t blas_refuse_value(const char *condition);
/** The same with a reason in words. */
cublasStatus_t blas_refuse_because(const char *why);
/** The same: a leading dimension is too small.
 *  @param name   of it: "lda"
 *  @param of     name of what it must be at least, or ""
 *  @param least  which has this value; below 1: 1 */
cublasStatus_t blas_refuse_ld(const char *name, int64_t ld, const char *of,
                              int64_t least);
/** Return CUBLAS_STATUS_INVALID_VALUE unless the condition holds. */
#define BLAS_REQUIRE_VALUE(condition)             \
    do {                                          \
        if (!(condition))                         \
            return blas_refuse_value(#condition); \
    } while (0)
/** The same with a reason in words. */
#define BLAS_REQUIRE_THAT(condition, why)    \
    do {                                     \
        if (!(condition))                    \
            return blas_refuse_because(why); \
    } while (0)
/** The same for a leading dimension: it must be at least max(1, least). */
#define BLAS_REQUIRE_LD(name, ld, of, least)               \
    do {                                                   \
        if ((ld) < blas_max(1, least))                     \
            return blas_refuse_ld(name, ld, of, least);    \
    } while (0)
/** The same for a workspace: it must not be longer than its allocation, which
 *  a GPU's kernels may use all of. */
#define BLAS_REQUIRE_WORKSPACE(workspace, bytes)                            \
    BLAS_REQUIRE_THAT(!(bytes) || softgpu_library_room(workspace) >= (bytes), \
                      "the workspace is said to have more bytes than were "   \
                      "allocated for it")

/** X(S, s, T, type, I, E) for each element type T and size type I. */
#define BLAS_FOR_EACH_TYPE(X)                \
    X(S, s, float, CUDA_R_32F, int, )        \
    X(S, s, float, CUDA_R_32F, int64_t, _64) \
    X(D, d, double, CUDA_R_64F, int, )       \
    X(D, d, double, CUDA_R_64F, int64_t, _64)
/** The same for complex types. */
#define BLAS_FOR_EACH_COMPLEX_TYPE(X)                 \
    X(C, c, cuComplex, CUDA_C_32F, int, )             \
    X(C, c, cuComplex, CUDA_C_32F, int64_t, _64)      \
    X(Z, z, cuDoubleComplex, CUDA_C_64F, int, )       \
    X(Z, z, cuDoubleComplex, CUDA_C_64F, int64_t, _64)

/** Is this a handle that has not been destroyed? */
bool blas_is_handle(cublasHandle_t handle);
/** The larger of two; for leading dimensions. */
static inline int64_t blas_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}
/** Is it CUBLAS_OP_N, _T or _C (the same as _T for real numbers)? */
static inline bool blas_is_operation(cublasOperation_t op)
{
    return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C;
}

/* --- scalars ------------------------------------------------------------- */

/** A scalar argument: its value, or its address in device memory. */
struct blas_scalar {
    double value[2];   /**< an element of the type, if `at` is NULL */
    const void *at;    /**< device memory, or NULL */
    cudaDataType type; /**< of the elements */
};

/** Read the scalar or keep its address, depending on the handle's pointer
 *  mode; p is not NULL. */
struct blas_scalar blas_scalar(cublasHandle_t handle, const void *p,
                               cudaDataType type);
/** Where its value is; to be read only in `run` and `arrays`. */
static inline const void *blas_scalar_address(const struct blas_scalar *scalar)
{
    return scalar->at ? scalar->at : scalar->value;
}
/** Its value; only in `run` and `arrays`. */
double blas_scalar_value(const struct blas_scalar *scalar);
/** The same of any type. */
double complex blas_scalar_complex(const struct blas_scalar *scalar);
/** In `arrays`: declare that it is read, if it is in device memory. */
void blas_scalar_array(const char *name, const struct blas_scalar *scalar);

/* --- elements ------------------------------------------------------------ */

/** Bytes per element. */
size_t blas_bytes(cudaDataType type);
/** Load element i. */
double blas_load(cudaDataType type, const void *p, int64_t i);
/** Store element i, rounded to nearest; int32 wraps. */
void blas_store(cudaDataType type, void *p, int64_t i, double value);
/** Is it a complex type? */
static inline bool blas_is_complex(cudaDataType type)
{
    return type == CUDA_C_32F || type == CUDA_C_64F;
}
/** The type of a complex type's parts, or the type itself. */
static inline cudaDataType blas_real_type(cudaDataType type)
{
    return type == CUDA_C_32F   ? CUDA_R_32F
           : type == CUDA_C_64F ? CUDA_R_64F
                                : type;
}
/** Load element i of any type. */
double complex blas_load_complex(cudaDataType type, const void *p, int64_t i);
/** Store it; the imaginary part is lost if the type is real. */
void blas_store_complex(cudaDataType type, void *p, int64_t i,
                        double complex value);
/** blas_load() for float or double only; inlined. */
static inline double blas_load_real(cudaDataType type, const void *p, int64_t i)
{
    return type == CUDA_R_64F ? ((const double *)p)[i]
                              : (double)((const float *)p)[i];
}
/** blas_store(), likewise. */
static inline void blas_store_real(cudaDataType type, void *p, int64_t i,
                                   double value)
{
    if (type == CUDA_R_64F)
        ((double *)p)[i] = value;
    else
        ((float *)p)[i] = (float)value;
}
/** Convert n elements of at most 16 bits, or float, to float. */
void blas_load_floats(cudaDataType type, const void *from, float *to, size_t n);
/** Round to fp16, as a float. */
float blas_round_to_half(float x);
/** Round to bfloat16. */
float blas_round_to_bfloat16(float x);
/** Round to TF32: 10 bits of mantissa, ties away from zero. */
float blas_round_to_tf32(float x);

/* --- arrays -------------------------------------------------------------- */

/** In `arrays`: a column-major matrix and how it is accessed. */
struct blas_array {
    const char *name; /**< name in messages: "A" */
    const void *ptr;  /**< device memory */
    cudaDataType type;
    int64_t rows, columns, ld; /**< shape and leading dimension */
    enum softgpu_use use;      /**< read, written or both */
};
/** Declare an access to the whole matrix. */
void blas_array(const struct blas_array *area);
/** A vector of n elements with increment `inc`; reversed if it is negative. */
struct blas_vector {
    void *ptr;      /**< device memory */
    int64_t n, inc; /**< elements, and increment (incx) */
    cudaDataType type;
};
/** In `arrays`: declare an access to a vector. */
void blas_vector_array(const char *name, const struct blas_vector *vector,
                       enum softgpu_use use);
/** Index of element i. */
static inline int64_t blas_index(const struct blas_vector *v, int64_t i)
{
    return v->inc < 0 ? (i + 1 - v->n) * v->inc : i * v->inc;
}

/* --- submission ---------------------------------------------------------- */

/** Submit a call to a stream.  @return cuBLAS's status */
cublasStatus_t blas_submit(cudaStream_t stream, const void *self,
                           size_t bytes);
/** The same for a call with a result: if that is in host memory, synchronizes.
 */
cublasStatus_t blas_submit_result(cublasHandle_t handle, const void *self,
                                  size_t bytes);

#endif
