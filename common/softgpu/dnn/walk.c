/* SPDX-License-Identifier: MIT */
/* Walks; see walk.h. */
#include "walk.h"

/* Whether a dimension inside the last one only goes on where that stopped. */
static bool goes_on(const struct dnn_walk *w, size_t size,
                    const ptrdiff_t *stride)
{
    for (int k = 0; k < w->operands; k++)
        if (w->stride[w->dims - 1][k] != (ptrdiff_t)size * stride[k])
            return false;
    return true;
}

void dnn_walk_add(struct dnn_walk *w, size_t size, const ptrdiff_t *stride)
{
    const bool joins = w->dims && goes_on(w, size, stride);
    const int d = joins ? w->dims - 1 : w->dims;

    if (size == 1)
        return;
    w->size[d] = joins ? w->size[d] * size : size;
    for (int k = 0; k < w->operands; k++)
        w->stride[d][k] = stride[k];
    w->dims = d + 1;
}

ptrdiff_t dnn_stride(const struct cudnnTensorStruct *t, int dim)
{
    return dim < t->dims && t->size[dim] > 1 ? t->stride[dim] : 0;
}

size_t dnn_walk_count(const struct dnn_walk *w)
{
    size_t n = 1;

    for (int d = 0; d < w->dims; d++)
        n *= w->size[d];
    return n;
}

void dnn_walk_start(struct dnn_cursor *c, const struct dnn_walk *w,
                    const ptrdiff_t *base, size_t from, size_t to)
{
    size_t rest = from;

    c->walk = w;
    c->base = base;
    c->i = from;
    c->end = to;
    c->left = w->dims ? w->size[w->dims - 1] - from % w->size[w->dims - 1] : 1;
    for (int k = 0; k < w->operands; k++)
        c->at[k] = base ? base[k] : 0;
    for (int d = w->dims - 1; d >= 0; d--) {
        const ptrdiff_t i = (ptrdiff_t)(rest % w->size[d]);

        rest /= w->size[d];
        for (int k = 0; k < w->operands; k++)
            c->at[k] += i * w->stride[d][k];
    }
}

void dnn_walk_skip(struct dnn_cursor *c, size_t n)
{
    if (n == c->left) {
        dnn_walk_start(c, c->walk, c->base, c->i + n, c->end);
        return;
    }
    c->i += n;
    c->left -= n;
    for (int k = 0; k < c->walk->operands; k++)
        c->at[k] += (ptrdiff_t)n * dnn_walk_step(c, k);
}
