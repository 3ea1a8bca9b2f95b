/* SPDX-License-Identifier: MIT */
/** @file
 *  D = alpha op(A) op(B) + beta C, batched, with an epilogue: the matrix
 *  multiplication behind cublas?gemm..., cublasGemm...Ex and cublasLtMatmul. */
#ifndef SOFTGPU_BLAS_PRODUCT_H
#define SOFTGPU_BLAS_PRODUCT_H

#include "blas.h"

/** Rounding of the elements of A and B before multiplication. */
enum blas_rounding { BLAS_EXACT, BLAS_HALF, BLAS_BFLOAT16, BLAS_TF32 };

/** A matrix, or a batch of them: strided, or by an array of pointers. */
struct blas_matrix {
    const void *ptr;         /**< the first matrix */
    const void *const *each; /**< device memory: array of pointers; or NULL */
    int64_t ld, stride;      /**< in elements */
    cudaDataType type;
    bool transposed;         /**< for A and B only */
    bool conjugated;         /**< too; complex and transposed */
};

/** The activation function: applied to the elements after the bias. */
enum blas_activation {
    BLAS_NONE,
    BLAS_RELU,
    BLAS_GELU, /**< by tanh; `aux`, if there is one, gets its input */
    BLAS_DGELU /**< times GELU's derivative where `aux` was its input */
};

/** Arguments of a call. */
struct blas_matmul {
    struct softgpu_library_call call; /**< the caller sets only the name */
    int64_t m, n, k, batch;
    struct blas_scalar alpha, beta; /**< factors of the product and of C */
    struct blas_matrix a, b, c, d; /**< operands and result */
    enum blas_rounding rounding;   /**< of the elements of A and B */
    bool
        accumulate_half; /**< CUBLAS_COMPUTE_16F: results are rounded to fp16 */
    const void *bias; /**< device memory, or NULL: added to each column */
    cudaDataType bias_type;
    int64_t bias_stride; /**< elements between matrices of the batch */
    bool bias_by_column; /**< bias has one element per column instead */
    enum blas_activation activation;
    struct blas_matrix aux; /**< of GELU, in D's shape; its ptr may be NULL */
};

/** Check sizes and submit; does nothing for 0 elements. */
cublasStatus_t blas_matmul_submit(cudaStream_t stream,
                                  struct blas_matmul *product);
/** Set the rounding for a compute type; the types of A, B and C must be set.
 *  @return CUBLAS_STATUS_NOT_SUPPORTED if the types do not go together */
cublasStatus_t blas_matmul_types(struct blas_matmul *product,
                                 cublasComputeType_t compute);
/** The type of alpha and beta. */
cudaDataType blas_scale_type(cublasComputeType_t compute);

#endif
