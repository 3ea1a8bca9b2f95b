/* SPDX-License-Identifier: MIT */
/** @file
 *  D = alpha op(A) op(B) + beta C, batches of it, with what may follow: the one
 *  product behind cublas?gemm..., cublasGemm...Ex and cublasLtMatmul.
 */
#ifndef SOFTGPU_BLAS_PRODUCT_H
#define SOFTGPU_BLAS_PRODUCT_H

#include "blas.h"

/** To what the elements of A and B are rounded before they are multiplied. */
enum blas_rounding { BLAS_EXACT, BLAS_HALF, BLAS_BFLOAT, BLAS_TF32 };

/** A matrix, or many: one a stride, or one a pointer. */
struct blas_matrix {
    const void *ptr;          /**< the first */
    const void *const *each;  /**< device memory: pointers; or NULL */
    int64_t ld, stride;       /**< in elements */
    cudaDataType type;
    bool transposed;          /**< only A and B */
};

/** The call. */
struct blas_product {
    struct softgpu_library_call call; /**< only its name is the caller's */
    int64_t m, n, k, batch;
    struct blas_scalar alpha, beta;
    struct blas_matrix a, b, c, d;
    enum blas_rounding rounding;
    bool half_sums; /**< CUBLAS_COMPUTE_16F: each sum and product to fp16 */
    const void *bias; /**< device, or NULL: added to each column */
    cudaDataType bias_type;
    int64_t bias_stride;  /**< elements from batch to batch */
    bool bias_by_column;  /**< instead one number a column */
    bool relu;            /**< then negative results become 0 */
};

/** Check sizes, queue it; no element: nothing is queued. */
cublasStatus_t blas_product_submit(cudaStream_t stream,
                                   struct blas_product *product);
/** Take over the rounding that a compute type stands for, once the types of
 *  A, B and C are in the product.
 *  @return CUBLAS_STATUS_NOT_SUPPORTED if they do not go together */
cublasStatus_t blas_product_types(struct blas_product *product,
                                  cublasComputeType_t compute);
/** The type of alpha and beta. */
cudaDataType blas_scale_type(cublasComputeType_t compute);

#endif
