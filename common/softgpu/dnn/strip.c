/* SPDX-License-Identifier: MIT */
/* Strips; see strip.h.  Floats that lie side by side have a loop of their own,
 * without a decision inside. */
#include "strip.h"

/* The floats of a strip that lie side by side, or NULL. */
static float *floats(const struct dnn_place *p)
{
    const bool are = p->of->tensor.type == CUDNN_DATA_FLOAT && p->stride == 1;

    return are ? (float *)p->of->ptr + p->at : NULL;
}

DNN_LOOP
void dnn_load(double *to, const struct dnn_place *from, size_t n)
{
    const cudnnDataType_t type = from->of->tensor.type;
    const float *const x = floats(from);

    if (x) {
        for (size_t i = 0; i < n; i++)
            to[i] = (double)x[i];
    } else if (from->stride == 0) {
        const double same = dnn_get(from->of->ptr, type, from->at);

        for (size_t i = 0; i < n; i++)
            to[i] = same;
    } else {
        for (size_t i = 0; i < n; i++)
            to[i] = dnn_get(from->of->ptr, type,
                            from->at + (ptrdiff_t)i * from->stride);
    }
}

/* Any type, any stride. */
static void store_any(const struct dnn_place *to, const double *from, size_t n,
                      double alpha, double beta)
{
    void *const p = to->of->ptr;
    const cudnnDataType_t type = to->of->tensor.type;

    for (size_t i = 0; i < n; i++) {
        const ptrdiff_t at = to->at + (ptrdiff_t)i * to->stride;
        double y = alpha * from[i];

        if (beta != 0)
            y += beta * dnn_get(p, type, at);
        dnn_put(p, type, at, y);
    }
}

DNN_LOOP
void dnn_store(const struct dnn_place *to, const double *from, size_t n,
               double alpha, double beta)
{
    float *const y = floats(to);

    if (!y) {
        store_any(to, from, n, alpha, beta);
    } else if (beta == 0) {
        for (size_t i = 0; i < n; i++)
            y[i] = (float)(alpha * from[i]);
    } else {
        for (size_t i = 0; i < n; i++)
            y[i] = (float)(alpha * from[i] + beta * (double)y[i]);
    }
}
