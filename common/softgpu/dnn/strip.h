/* SPDX-License-Identifier: MIT */
/** @file
 *  Strips: a few elements of a tensor, a stride apart, brought to doubles and
 *  back.  What is done to them between is a plain loop, that the compiler makes
 *  vectors of; the bits are those of one element after the other.
 */
#ifndef SOFTGPU_DNN_STRIP_H
#define SOFTGPU_DNN_STRIP_H

#include "dnn.h"

enum { DNN_STRIP = 256 /**< elements that are worked on at once */ };

/** For functions that are such a loop. */
#if defined __GNUC__ && !defined __clang__
#define DNN_LOOP __attribute__((optimize("O3")))
#else
#define DNN_LOOP
#endif

/** Where a strip lies. */
struct dnn_place {
    const struct dnn_argument *of; /**< the tensor */
    ptrdiff_t at;                  /**< its first element */
    ptrdiff_t stride;              /**< from one to the next; 0: all the same */
};

/** Bring n elements to doubles. */
void dnn_load(double *to, const struct dnn_place *from, size_t n);
/** to = alpha from + beta to; a beta of 0 does not read. */
void dnn_store(const struct dnn_place *to, const double *from, size_t n,
               double alpha, double beta);

#endif
