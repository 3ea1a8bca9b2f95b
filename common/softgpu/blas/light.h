/* SPDX-License-Identifier: MIT */
/** @file
 *  What the opaque descriptors of cuBLASLt hold.
 */
#ifndef SOFTGPU_BLAS_LIGHT_H
#define SOFTGPU_BLAS_LIGHT_H

#include "cublasLt.h"

/** In a cublasLtMatrixLayoutOpaque_t. */
struct light_layout {
    uint32_t type; /**< cudaDataType */
    int32_t order;
    uint64_t rows, columns;
    int64_t ld;
    int32_t batch;
    int32_t unused;
    int64_t stride;
};

/** In a cublasLtMatmulDescOpaque_t. */
struct light_product {
    int32_t compute, scale, pointers;
    int32_t transa, transb, transc, fill;
    uint32_t epilogue;
    const void *bias; /**< device */
    int64_t bias_stride;
    int32_t bias_type; /**< below 0: D's */
};

/** In a cublasLtMatmulPreferenceOpaque_t. */
struct light_preference {
    uint64_t workspace;
    uint32_t number[9]; /**< the others, by attribute */
    float waves;
};

/** What a pointer to an opaque descriptor points to. */
static inline const struct light_layout *
light_layout(cublasLtMatrixLayout_t layout)
{
    return (const void *)layout;
}
/** Likewise. */
static inline const struct light_product *
light_product(cublasLtMatmulDesc_t product)
{
    return (const void *)product;
}

#endif
