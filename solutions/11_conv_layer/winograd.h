/* SPDX-License-Identifier: MIT */
/** @file
 *  Winograd's F(2x2, 3x3): 4 outputs of a 3 x 3 filter with 16 multiplications
 *  instead of 36.
 *
 *  A tile has 4 x 4 inputs and 2 x 2 outputs.  With the matrices B, G, A of the
 *  paper (Lavin and Gray, 2015) the outputs of a tile are A' ((G w G') . (B' x
 *  B)) A, where the dot multiplies element by element.  Summed over channels
 *  these are 16 matrix multiplications, one for each element of the tile.
 */
#ifndef CONV_LAYER_WINOGRAD_H
#define CONV_LAYER_WINOGRAD_H

#include "implicit_gemm.h"

enum { TILE_ELEMENTS = 16 }; /* the 4 x 4 elements of a tile */

/** A layer in tiles.  Backward data is one as well, with rotated filters. */
struct winograd {
    int images, in, out; /**< input and output channels */
    int h, w;            /**< of an input plane */
    int rows, columns;   /**< of an output plane */
    int pad;               /**< rows and columns of padding before x; negative:
                                dropped */
    int down, across; /**< tiles of a plane */
    long long first;  /**< offset of the first filter element, in floats */
    long long filter;      /**< stride from the filter of an output channel to
                                the next */
    long long plane;       /**< stride from the filter plane of an input channel
                                to the next */
    int row, column;       /**< strides from a row and a column of a filter to
                                the next */
};

/** Tiles of all images. */
__host__ __device__ static inline int tile_count(const struct winograd &g)
{
    return g.images * g.down * g.across;
}

/** One row or column of B' x: four inputs of a tile. */
__device__ static inline void input_transform_1d(const float from[4],
                                                 float to[4])
{
    to[0] = from[0] - from[2];
    to[1] = from[1] + from[2];
    to[2] = from[2] - from[1];
    to[3] = from[1] - from[3];
}

/** One row or column of G w. */
__device__ static inline void filter_transform_1d(const float from[3],
                                                  float to[4])
{
    const float half_ends = 0.5f * (from[0] + from[2]),
                half_middle = 0.5f * from[1];

    to[0] = from[0];
    to[1] = half_ends + half_middle;
    to[2] = half_ends - half_middle;
    to[3] = from[2];
}

/** One row or column of A' m. */
__device__ static inline void output_transform_1d(const float from[4],
                                                  float to[2])
{
    to[0] = from[0] + from[1] + from[2];
    to[1] = from[1] - from[2] - from[3];
}

/** Input transform.  A thread owns a tile of a channel:
 *  to[element][channel][tile].
 *
 *  Grid (tiles / 256, channels), block 256.  Each input is loaded four times,
 *  because the tiles overlap; each of the 16 stores of a warp is coalesced.
 */
__global__ void winograd_input_transform(const float *__restrict__ x,
                                         float *__restrict__ to,
                                         struct winograd g)
{
    const int tiles = tile_count(g), channel = blockIdx.y;
    const int tile = blockIdx.x * blockDim.x + threadIdx.x;
    const int left = tile % g.across * 2 - g.pad;
    const int top = tile / g.across % g.down * 2 - g.pad;
    float part[4][4], line[4], transformed[4];

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
        input_transform_1d(line, part[i]);
    }
    to += (size_t)channel * tiles + tile;
#pragma unroll
    for (int j = 0; j < 4; j++) {
#pragma unroll
        for (int i = 0; i < 4; i++)
            line[i] = part[i][j];
        input_transform_1d(line, transformed);
#pragma unroll
        for (int i = 0; i < 4; i++)
            to[(size_t)(i * 4 + j) * g.in * tiles] = transformed[i];
    }
}

/** Filter transform.  A thread owns one plane of a filter:
 *  to[element][channel][filter], zeros after the last filter up to a multiple
 *  of FILTER_GROUP.  Grid (filters / 256, channels), block 256. */
__global__ void winograd_filter_transform(const float *__restrict__ w,
                                          float *__restrict__ to,
                                          struct winograd g)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x, channel = blockIdx.y;
    const int padded =
        (g.out + FILTER_GROUP - 1) / FILTER_GROUP * FILTER_GROUP;
    float part[3][4], line[3], transformed[4];

    if (k >= padded) return;
    w += g.first + k * g.filter + channel * g.plane;
#pragma unroll
    for (int i = 0; i < 3; i++) {
#pragma unroll
        for (int j = 0; j < 3; j++)
            line[j] = k < g.out ? w[i * g.row + j * g.column] : 0;
        filter_transform_1d(line, part[i]);
    }
    to += (size_t)channel * padded + k;
#pragma unroll
    for (int j = 0; j < 4; j++) {
#pragma unroll
        for (int i = 0; i < 3; i++)
            line[i] = part[i][j];
        filter_transform_1d(line, transformed);
#pragma unroll
        for (int i = 0; i < 4; i++)
            to[(size_t)(i * 4 + j) * g.in * padded] = transformed[i];
    }
}

/** Output transform.  A thread owns a tile of an output channel,
 *  from[element][filter][tile], and stores its up to four pixels.  Grid (tiles
 *  / 256, filters), block 256. */
__global__ void winograd_output_transform(const float *__restrict__ from,
                                          float *__restrict__ y,
                                          struct winograd g)
{
    const int tiles = tile_count(g), k = blockIdx.y;
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
        output_transform_1d(line, part[i]);
    }
    y += ((size_t)(tile / g.across / g.down) * g.out + k) * g.rows * g.columns;
#pragma unroll
    for (int j = 0; j < 2; j++) {
#pragma unroll
        for (int i = 0; i < 4; i++)
            line[i] = part[i][j];
        output_transform_1d(line, pixel);
#pragma unroll
        for (int i = 0; i < 2; i++)
            if (p + i < g.rows && q + j < g.columns)
                y[(p + i) * g.columns + q + j] = pixel[i];
    }
}

/** Is Winograd faster?  It needs enough channels, so that the multiplications
 *  outweigh the transforms. */
static inline bool use_winograd(const struct conv_shape *s)
{
    return s->r == 3 && s->s == 3 && s->stride == 1 && s->c >= 64
           && s->k >= 64;
}

static inline struct winograd winograd_forward(const struct conv_shape *s)
{
    const int rows = conv_output_rows(s), columns = conv_output_columns(s);

    return {s->n, s->c, s->k, s->h, s->w, rows, columns, s->pad,
            (rows + 1) / 2, (columns + 1) / 2, 0, 9LL * s->c, 9, 3, 1};
}

static inline struct winograd winograd_backward(const struct conv_shape *s)
{
    return {s->n,
            s->k,
            s->c,
            conv_output_rows(s),
            conv_output_columns(s),
            s->h,
            s->w,
            2 - s->pad,
            (s->h + 1) / 2,
            (s->w + 1) / 2,
            8,
            9,
            9LL * s->c,
            -3,
            -1};
}

/* The 16 matrix multiplications for the tiles of g.images images. */
static inline struct implicit_gemm winograd_gemms(const struct winograd &g)
{
    const int tiles = tile_count(g);

    return {{g.in, 1, 1},
            {tiles, 0, 0},
            {1, 1, tiles},
            {0, 0, 1},
            g.out,
            0,
            tiles,
            TILE_ELEMENTS,
            (long long)g.in * tiles,
            (long long)g.out * tiles,
            TILE_ELEMENTS * g.in,
            false};
}

/* Images per chunk: 32 MiB of transformed data, but at least one image. */
static inline int winograd_chunk_images(const struct winograd &g)
{
    const size_t max_images = ((size_t)1 << 23) / TILE_ELEMENTS / (g.in + g.out)
                        / ((size_t)g.down * g.across);

    return max_images < 1                  ? 1
           : max_images < (size_t)g.images ? (int)max_images
                                           : g.images;
}

/** Floats of d_work. */
static inline size_t winograd_floats(struct winograd g)
{
    g.images = winograd_chunk_images(g);
    return packed_filter_floats(winograd_gemms(g))
           + (size_t)TILE_ELEMENTS * (g.in + g.out) * tile_count(g);
}

/* Process a chunk of images: input transform, multiplication, output transform.
 */
static inline cudaError_t run_winograd_chunk(const struct winograd &g,
                                             const float *d_x, float *d_y,
                                             float *d_work)
{
    const struct implicit_gemm gemms = winograd_gemms(g);
    const unsigned blocks = (unsigned)ceil_div(tile_count(g), THREADS);
    float *d_in = d_work + packed_filter_floats(gemms);
    float *d_out = d_in + (size_t)TILE_ELEMENTS * g.in * tile_count(g);

    winograd_input_transform<<<dim3(blocks, g.in), THREADS>>>(d_x, d_in, g);
    cudaError_t err = launch_implicit_gemm(gemms, d_in, d_work, d_out);
    if (err) return err;
    winograd_output_transform<<<dim3(blocks, g.out), THREADS>>>(d_out, d_y, g);
    return CUDA_CHECK(cudaGetLastError());
}

/** Compute y from x and w, device pointers, with the layer g. */
static inline cudaError_t run_winograd(const struct winograd &g,
                                       const float *d_x, const float *d_w,
                                       float *d_y, float *d_work)
{
    const unsigned padded = padded_filters(winograd_gemms(g));
    const size_t in = (size_t)g.in * g.h * g.w;
    const size_t out = (size_t)g.out * g.rows * g.columns;
    const dim3 grid((unsigned)ceil_div(padded, THREADS), g.in);

    winograd_filter_transform<<<grid, THREADS>>>(d_w, d_work, g);
    cudaError_t err = CUDA_CHECK(cudaGetLastError());
    for (int i = 0; !err && i < g.images; i += winograd_chunk_images(g)) {
        struct winograd part = g;
        const int rest = g.images - i, max_images = winograd_chunk_images(g);
        part.images = rest < max_images ? rest : max_images;
        err = run_winograd_chunk(part, d_x + i * in, d_y + i * out, d_work);
    }
    return err;
}

#endif
