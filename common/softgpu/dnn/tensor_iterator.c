/* SPDX-License-Identifier: MIT */
/* See tensor_iterator.h. */
#include "tensor_iterator.h"

/* Is a new innermost dimension contiguous with the last one in all operands? */
static bool is_contiguous_with(const struct dnn_iterator *w, size_t size,
                               const ptrdiff_t *stride)
{
    for (int k = 0; k < w->operands; k++)
        if (w->stride[w->dims - 1][k] != (ptrdiff_t)size * stride[k])
            return false;
    return true;
}

void dnn_iterator_add_dim(struct dnn_iterator *w, size_t size,
                          const ptrdiff_t *stride)
{
    const bool is_merged = w->dims && is_contiguous_with(w, size, stride);
    const int d = is_merged ? w->dims - 1 : w->dims;

    if (size == 1)
        return;
    w->size[d] = is_merged ? w->size[d] * size : size;
    for (int k = 0; k < w->operands; k++)
        w->stride[d][k] = stride[k];
    w->dims = d + 1;
}

ptrdiff_t dnn_stride(const struct cudnnTensorStruct *t, int dim)
{
    return dim < t->dims && t->size[dim] > 1 ? t->stride[dim] : 0;
}

size_t dnn_iterator_count(const struct dnn_iterator *w)
{
    size_t n = 1;

    for (int d = 0; d < w->dims; d++)
        n *= w->size[d];
    return n;
}

void dnn_iterator_start(struct dnn_cursor *c, const struct dnn_iterator *w,
                        const ptrdiff_t *base, size_t from, size_t to)
{
    size_t remaining = from;

    c->iterator = w;
    c->base = base;
    c->i = from;
    c->end = to;
    c->left = w->dims ? w->size[w->dims - 1] - from % w->size[w->dims - 1] : 1;
    for (int k = 0; k < w->operands; k++)
        c->at[k] = base ? base[k] : 0;
    for (int d = w->dims - 1; d >= 0; d--) {
        const ptrdiff_t i = (ptrdiff_t)(remaining % w->size[d]);

        remaining /= w->size[d];
        for (int k = 0; k < w->operands; k++)
            c->at[k] += i * w->stride[d][k];
    }
}

void dnn_iterator_advance(struct dnn_cursor *c, size_t n)
{
    if (n == c->left) {
        dnn_iterator_start(c, c->iterator, c->base, c->i + n, c->end);
        return;
    }
    c->i += n;
    c->left -= n;
    for (int k = 0; k < c->iterator->operands; k++)
        c->at[k] += (ptrdiff_t)n * dnn_iterator_stride(c, k);
}
