/* SPDX-License-Identifier: MIT */
/** @file
 *  Strip mining: a strip of elements with a constant stride is converted to
 *  double, processed in a simple loop that the compiler vectorizes, and
 *  stored.  The results are those of element-by-element processing. */
#ifndef SOFTGPU_DNN_STRIP_H
#define SOFTGPU_DNN_STRIP_H

#include "dnn.h"

enum { DNN_STRIP_ELEMENTS = 256 /**< elements per strip */ };

/** Attribute of functions with such a loop. */
#if defined __GNUC__ && !defined __clang__
#define DNN_VECTORIZE __attribute__((optimize("O3")))
#else
#define DNN_VECTORIZE
#endif

/** Location of a strip. */
struct dnn_strip {
    const struct dnn_argument *of; /**< the tensor */
    ptrdiff_t at;                  /**< index of its first element */
    ptrdiff_t stride;              /**< elements between neighbors; 0: the same
                                        element */
};

/** Load n elements as doubles. */
void dnn_load_strip(double *to, const struct dnn_strip *from, size_t n);
/** destination = alpha * from + beta * destination; not read if beta is 0. */
void dnn_store_strip(const struct dnn_strip *to, const double *from, size_t n,
                     double alpha, double beta);

#endif
