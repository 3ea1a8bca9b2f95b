/* SPDX-License-Identifier: MIT */
/** @file
 *  Winograd's F(2x2, 3x3): 4 outputs of a 3 x 3 filter for 16 products instead
 *  of 36.
 *
 *  A tile is 4 x 4 inputs, 2 x 2 outputs.  With B, G, A of the paper (Lavin and
 *  Gray, 2015) a tile's outputs are A' ((G w G') . (B' x B)) A, the dot being
 *  element by element; summed over channels that is 16 products of matrices,
 *  one for each place in the tile.
 */
#ifndef CONV_LAYER_WINOGRAD_H
#define CONV_LAYER_WINOGRAD_H

#include "gather.h"

enum { PLACES = 16 }; /* of a tile's 4 x 4 */

/** A layer in tiles; backward data is one too, with the filters turned. */
struct winograd {
    int images, in, out;   /**< channels in and out */
    int h, w;              /**< of a plane in */
    int rows, columns;     /**< of a plane out */
    int pad;               /**< rows and columns before x; below 0: lost */
    int down, across;      /**< tiles of a plane */
    long long first;       /**< where the filters begin, floats */
    long long filter;      /**< floats from an output's filter to the next */
    long long plane;       /**< likewise from an input's plane */
    int row, column;       /**< likewise from a row, a column */
};

/** Tiles of all images. */
__host__ __device__ static inline int tiles_of(const struct winograd &g)
{
    return g.images * g.down * g.across;
}

/** One line of B' x: four numbers of a tile's row or column. */
__device__ static inline void turn_input(const float from[4], float to[4])
{
    to[0] = from[0] - from[2];
    to[1] = from[1] + from[2];
    to[2] = from[2] - from[1];
    to[3] = from[1] - from[3];
}

/** One line of G w. */
__device__ static inline void turn_filter(const float from[3], float to[4])
{
    const float ends = 0.5f * (from[0] + from[2]), middle = 0.5f * from[1];

    to[0] = from[0];
    to[1] = ends + middle;
    to[2] = ends - middle;
    to[3] = from[2];
}

/** One line of A' m. */
__device__ static inline void turn_output(const float from[4], float to[2])
{
    to[0] = from[0] + from[1] + from[2];
    to[1] = from[1] - from[2] - from[3];
}

/** A thread owns a tile of a channel: to[place][channel][tile].
 *
 *  Grid (tiles / 256, channels), block 256.  Each input is read four times, as
 *  the tiles overlap, and each of the 16 writes of a warp is dense.
 */
__global__ void turn_inputs(const float *__restrict__ x,
                            float *__restrict__ to, struct winograd g)
{
    const int tiles = tiles_of(g), channel = blockIdx.y;
    const int tile = blockIdx.x * blockDim.x + threadIdx.x;
    const int left = tile % g.across * 2 - g.pad;
    const int top = tile / g.across % g.down * 2 - g.pad;
    float part[4][4], line[4], turned[4];

    if (tile >= tiles) return;
    x += ((size_t)(tile / g.across / g.down) * g.in + channel) * g.h * g.w;
#pragma unroll
    for (int i = 0; i < 4; i++) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int u = top + i, v = left + j;
            const bool inside = u >= 0 && u < g.h && v >= 0 && v < g.w;
            line[j] = inside ? x[u * g.w + v] : 0;
        }
        turn_input(line, part[i]);
    }
    to += (size_t)channel * tiles + tile;
#pragma unroll
    for (int j = 0; j < 4; j++) {
#pragma unroll
        for (int i = 0; i < 4; i++)
            line[i] = part[i][j];
        turn_input(line, turned);
#pragma unroll
        for (int i = 0; i < 4; i++)
            to[(size_t)(i * 4 + j) * g.in * tiles] = turned[i];
    }
}

/** A thread owns one filter's plane: to[place][group][channel][FILTERS], zeros
 *  past the last filter.  Grid (groups * FILTERS / 256, channels), block 256.
 */
__global__ void turn_filters(const float *__restrict__ w,
                             float *__restrict__ to, struct winograd g)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x, channel = blockIdx.y;
    const int padded = (g.out + FILTERS - 1) / FILTERS * FILTERS;
    float part[3][4], line[3], turned[4];

    if (k >= padded) return;
    w += g.first + k * g.filter + channel * g.plane;
#pragma unroll
    for (int i = 0; i < 3; i++) {
#pragma unroll
        for (int j = 0; j < 3; j++)
            line[j] = k < g.out ? w[i * g.row + j * g.column] : 0;
        turn_filter(line, part[i]);
    }
    to += ((size_t)(k / FILTERS) * g.in + channel) * FILTERS + k % FILTERS;
#pragma unroll
    for (int j = 0; j < 4; j++) {
#pragma unroll
        for (int i = 0; i < 3; i++)
            line[i] = part[i][j];
        turn_filter(line, turned);
#pragma unroll
        for (int i = 0; i < 4; i++)
            to[(size_t)(i * 4 + j) * g.in * padded] = turned[i];
    }
}

/** A thread owns a tile of an output channel, from[place][filter][tile], and
 *  writes its up to four pixels.  Grid (tiles / 256, filters), block 256. */
__global__ void turn_outputs(const float *__restrict__ from,
                             float *__restrict__ y, struct winograd g)
{
    const int tiles = tiles_of(g), k = blockIdx.y;
    const int tile = blockIdx.x * blockDim.x + threadIdx.x;
    const int q = tile % g.across * 2, p = tile / g.across % g.down * 2;
    float part[4][2], line[4], pixel[2];

    if (tile >= tiles) return;
    from += (size_t)k * tiles + tile;
#pragma unroll
    for (int i = 0; i < 4; i++) {
#pragma unroll
        for (int j = 0; j < 4; j++)
            line[j] = from[(size_t)(i * 4 + j) * g.out * tiles];
        turn_output(line, part[i]);
    }
    y += ((size_t)(tile / g.across / g.down) * g.out + k) * g.rows * g.columns;
#pragma unroll
    for (int j = 0; j < 2; j++) {
#pragma unroll
        for (int i = 0; i < 4; i++)
            line[i] = part[i][j];
        turn_output(line, pixel);
#pragma unroll
        for (int i = 0; i < 2; i++)
            if (p + i < g.rows && q + j < g.columns)
                y[(p + i) * g.columns + q + j] = pixel[i];
    }
}

/** Worth it: enough channels that the products outweigh the turning. */
static inline bool suits_winograd(const struct conv_shape *s)
{
    return s->r == 3 && s->s == 3 && s->stride == 1 && s->c >= 64
           && s->k >= 64;
}

static inline struct winograd winograd_forward(const struct conv_shape *s)
{
    const int rows = conv_rows(s), columns = conv_columns(s);

    return {s->n, s->c, s->k, s->h, s->w, rows, columns, s->pad,
            (rows + 1) / 2, (columns + 1) / 2, 0, 9LL * s->c, 9, 3, 1};
}

static inline struct winograd winograd_backward(const struct conv_shape *s)
{
    return {s->n, s->k, s->c, conv_rows(s), conv_columns(s), s->h, s->w,
            2 - s->pad, (s->h + 1) / 2, (s->w + 1) / 2, 8, 9, 9LL * s->c,
            -3, -1};
}

/* The 16 products, of the tiles of g.images images. */
static inline struct gather products_of(const struct winograd &g)
{
    const int tiles = tiles_of(g);

    return {{g.in, 1, 1}, {tiles, 0, 0}, {1, 1, tiles}, {0, 0, 1}, g.out, 0,
            tiles, PLACES, (long long)g.in * tiles, (long long)g.out * tiles,
            PLACES * g.in};
}

/* Images at a time: so that what is turned takes 32 MiB, but one at least. */
static inline int winograd_share(const struct winograd &g)
{
    const size_t most = ((size_t)1 << 23) / PLACES / (g.in + g.out)
                        / ((size_t)g.down * g.across);

    return most < 1 ? 1 : most < (size_t)g.images ? (int)most : g.images;
}

/** Floats of d_work. */
static inline size_t winograd_size(struct winograd g)
{
    g.images = winograd_share(g);
    return packed_size(products_of(g))
           + (size_t)PLACES * (g.in + g.out) * tiles_of(g);
}

/* As many images as d_work takes: turn, multiply, turn back. */
static inline cudaError_t winograd_some(const struct winograd &g,
                                        const float *d_x, float *d_y,
                                        float *d_work)
{
    const struct gather products = products_of(g);
    const unsigned blocks = (unsigned)tiles_for(tiles_of(g), THREADS);
    float *d_in = d_work + packed_size(products);
    float *d_out = d_in + (size_t)PLACES * g.in * tiles_of(g);

    turn_inputs<<<dim3(blocks, g.in), THREADS>>>(d_x, d_in, g);
    cudaError_t err = gather(products, d_in, d_work, d_out);
    if (err) return err;
    turn_outputs<<<dim3(blocks, g.out), THREADS>>>(d_out, d_y, g);
    return CUDA_CHECK(cudaGetLastError());
}

/** y from x and w, device pointers, by the plan g. */
static inline cudaError_t run_winograd(const struct winograd &g,
                                       const float *d_x, const float *d_w,
                                       float *d_y, float *d_work)
{
    const unsigned padded = groups_of(products_of(g)) * FILTERS;
    const size_t in = (size_t)g.in * g.h * g.w;
    const size_t out = (size_t)g.out * g.rows * g.columns;
    const dim3 grid((unsigned)tiles_for(padded, THREADS), g.in);

    turn_filters<<<grid, THREADS>>>(d_w, d_work, g);
    cudaError_t err = CUDA_CHECK(cudaGetLastError());
    for (int i = 0; !err && i < g.images; i += winograd_share(g)) {
        struct winograd part = g;
        const int rest = g.images - i, most = winograd_share(g);
        part.images = rest < most ? rest : most;
        err = winograd_some(part, d_x + i * in, d_y + i * out, d_work);
    }
    return err;
}

#endif
