/* SPDX-License-Identifier: MIT */
/** @file
 *  Products of matrices whose terms are others, as usual mistakes make them.
 */
#ifndef GRADER_SUITES_GEMM_TERMS_H
#define GRADER_SUITES_GEMM_TERMS_H

#include "gemm.h"

/** A product whose terms are others. */
struct gemm_term_mistake {
    const char *text; /**< with the number of terms, or the tile's side */
    const char *hint; /**< or NULL */
    /** The product p of row i, column j; NAN outside of the arrays. */
    double (*term)(const struct gemm *g, size_t i, size_t j, size_t p,
                   size_t tile);
    enum { NO_TILE, REST, LAST, FIRST, SIDE, BFLOAT16_BITS = 8,
           HALF_BITS = 11 } number; /**< of the text */
};

/** All of them but those below; the last one has no text. */
extern const struct gemm_term_mistake gemm_term_mistakes[];

/** The expected value with another sum of the terms in place of the right one.
 *  What beta C adds to an infinite one is not known: HYPOTHESIS_ANY. */
double gemm_with_sum(const struct gemm *g, double want, double right,
                     double sum);
/** The right term. */
double gemm_product(const struct gemm *g, size_t i, size_t j, size_t p);
/** The terms of the first tile only. */
double gemm_only_first_tile(const struct gemm *g, size_t i, size_t j, size_t p,
                            size_t tile);
/** Of four terms that a float4 loads, `member` is not used. */
double gemm_quarter_lost(const struct gemm *g, size_t i, size_t j, size_t p,
                         size_t member);
/** Only each first term of a group of so many. */
double gemm_first_of_group(const struct gemm *g, size_t i, size_t j, size_t p,
                           size_t group);

#endif
