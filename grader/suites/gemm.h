/* SPDX-License-Identifier: MIT */
/** @file
 *  What the suites of the matrix products share: inputs, the product in double
 *  with its error bound, and the sizes that break kernels.
 *
 *  The bound is the classical one: a sum of k products, added up in any order
 *  and each operation rounded once, is within about k * 2^-24 * sum |a b| of
 *  the true one.  Two more for beta * C.  A sum kept in half precision is off
 *  by 2^-12 * sum |a b| and more, so that k stays far below 4,096 here.
 */
#ifndef GRADER_SUITES_GEMM_H
#define GRADER_SUITES_GEMM_H

#include "suite.h"

/** A call: C = alpha A B + beta C, and how its inputs are made. */
struct gemm {
    int m, n, k;           /**< C is m by n, the sums have k terms */
    float alpha, beta;     /**< as BLAS has them */
    size_t off_a, off_b, off_c; /**< bytes that the pointers are off 256 */
    float *a, *b, *c;      /**< host: inputs; C before the call, then after */
    double *want, *scale;  /**< of each element of C: the sum, its bound's */
};

/** Which calls a lab's suite makes of what is described here. */
typedef void gemm_call(struct gemm *g);

/** Makes arrays for g's sizes; A and B of either sign, their magnitudes
 *  from 2^-20 to 2^20; C likewise, or NaN where beta is 0. */
void gemm_random(struct gemm *g);
/** Works out want and scale from what the arrays hold. */
void gemm_reference(struct gemm *g);
/** Compares C with what is wanted, within the bound. */
void gemm_expect(const struct gemm *g);
/** The least sectors of global memory that any product of these sizes needs:
 *  A, B and (with beta) C read once, C written once. */
double gemm_sectors(const struct gemm *g);

/** Calls with random arrays: sizes[i] = {m, n, k}, alpha 1, beta 0. */
void gemm_sizes(gemm_call *call, const int (*sizes)[3], size_t count);
/** Every m and n out of these sides, k going through them as well. */
void gemm_edges(gemm_call *call, const int *sides, size_t count);
/** Infinities and NaNs in rows of A and columns of B reach the elements whose
 *  sums they are in, and no others. */
void gemm_special(gemm_call *call);
/** Inputs from 0 to 1: errors do not cancel. */
void gemm_precise(gemm_call *call);
/** Pointers that only a float's alignment fits, with sides that are multiples
 *  of 16 bytes, and sides that are not. */
void gemm_misaligned(gemm_call *call);
/** The same numbers in another order of threads, others between: the same
 *  bits. */
void gemm_again(gemm_call *call);
/** No device memory stays taken. */
void gemm_frees(gemm_call *call);
/** One large product, whose every element in double would take minutes: some
 *  rows are compared element by element, and all by what a vector of +1 and -1
 *  makes of them.  `call` only makes the call. */
void gemm_sampled(gemm_call *call, int m, int n, int k);

#endif
