/* SPDX-License-Identifier: MIT */
/** @file
 *  Visiting the elements of several tensors at once, each with strides of its
 *  own.  Dimensions that lie behind each other in all of them become one, so
 *  that most walks are a single loop.
 *
 *      struct dnn_walk w = {.operands = 2};
 *      dnn_walk_tensors(&w, shape, tensors...);
 *      for (dnn_walk_start(&c, &w, NULL, from, to); dnn_walk_more(&c);
 *           dnn_walk_next(&c))
 *          ... c.at[0], c.at[1] ...
 */
#ifndef SOFTGPU_DNN_WALK_H
#define SOFTGPU_DNN_WALK_H

#include "dnn.h"

enum { DNN_OPERANDS = 7 /**< most tensors that are walked together */ };

/** A box of elements. */
struct dnn_walk {
    int operands, dims;
    size_t size[CUDNN_DIM_MAX];
    ptrdiff_t stride[CUDNN_DIM_MAX][DNN_OPERANDS];
};

/** Add a dimension inside those there are. */
void dnn_walk_add(struct dnn_walk *w, size_t size, const ptrdiff_t *stride);
/** The stride of a tensor's dimension; 0 where it has but one element. */
ptrdiff_t dnn_stride(const struct cudnnTensorStruct *t, int dim);
/** How many elements. */
size_t dnn_walk_count(const struct dnn_walk *w);

/** An element of a walk. */
struct dnn_cursor {
    const struct dnn_walk *walk;
    const ptrdiff_t *base;
    size_t i, end;             /**< its number, and where to stop */
    size_t left;               /**< in the innermost dimension */
    ptrdiff_t at[DNN_OPERANDS]; /**< its index in each tensor */
};

/** Go to element `from` of those before `to`; the indices of `base` (or 0) are
 *  added. */
void dnn_walk_start(struct dnn_cursor *c, const struct dnn_walk *w,
                    const ptrdiff_t *base, size_t from, size_t to);

/** Whether there is an element. */
static inline bool dnn_walk_more(const struct dnn_cursor *c)
{
    return c->i < c->end;
}

/** Go to the next one. */
static inline void dnn_walk_next(struct dnn_cursor *c)
{
    const struct dnn_walk *w = c->walk;

    if (--c->left == 0) {
        dnn_walk_start(c, w, c->base, c->i + 1, c->end);
        return;
    }
    c->i++;
    for (int k = 0; k < w->operands; k++)
        c->at[k] += w->stride[w->dims - 1][k];
}

/** How many elements lie ahead in the innermost dimension: a straight run. */
static inline size_t dnn_walk_run(const struct dnn_cursor *c)
{
    return c->left < c->end - c->i ? c->left : c->end - c->i;
}

/** The step of a tensor's index along such a run. */
static inline ptrdiff_t dnn_walk_step(const struct dnn_cursor *c, int operand)
{
    return c->walk->dims ? c->walk->stride[c->walk->dims - 1][operand] : 1;
}

/** Go on by n elements of the run ahead. */
void dnn_walk_skip(struct dnn_cursor *c, size_t n);

#endif
