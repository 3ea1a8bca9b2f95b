/* SPDX-License-Identifier: MIT */
/** @file
 *  Contents of cuBLASLt's opaque descriptors. */
#ifndef SOFTGPU_BLAS_LIGHT_H
#define SOFTGPU_BLAS_LIGHT_H

#include "cublasLt.h"

/** Content of a cublasLtMatrixLayoutOpaque_t. */
struct lt_matrix_layout {
    uint32_t type; /**< cudaDataType */
    int32_t order;
    uint64_t rows, columns; /**< shape */
    int64_t ld;             /**< leading dimension */
    int32_t batch;          /**< number of matrices */
    int32_t unused;         /**< padding */
    int64_t stride;         /**< elements between matrices of the batch */
};

/** Content of a cublasLtMatmulDescOpaque_t. */
struct lt_matmul_desc {
    int32_t compute, scale, pointer_mode; /**< as in
                                               cublasLtMatmulDescAttributes_t */
    int32_t transa, transb, transc, fill; /**< likewise */
    uint32_t epilogue;
    const void *bias; /**< device */
    int64_t bias_stride;
    int32_t bias_type; /**< negative: D's type */
    void *aux;         /**< device; of GELU_AUX and DGELU */
    int64_t aux_ld, aux_stride;
};

/** Content of a cublasLtMatmulPreferenceOpaque_t. */
struct lt_matmul_preference {
    uint64_t workspace;
    uint32_t number[9]; /**< other attributes, indexed by attribute */
    float waves;
};

/** The content of an opaque layout. */
static inline const struct lt_matrix_layout *
lt_matrix_layout(cublasLtMatrixLayout_t layout)
{
    return (const void *)layout;
}
/** The content of an opaque matmul descriptor. */
static inline const struct lt_matmul_desc *
lt_matmul_desc(cublasLtMatmulDesc_t product)
{
    return (const void *)product;
}

#endif
