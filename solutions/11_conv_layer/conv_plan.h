/* SPDX-License-Identifier: MIT */
/** @file
 *  The three sums of lab 11 as implicit GEMMs: introduced in step 3, used in
 *  step 4.
 *
 *  | sum | outputs | terms | x is | f is |
 *  | --- | --- | --- | --- | --- |
 *  | forward | n, p, q | c, r, s | padded x | w |
 *  | backward data | n, h, w | k, r, s | dilated, padded y_grad | rotated w |
 *  | backward filter | c, r, s | n, p, q | padded x | y_grad |
 *
 *  The padding is stored, so that the kernel needs no bounds checks: a copy of
 *  about the size of x, where the im2col matrix is r s times as large.
 */
#ifndef CONV_LAYER_CONV_PLAN_H
#define CONV_LAYER_CONV_PLAN_H

#include "implicit_gemm.h"
#include "partial_sums.h"

/** How planes are copied into larger ones: shifted, dilated, with zeros between
 *  and around. */
struct padding {
    int planes;        /**< number of planes */
    int rows, columns; /**< of a plane */
    int top, left;     /**< position of the first pixel; negative: pixels are
                            dropped */
    int dilation;         /**< dilation: rows and columns from a pixel to
                                    the next */
    int padded_rows, padded_columns;    /**< of the padded plane */
};

/** The position of filter elements: f[t][k] = from[first + k * filter + sum of
 *  steps]. */
struct pack {
    long long first;  /**< in floats */
    long long filter; /**< stride from a filter to the next, in floats */
    long long step[3]; /**< strides from a plane, row, column of terms to the
                            next */
    long long batch;   /**< stride from a batch to the next */
};

/** How one of the three sums is computed. */
struct plan {
    struct padding padding;    /**< first, of x */
    struct pack pack;          /**< then, of f */
    struct implicit_gemm gemm; /**< then the multiplication */
};

/** A thread owns a column of a padded plane.  Grid ceil(columns / 256), block
 *  256: consecutive threads own consecutive columns. */
__global__ void pad_planes(const float *__restrict__ from,
                           float *__restrict__ to, struct padding g)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int v = i % g.padded_columns - g.left, column = v / g.dilation;
    const size_t plane = i / g.padded_columns;
    const bool inside = v >= 0 && v % g.dilation == 0 && column < g.columns;
    int row = g.top < 0 ? (g.dilation - 1 - g.top) / g.dilation : 0;

    if (plane >= (size_t)g.planes) return;
    from += plane * g.rows * g.columns + column;
    to += plane * g.padded_rows * g.padded_columns + i % g.padded_columns;
    for (int u = 0; u < g.padded_rows; u++) {
        const bool is_row = u == g.top + row * g.dilation && row < g.rows;
        to[(size_t)u * g.padded_columns] =
            is_row && inside ? from[row * g.columns] : 0;
        row += is_row;
    }
}

/** A thread owns the terms of a column of a plane for a group of FILTER_GROUP
 *  filters, a sector of `to`; zeros after the last filter.  Grid (columns of a
 *  batch / 256, groups, batches), block 256.
 */
__global__ void pack_filters(const float *__restrict__ from,
                             float *__restrict__ to, struct pack p,
                             struct implicit_gemm g)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int first = blockIdx.y * FILTER_GROUP, batch = blockIdx.z;
    const int column = i % g.terms[2], plane = i / g.terms[2];
    const int filters = min(g.filters - first, (int)FILTER_GROUP);

    if (plane >= min(g.terms[0], g.planes - batch * g.terms[0])) return;
    from += p.first + batch * p.batch + plane * p.step[0]
            + column * p.step[2] + first * p.filter;
    to += (size_t)batch * term_count(g) * padded_filters(g) + first;
    for (int row = 0; row < g.terms[1]; row++) {
        const int t = (plane * g.terms[1] + row) * g.terms[2] + column;
        float filter_values[FILTER_GROUP];
#pragma unroll
        for (int k = 0; k < FILTER_GROUP; k++)
            filter_values[k] =
                k < filters ? from[row * p.step[1] + k * p.filter] : 0;
        float4 *vectors = (float4 *)(to + (size_t)t * padded_filters(g));
        vectors[0] = make_float4(filter_values[0], filter_values[1],
                                 filter_values[2], filter_values[3]);
        vectors[1] = make_float4(filter_values[4], filter_values[5],
                                 filter_values[6], filter_values[7]);
    }
}

/* Round up to a multiple of 256 bytes, the alignment of the arrays in d_work.
 */
static inline size_t align_floats(size_t floats)
{
    return ceil_div(floats, 64) * 64;
}

static inline bool needs_padding(const struct padding *g)
{
    return g->top != 0 || g->left != 0 || g->dilation != 1
           || g->padded_rows != g->rows || g->padded_columns != g->columns;
}

static inline size_t padding_floats(const struct padding *g)
{
    return needs_padding(g) ? align_floats((size_t)g->planes * g->padded_rows
                                           * g->padded_columns)
                            : 0;
}

/* Floats of the partial sums over images; 0 if there is one batch. */
static inline size_t partial_floats(const struct plan *p)
{
    const size_t batches = p->gemm.batches;

    return batches > 1 ? align_floats(batches * p->gemm.y_batch_stride) : 0;
}

static inline size_t plan_floats(const struct plan *p)
{
    return padding_floats(&p->padding)
           + align_floats(packed_filter_floats(p->gemm)) + partial_floats(p);
}

static inline struct padding padding_of_x(const struct conv_shape *s)
{
    return {s->n * s->c, s->h, s->w, s->pad, s->pad, 1, s->h + 2 * s->pad,
            s->w + 2 * s->pad};
}

static inline struct plan plan_forward(const struct conv_shape *s)
{
    const int rows = conv_output_rows(s), columns = conv_output_columns(s);
    const int window = s->r * s->s, pixels = rows * columns;
    struct plan p = {};

    p.padding = padding_of_x(s);
    const long long padded_columns = p.padding.padded_columns,
                    plane = padded_columns * p.padding.padded_rows;
    p.pack = {0, s->c * window, {window, s->s, 1}, 0};
    p.gemm = {{s->c, s->r, s->s}, {plane, padded_columns, 1},
                {s->n, rows, columns},
                {s->c * plane, s->stride * padded_columns, s->stride},
                s->k, (long long)s->k * pixels, pixels, 1, 0, 0, s->c, false};
    return p;
}

/* Rotated filters over a y_grad that is dilated to the size of stride 1. */
static inline struct plan plan_backward_data(const struct conv_shape *s)
{
    const int window = s->r * s->s, pixels = s->h * s->w;
    struct plan p = {};

    p.padding = {s->n * s->k,       conv_output_rows(s), conv_output_columns(s),
                 s->r - 1 - s->pad, s->s - 1 - s->pad,   s->stride,
                 s->h + s->r - 1,   s->w + s->s - 1};
    const long long padded_columns = p.padding.padded_columns,
                    plane = padded_columns * p.padding.padded_rows;
    p.pack = {window - 1, window, {(long long)s->c * window, -s->s, -1}, 0};
    p.gemm = {{s->k, s->r, s->s},
              {plane, padded_columns, 1},
              {s->n, s->h, s->w},
              {s->k * plane, padded_columns, 1},
              s->c,
              (long long)s->c * pixels,
              pixels,
              1,
              0,
              0,
              s->k,
              false};
    return p;
}

/* Images per batch of a sum over images: at most 64 batches, and partial sums
 * of at most 16 MiB. Depends only on the shape, so that the result is the same
 * on all GPUs. */
static inline int images_per_batch(const struct conv_shape *s)
{
    const size_t max_batches = ((size_t)1 << 22) / filter_floats(s);
    const size_t batches = max_batches < 1    ? 1
                           : max_batches < 64 ? max_batches
                                             : 64;

    return s->n > 0 ? (int)ceil_div(s->n, batches) : 1;
}

static inline struct plan plan_backward_filter(const struct conv_shape *s)
{
    const int rows = conv_output_rows(s), columns = conv_output_columns(s);
    const int window = s->r * s->s, each = images_per_batch(s);
    const long long out = (long long)s->k * rows * columns;
    struct plan p = {};

    p.padding = padding_of_x(s);
    const long long padded_columns = p.padding.padded_columns,
                    plane = padded_columns * p.padding.padded_rows;
    p.pack = {0, rows * columns, {out, columns, 1}, each * out};
    p.gemm = {{each, rows, columns},
                {s->c * plane, s->stride * padded_columns, s->stride},
                {s->c, s->r, s->s}, {plane, padded_columns, 1}, s->k, window,
                (long long)s->c * window, (int)ceil_div(s->n, each),
                each * s->c * plane, (long long)filter_floats(s), s->n, false};
    return p;
}

/** Execute a plan.
 *  @param d_out  the sums; with several batches the sum of their partial sums
 */
static inline cudaError_t run_plan(const struct plan &p, const float *d_x,
                                   const float *d_f, float *d_out,
                                   float *d_work)
{
    const size_t columns = (size_t)p.padding.planes * p.padding.padded_columns;
    const struct implicit_gemm &g = p.gemm;
    const dim3 grid(
        (unsigned)ceil_div((size_t)g.terms[0] * g.terms[2], THREADS),
        padded_filters(g) / FILTER_GROUP, g.batches);
    float *d_packed = d_work + padding_floats(&p.padding);
    float *d_partials = d_packed + align_floats(packed_filter_floats(g));

    if (needs_padding(&p.padding)) {
        pad_planes<<<(unsigned)ceil_div(columns, THREADS), THREADS>>>(
            d_x, d_work, p.padding);
        d_x = d_work;
    }
    pack_filters<<<grid, THREADS>>>(d_f, d_packed, p.pack, g);
    cudaError_t err = CUDA_CHECK(cudaGetLastError());
    if (err || g.batches == 1)
        return err ? err : launch_implicit_gemm(g, d_x, d_packed, d_out);
    err = launch_implicit_gemm(g, d_x, d_packed, d_partials);
    if (err) return err;
    return launch_reduce_partials(d_partials, d_out, g.batches,
                                  (int)g.y_batch_stride, false);
}

/** Floats of d_work for the largest of the three plans. */
static inline size_t implicit_gemm_floats(const struct conv_shape *s)
{
    const struct plan plans[] = {plan_forward(s), plan_backward_data(s),
                                 plan_backward_filter(s)};
    size_t largest = 0;

    for (const struct plan &p : plans)
        if (plan_floats(&p) > largest) largest = plan_floats(&p);
    return largest;
}

#endif
