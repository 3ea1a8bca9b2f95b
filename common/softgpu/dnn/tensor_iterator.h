/* SPDX-License-Identifier: MIT */
/** @file
 *  Iteration over the elements of several tensors with different strides.
 *  Dimensions that are contiguous in all of them are merged, so that most
 *  iterations are a single loop.
 *
 *      struct dnn_iterator w = {.operands = 2};
 *      dnn_iterator_add_dim(&w, size, strides); ...
 *      for (dnn_iterator_start(&c, &w, NULL, from, to);
 *           dnn_iterator_has_next(&c); dnn_iterator_next(&c))
 *          ... c.at[0], c.at[1] ... */
#ifndef SOFTGPU_DNN_WALK_H
#define SOFTGPU_DNN_WALK_H

#include "dnn.h"

enum { DNN_MAX_OPERANDS = 7 /**< maximum number of tensors */ };

/** The iteration space. */
struct dnn_iterator {
    int operands, dims;         /**< numbers of tensors and dimensions */
    size_t size[CUDNN_DIM_MAX]; /**< of each dimension */
    ptrdiff_t stride[CUDNN_DIM_MAX][DNN_MAX_OPERANDS]; /**< in elements */
};

/** Add an innermost dimension. */
void dnn_iterator_add_dim(struct dnn_iterator *w, size_t size,
                          const ptrdiff_t *stride);
/** The stride of a tensor's dimension; 0 if its size is 1 (broadcast). */
ptrdiff_t dnn_stride(const struct cudnnTensorStruct *t, int dim);
/** Number of elements. */
size_t dnn_iterator_count(const struct dnn_iterator *w);

/** A position in the iteration space. */
struct dnn_cursor {
    const struct dnn_iterator *iterator; /**< the iteration space */
    const ptrdiff_t *base;
    size_t i, end; /**< index, and end of the iteration */
    size_t left;   /**< elements left in the innermost dimension */
    ptrdiff_t at[DNN_MAX_OPERANDS]; /**< index in each tensor */
};

/** Start at element `from`, up to `to`; the offsets in `base` (or 0) are
 *  added. */
void dnn_iterator_start(struct dnn_cursor *c, const struct dnn_iterator *w,
                        const ptrdiff_t *base, size_t from, size_t to);

/** Is there another element? */
static inline bool dnn_iterator_has_next(const struct dnn_cursor *c)
{
    return c->i < c->end;
}

/** Advance to the next element. */
static inline void dnn_iterator_next(struct dnn_cursor *c)
{
    const struct dnn_iterator *w = c->iterator;

    if (--c->left == 0) {
        dnn_iterator_start(c, w, c->base, c->i + 1, c->end);
        return;
    }
    c->i++;
    for (int k = 0; k < w->operands; k++)
        c->at[k] += w->stride[w->dims - 1][k];
}

/** Elements left in the innermost dimension: they have a constant stride. */
static inline size_t dnn_iterator_run(const struct dnn_cursor *c)
{
    return c->left < c->end - c->i ? c->left : c->end - c->i;
}

/** Stride of a tensor along the innermost dimension. */
static inline ptrdiff_t dnn_iterator_stride(const struct dnn_cursor *c,
                                            int operand)
{
    return c->iterator->dims
               ? c->iterator->stride[c->iterator->dims - 1][operand]
               : 1;
}

/** Advance by n elements of the innermost dimension. */
void dnn_iterator_advance(struct dnn_cursor *c, size_t n);

#endif
