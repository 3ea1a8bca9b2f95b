/* SPDX-License-Identifier: MIT */
/** @file
 *  Level 1: operations and reductions of vectors, of real elements in double,
 *  of any others (complex, fp16, mixed) as complex numbers. */
#ifndef SOFTGPU_BLAS_LEVEL1_H
#define SOFTGPU_BLAS_LEVEL1_H

#include "routines.h"

enum { BLAS_CHUNK = 1 << 16 /**< elements per part */ };

/** Operations; reductions begin with NRM2. */
enum blas_operation {
    BLAS_AXPY,
    BLAS_SCAL,
    BLAS_COPY,
    BLAS_SWAP,
    BLAS_ROT,
    BLAS_ROTM,
    BLAS_NRM2,
    BLAS_DOT,
    BLAS_DOTC,
    BLAS_ASUM,
    BLAS_AMAX,
    BLAS_AMIN
};

/** Arguments of a call. */
struct blas_level1 {
    struct softgpu_library_call call; /**< the caller sets only the name */
    enum blas_operation operation;
    struct blas_vector x, y;  /**< y has no elements if there is none */
    struct blas_scalar alpha; /**< alpha, or the cosine of rot */
    struct blas_scalar sine;
    double param[5];          /**< of rotm, if `param_at` is NULL */
    const void *param_at;     /**< device memory */
    void *result;
    cudaDataType result_type;
    size_t index_bytes; /**< size of the result of AMAX and AMIN, or 0 */
    bool on_device;     /**< the result is in device memory */
};

/** The operation of a name: "axpy".  @return false if there is none */
bool blas_operation_of(const char *name, enum blas_operation *operation);
/** Keep the parameters of rotm, which are of x's type. */
void blas_keep_param(cublasHandle_t handle, struct blas_level1 *l,
                     const void *param);
/** Submit it; x and y are set.  Does nothing for 0 elements. */
cublasStatus_t blas_submit_elementwise(cublasHandle_t handle,
                                       struct blas_level1 *l);
/** Submit a reduction; synchronizes if the result is in host memory. */
cublasStatus_t blas_submit_reduction(cublasHandle_t handle,
                                     struct blas_level1 *l);

/** Element-wise operation on the elements from first to end. */
void blas_apply_any(const struct blas_level1 *l, int64_t first, int64_t end);
/** Compute a reduction other than AMAX and AMIN. */
double complex blas_reduce_any(const struct blas_level1 *l);
/** |x_i| of a real, |Re x_i| + |Im x_i| of a complex number. */
double blas_magnitude(const struct blas_vector *x, int64_t i);
/** The flag of rotm and its matrix h11, h12, h21, h22. @return the flag */
double blas_rotm_matrix(const struct blas_level1 *l, double h[4]);

#endif
