/* SPDX-License-Identifier: MIT */
/** @file
 *  Shared by the suites of the matrix products: inputs, the product in double
 *  with its error bound, and sizes at which kernels fail.
 *
 *  The error bound is the classical one: a sum of k products in any order,
 *  each operation rounded once, is within about k * 2^-24 * sum |a b| of the
 *  exact sum, with two more roundings for beta * C.  A sum in half precision
 *  is off by 2^-12 * sum |a b| and more, so k stays far below 4,096 here.
 */
#ifndef GRADER_SUITES_GEMM_H
#define GRADER_SUITES_GEMM_H

#include "grader/suite/suite.h"

/** A call: C = alpha A B + beta C. */
struct gemm {
    int m, n, k;           /**< C is m x n, A is m x k, B is k x n */
    float alpha, beta;     /**< as in BLAS */
    size_t misalign_a, misalign_b,
        misalign_c; /**< misalignment of the pointers, in bytes */
    float *a, *b, *c;      /**< host; C before the call, then after it */
    double *want, *scale;  /**< for each element of C: the expected value,
                                and the scale of its error bound */
    const void *argument_a, *argument_b; /**< A and B as the call gets them;
                                              NULL: as they are */
    void (*encode)(const float *values, size_t n, void *argument); /**< so
                                they are made, of 16 bits; NULL: floats */
    unsigned most_exact;   /**< whole number, where there is `encode` */
    mistakes *mistakes;    /**< of this lab and gemm_mistakes(); NULL:
                                only these */
};

/** Sides of a matrix of 6 * 2^30 elements and some: a third of them lies beyond
 *  the 2^32nd, and rows are no whole float4. */
enum { GEMM_HUGE_ROWS = 98304, GEMM_HUGE_COLUMNS = 65537 };

/** Makes the call that `g` describes; a lab's suite defines it. */
typedef void gemm_call(struct gemm *g);

/** Elements of a matrix. */
static inline size_t gemm_elements(int rows, int cols)
{
    return (size_t)rows * (size_t)cols;
}

/** Allocate the arrays for g's sizes, all elements 0. */
void gemm_create_arrays(struct gemm *g);
/** Allocate the arrays for g's sizes and fill them: values of both signs with
 *  magnitudes from 2^-20 to 2^20; C is NaN where beta is 0. */
void gemm_create_random(struct gemm *g);
/** Compute `want` and `scale` from the arrays. */
void gemm_reference(struct gemm *g);
/** Compare C with `want` within the error bound. */
void gemm_compare(const struct gemm *g);
/** Minimum sectors of global memory for these sizes: A, B and (with beta) C
 *  are loaded once, C is stored once. */
double gemm_min_sectors(const struct gemm *g);

/** Calls with random arrays: sizes[i] = {m, n, k}, alpha 1, beta 0. */
void gemm_test_sizes(gemm_call *call, const int (*sizes)[3], size_t count);
/** One column of 20,001 rows, then, with k = 0 to be fast, one of more rows
 *  than 65,535 tiles cover, of at most `most` rows each. */
void gemm_test_column(gemm_call *call, int most);
/** Calls with all pairs of m and n from `sides`; k takes all of them as
 *  well. */
void gemm_test_edges(gemm_call *call, const int *sides, size_t count);
/** Infinities, NaN and zeros in rows of A and columns of B must propagate to
 *  the elements that depend on them, and to no other. */
void gemm_test_nonfinite(gemm_call *call);
/** The same for these sizes, {m, n, k}, in each of which some row has them in
 *  each term. */
void gemm_test_special_terms(gemm_call *call, const int (*sizes)[3],
                             size_t count);
/** Inputs from 0 to 1: rounding errors do not cancel. */
void gemm_test_precision(gemm_call *call);
/** Pointers aligned to 4 bytes only, with rows that are multiples of 16 bytes
 *  and rows that are not. */
void gemm_test_misaligned(gemm_call *call);
/** Small watched calls, each with one matrix misaligned.  A compiler may split
 *  a misaligned load of a vector, and only the sanitizer then sees it. */
void gemm_test_one_misaligned(gemm_call *call);
/** The same inputs must give the same bits, in another order of threads and
 *  after calls with other inputs. */
void gemm_test_deterministic(gemm_call *call);
/** The same with beta = -1: two parts that are added to 0 give the same bits in
 *  both orders, added to another C they do not. */
void gemm_test_deterministic_beta(gemm_call *call);
/** The call must free all device memory that it allocates. */
void gemm_test_no_leak(gemm_call *call);
/** One large product.  The reference of every element would take minutes, so
 *  some rows are compared element by element, and all rows by the product of C
 *  and a vector of +1 and -1.
 *  @param call  only makes the call, without a comparison */
void gemm_test_sampled(gemm_call *call, int m, int n, int k);

#endif
