/* SPDX-License-Identifier: MIT */
/* Strips; see strip.h.  Contiguous floats have a loop without branches, which
 * the compiler vectorizes. */
#include "strip.h"

/* The address of a strip of contiguous floats, or NULL. */
static float *contiguous_floats(const struct dnn_strip *p)
{
    const bool are = p->of->tensor.type == CUDNN_DATA_FLOAT && p->stride == 1;

    return are ? (float *)p->of->ptr + p->at : NULL;
}

DNN_VECTORIZE
void dnn_load_strip(double *to, const struct dnn_strip *from, size_t n)
{
    const cudnnDataType_t type = from->of->tensor.type;
    const float *const x = contiguous_floats(from);

    if (x) {
        for (size_t i = 0; i < n; i++)
            to[i] = (double)x[i];
    } else if (from->stride == 0) {
        const double same = dnn_load_element(from->of->ptr, type, from->at);

        for (size_t i = 0; i < n; i++)
            to[i] = same;
    } else {
        for (size_t i = 0; i < n; i++)
            to[i] = dnn_load_element(from->of->ptr, type,
                                     from->at + (ptrdiff_t)i * from->stride);
    }
}

/* Store with any type and stride. */
static void store_strided(const struct dnn_strip *to, const double *from,
                          size_t n, double alpha, double beta)
{
    void *const p = to->of->ptr;
    const cudnnDataType_t type = to->of->tensor.type;

    for (size_t i = 0; i < n; i++) {
        const ptrdiff_t at = to->at + (ptrdiff_t)i * to->stride;
        double y = alpha * from[i];

        if (beta != 0)
            y += beta * dnn_load_element(p, type, at);
        dnn_store_element(p, type, at, y);
    }
}

DNN_VECTORIZE
void dnn_store_strip(const struct dnn_strip *to, const double *from, size_t n,
                     double alpha, double beta)
{
    float *const y = contiguous_floats(to);

    if (!y) {
        store_strided(to, from, n, alpha, beta);
    } else if (beta == 0) {
        for (size_t i = 0; i < n; i++)
            y[i] = (float)(alpha * from[i]);
    } else {
        for (size_t i = 0; i < n; i++)
            y[i] = (float)(alpha * from[i] + beta * (double)y[i]);
    }
}
