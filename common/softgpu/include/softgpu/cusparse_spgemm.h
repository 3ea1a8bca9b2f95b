/* SPDX-License-Identifier: MIT */
/** @file
 *  cuSPARSE's product of two sparse matrices; included by cusparse.h, which
 *  says what its statuses mean.
 *
 *  C = alpha A B + beta C for CSR matrices of one type, neither transposed; C
 *  has the pattern of A B, zeros that sums give included, with ascending
 *  columns.  With beta, C has that pattern before.  A call without a buffer
 *  gives the bytes of one; the contents do not matter.
 */
#ifndef SOFTGPU_CUSPARSE_SPGEMM_H
#define SOFTGPU_CUSPARSE_SPGEMM_H

/** Algorithms; all give the same bits here. */
typedef enum {
    CUSPARSE_SPGEMM_DEFAULT = 0,
    CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC = 1,    /**< sic */
    CUSPARSE_SPGEMM_CSR_ALG_DETERMINISTIC = 1,
    CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC = 2, /**< sic */
    CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINISTIC = 2,
    CUSPARSE_SPGEMM_ALG1 = 3,
    CUSPARSE_SPGEMM_ALG2 = 4,
    CUSPARSE_SPGEMM_ALG3 = 5
} cusparseSpGEMMAlg_t;

typedef struct cusparseSpGEMMDescr *cusparseSpGEMMDescr_t; /**< a product */

/** Make a descriptor of a product. */
cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *product);
/** Destroy it. */
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t product);
/** First step: count the products of values.  Waits for the stream. */
cusparseStatus_t cusparseSpGEMM_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
    cusparseConstSpMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
    cudaDataType compute_type, cusparseSpGEMMAlg_t algorithm,
    cusparseSpGEMMDescr_t product, size_t *bytes, void *buffer);
/** The number that the first step has counted. */
cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t product,
                                               int64_t *count);
/** Bytes of the buffer of the next step, for ALG2 and ALG3.
 *  @param fraction  of the products at a time; in (0, 1], without effect */
cusparseStatus_t cusparseSpGEMM_estimateMemory(
    cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
    cusparseConstSpMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
    cudaDataType compute_type, cusparseSpGEMMAlg_t algorithm,
    cusparseSpGEMMDescr_t product, float fraction, size_t *bytes3,
    void *buffer3, size_t *bytes2);
/** Second step: multiply.  cusparseSpMatGetSize() of C then has the number of
 *  values, for which the caller sets arrays.  Waits for the stream. */
cusparseStatus_t cusparseSpGEMM_compute(
    cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
    cusparseConstSpMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
    cudaDataType compute_type, cusparseSpGEMMAlg_t algorithm,
    cusparseSpGEMMDescr_t product, size_t *bytes, void *buffer);
/** Third step: write offsets, columns and values of C.  Waits for the
 *  stream. */
cusparseStatus_t cusparseSpGEMM_copy(
    cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
    cusparseConstSpMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
    cudaDataType compute_type, cusparseSpGEMMAlg_t algorithm,
    cusparseSpGEMMDescr_t product);

#endif
