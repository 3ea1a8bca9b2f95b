/* SPDX-License-Identifier: MIT */
/** @file
 *  The three sums of lab 11 as products of matrices of which the large one is
 *  never stored: what step 3 brings and step 4 keeps.
 *
 *  | sum | outputs | terms | x is | f is |
 *  | --- | --- | --- | --- | --- |
 *  | forward | n, p, q | c, r, s | x with its rim of zeros | w |
 *  | backward data | n, h, w | k, r, s | y_grad, spread and rimmed | w turned |
 *  | backward filter | c, r, s | n, p, q | x with its rim of zeros | y_grad |
 *
 *  Rims are stored so that no product asks whether it is inside: copies of
 *  about the size of x, where a stored matrix is r s times as large.
 */
#ifndef CONV_LAYER_IMPLICIT_H
#define CONV_LAYER_IMPLICIT_H

#include "gather.h"
#include "slices.h"

/** Planes copied into larger ones: moved, spread apart, zeros between. */
struct rim {
    int planes;        /**< of them */
    int rows, columns; /**< of a plane */
    int top, left;     /**< where the first pixel goes; below 0: lost */
    int apart;         /**< rows and columns from a pixel to the next */
    int tall, wide;    /**< of the larger plane */
};

/** Where a filter's terms are: f[t][k] = from[first + k filter + steps]. */
struct pack {
    long long first;   /**< float */
    long long filter;  /**< floats from a filter to the next */
    long long step[3]; /**< likewise from a plane, row, column of terms */
    long long batch;   /**< likewise from a batch */
};

/** How one of the three sums is done. */
struct plan {
    struct rim rim;       /**< first, of x */
    struct pack pack;     /**< then of f */
    struct gather gather; /**< then the product */
};

/** A thread owns a column of a larger plane.  Grid ceil(columns / 256), block
 *  256: neighbours own neighbours. */
__global__ void add_rim(const float *__restrict__ from, float *__restrict__ to,
                        struct rim g)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int v = i % g.wide - g.left, column = v / g.apart;
    const size_t plane = i / g.wide;
    const bool inside = v >= 0 && v % g.apart == 0 && column < g.columns;
    int row = g.top < 0 ? (g.apart - 1 - g.top) / g.apart : 0;

    if (plane >= (size_t)g.planes) return;
    from += plane * g.rows * g.columns + column;
    to += plane * g.tall * g.wide + i % g.wide;
    for (int u = 0; u < g.tall; u++) {
        const bool is_row = u == g.top + row * g.apart && row < g.rows;
        to[(size_t)u * g.wide] =
            is_row && inside ? from[row * g.columns] : 0;
        row += is_row;
    }
}

/** A thread owns the terms of a column of a plane, and of those a group's
 *  FILTERS neighbours in `to`, zeros past the last filter.
 *  Grid (columns of a batch / 256, groups, batches), block 256. */
__global__ void pack_filters(const float *__restrict__ from,
                             float *__restrict__ to, struct pack p,
                             struct gather g)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int group = blockIdx.y, batch = blockIdx.z;
    const int column = i % g.terms[2], plane = i / g.terms[2];
    const int filters = min(g.filters - group * FILTERS, (int)FILTERS);

    if (plane >= min(g.terms[0], g.planes - batch * g.terms[0])) return;
    from += p.first + batch * p.batch + plane * p.step[0]
            + column * p.step[2] + group * FILTERS * p.filter;
    to += ((size_t)batch * groups_of(g) + group) * terms_of(g) * FILTERS;
    for (int row = 0; row < g.terms[1]; row++) {
        const int t = (plane * g.terms[1] + row) * g.terms[2] + column;
        float own[FILTERS];
#pragma unroll
        for (int k = 0; k < FILTERS; k++)
            own[k] = k < filters ? from[row * p.step[1] + k * p.filter] : 0;
        float4 *quads = (float4 *)(to + (size_t)t * FILTERS);
        quads[0] = make_float4(own[0], own[1], own[2], own[3]);
        quads[1] = make_float4(own[4], own[5], own[6], own[7]);
    }
}

/* Floats, as parts of d_work: each begins on a multiple of 256 bytes. */
static inline size_t rounded(size_t floats)
{
    return tiles_for(floats, 64) * 64;
}

static inline bool needs_rim(const struct rim *g)
{
    return g->top != 0 || g->left != 0 || g->apart != 1 || g->tall != g->rows
           || g->wide != g->columns;
}

static inline size_t rim_size(const struct rim *g)
{
    return needs_rim(g) ? rounded((size_t)g->planes * g->tall * g->wide) : 0;
}

/* Floats that the parts of a sum over images take; 0 if there is one part. */
static inline size_t parts_size(const struct plan *p)
{
    const size_t batches = p->gather.batches;

    return batches > 1 ? rounded(batches * p->gather.y_batch) : 0;
}

static inline size_t plan_size(const struct plan *p)
{
    return rim_size(&p->rim) + rounded(packed_size(p->gather)) + parts_size(p);
}

static inline struct rim rim_of_x(const struct conv_shape *s)
{
    return {s->n * s->c, s->h, s->w, s->pad, s->pad, 1, s->h + 2 * s->pad,
            s->w + 2 * s->pad};
}

static inline struct plan plan_forward(const struct conv_shape *s)
{
    const int rows = conv_rows(s), columns = conv_columns(s);
    const int window = s->r * s->s, pixels = rows * columns;
    struct plan p = {};

    p.rim = rim_of_x(s);
    const long long wide = p.rim.wide, plane = wide * p.rim.tall;
    p.pack = {0, s->c * window, {window, s->s, 1}, 0};
    p.gather = {{s->c, s->r, s->s}, {plane, wide, 1},
                {s->n, rows, columns},
                {s->c * plane, s->stride * wide, s->stride},
                s->k, (long long)s->k * pixels, pixels, 1, 0, 0, s->c};
    return p;
}

/* A filter turned by half a circle, over a y_grad that is as wide as a stride
 * of 1 would have made it. */
static inline struct plan plan_backward_data(const struct conv_shape *s)
{
    const int window = s->r * s->s, pixels = s->h * s->w;
    struct plan p = {};

    p.rim = {s->n * s->k, conv_rows(s), conv_columns(s), s->r - 1 - s->pad,
             s->s - 1 - s->pad, s->stride, s->h + s->r - 1, s->w + s->s - 1};
    const long long wide = p.rim.wide, plane = wide * p.rim.tall;
    p.pack = {window - 1, window, {(long long)s->c * window, -s->s, -1}, 0};
    p.gather = {{s->k, s->r, s->s}, {plane, wide, 1}, {s->n, s->h, s->w},
                {s->k * plane, wide, 1}, s->c, (long long)s->c * pixels,
                pixels, 1, 0, 0, s->k};
    return p;
}

/* Images that one batch of a sum over them takes: up to 64 batches, and parts
 * of 16 MiB; of the shape alone, so that the bits are the same everywhere. */
static inline int images_a_batch(const struct conv_shape *s)
{
    const size_t most = ((size_t)1 << 22) / filter_size(s);
    const size_t batches = most < 1 ? 1 : most < 64 ? most : 64;

    return s->n > 0 ? (int)tiles_for(s->n, batches) : 1;
}

static inline struct plan plan_backward_filter(const struct conv_shape *s)
{
    const int rows = conv_rows(s), columns = conv_columns(s);
    const int window = s->r * s->s, each = images_a_batch(s);
    const long long out = (long long)s->k * rows * columns;
    struct plan p = {};

    p.rim = rim_of_x(s);
    const long long wide = p.rim.wide, plane = wide * p.rim.tall;
    p.pack = {0, rows * columns, {out, columns, 1}, each * out};
    p.gather = {{each, rows, columns},
                {s->c * plane, s->stride * wide, s->stride},
                {s->c, s->r, s->s}, {plane, wide, 1}, s->k, window,
                (long long)s->c * window, (int)tiles_for(s->n, each),
                each * s->c * plane, (long long)filter_size(s), s->n};
    return p;
}

/** Do what is planned.  @param d_out  the sums, or the sum of their parts */
static inline cudaError_t run_plan(const struct plan &p, const float *d_x,
                                   const float *d_f, float *d_out,
                                   float *d_work)
{
    const size_t columns = (size_t)p.rim.planes * p.rim.wide;
    const struct gather &g = p.gather;
    const dim3 grid(
        (unsigned)tiles_for((size_t)g.terms[0] * g.terms[2], THREADS),
        groups_of(g), g.batches);
    float *d_packed = d_work + rim_size(&p.rim);
    float *d_parts = d_packed + rounded(packed_size(g));

    if (needs_rim(&p.rim)) {
        add_rim<<<(unsigned)tiles_for(columns, THREADS), THREADS>>>(
            d_x, d_work, p.rim);
        d_x = d_work;
    }
    pack_filters<<<grid, THREADS>>>(d_f, d_packed, p.pack, g);
    cudaError_t err = CUDA_CHECK(cudaGetLastError());
    if (err || g.batches == 1)
        return err ? err : gather(g, d_x, d_packed, d_out);
    err = gather(g, d_x, d_packed, d_parts);
    if (err) return err;
    return add_slices(d_parts, d_out, g.batches, (int)g.y_batch, false);
}

/** Floats of d_work that the largest of the three plans takes. */
static inline size_t implicit_size(const struct conv_shape *s)
{
    const struct plan plans[] = {plan_forward(s), plan_backward_data(s),
                                 plan_backward_filter(s)};
    size_t most = 0;

    for (const struct plan &p : plans)
        if (plan_size(&p) > most) most = plan_size(&p);
    return most;
}

#endif
