/* SPDX-License-Identifier: MIT */
/** @file
 *  cuSPARSE: triangular solutions for all columns of a matrix, and products of
 *  dense matrices at the places of a sparse one; included by cusparse.h, which
 *  says what their statuses mean.  Buffers are not used.
 */
#ifndef SOFTGPU_CUSPARSE_MATRICES_H
#define SOFTGPU_CUSPARSE_MATRICES_H

/** Make a descriptor of a solution. */
cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *solution);
/** Destroy it. */
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t solution);
/** Bytes of the buffer: 0. */
cusparseStatus_t cusparseSpSM_bufferSize(
    cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
    cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c,
    cudaDataType compute_type, cusparseSpSMAlg_t algorithm,
    cusparseSpSMDescr_t solution, size_t *bytes);
/** Prepare cusparseSpSM_solve(), which must follow; reads nothing here. */
cusparseStatus_t cusparseSpSM_analysis(
    cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
    cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c,
    cudaDataType compute_type, cusparseSpSMAlg_t algorithm,
    cusparseSpSMDescr_t solution, void *buffer);
/** Solve op(A) C = alpha op(B) for the triangle of A that its attributes
 *  name. */
cusparseStatus_t cusparseSpSM_solve(
    cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
    cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c,
    cudaDataType compute_type, cusparseSpSMAlg_t algorithm,
    cusparseSpSMDescr_t solution);

/** Bytes of the buffer: 0. */
cusparseStatus_t cusparseSDDMM_bufferSize(
    cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstDnMatDescr_t a,
    cusparseConstDnMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
    cudaDataType compute_type, cusparseSDDMMAlg_t algorithm, size_t *bytes);
/** Prepare cusparseSDDMM(); no effect. */
cusparseStatus_t cusparseSDDMM_preprocess(
    cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstDnMatDescr_t a,
    cusparseConstDnMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
    cudaDataType compute_type, cusparseSDDMMAlg_t algorithm, void *buffer);
/** C = alpha op(A) op(B) + beta C for the elements that C has, in each of its
 *  formats; sums are made in double and rounded once. */
cusparseStatus_t cusparseSDDMM(
    cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstDnMatDescr_t a,
    cusparseConstDnMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
    cudaDataType compute_type, cusparseSDDMMAlg_t algorithm, void *buffer);

#endif
