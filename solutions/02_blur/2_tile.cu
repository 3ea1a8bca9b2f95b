/* SPDX-License-Identifier: MIT */
/** @file
 *  Blur, step 2: a block loads its tile and the halo into shared memory. */
#include "host.h"

enum { TILE_X = 64, TILE_Y = 8 }; /* bytes and rows of a block's tile */

/** Bytes per row of the tile in shared memory: the halo adds radius pixels on
 *  each side. */
__host__ __device__ static inline int tile_pitch(struct image_shape s)
{
    return TILE_X + 2 * s.radius * s.channels;
}

/** Load the tile that starts at byte column x0 and row y0, and its halo, into
 *  shared memory.  Positions outside the image become 0: they add nothing to a
 *  sum. */
__device__ static void load_tile(unsigned char *tile, const unsigned char *in,
                                 struct image_shape s, size_t x0, int y0)
{
    int width = tile_pitch(s), height = TILE_Y + 2 * s.radius;
    long long left = (long long)x0 - s.radius * s.channels;

    for (int v = threadIdx.y; v < height; v += TILE_Y)
        for (int u = threadIdx.x; u < width; u += TILE_X) {
            long long x = left + u, y = (long long)y0 - s.radius + v;
            bool inside = x >= 0 && x < (long long)s.pitch && y >= 0 &&
                          y < s.height;
            tile[v * width + u] = inside ? in[y * s.pitch + x] : 0;
        }
}

/** Sum the window of this thread's byte; the tile contains the whole window. */
__device__ static unsigned sum_window(const unsigned char *tile,
                                      struct image_shape s)
{
    int side = 2 * s.radius + 1, width = tile_pitch(s);
    unsigned sum = 0;

    for (int v = 0; v < side; v++) {
        const unsigned char *line = tile + (threadIdx.y + v) * width;
        for (int u = 0; u < side; u++)
            sum += line[threadIdx.x + u * s.channels];
    }
    return sum;
}

/** A thread owns one byte of the output, a block 64 by 8 bytes.
 *
 *  Grid over the bytes of the image; block 64 by 8; dynamic shared memory for
 *  the tile with its halo, (64 + 2 * radius * channels) * (8 + 2 * radius)
 *  bytes, at most 23,040.  A block loads each byte of tile and halo once.  The
 *  barrier separates the stores to the tile from the loads from it.
 */
__global__ void blur_image(const unsigned char *__restrict__ in,
                           unsigned char *__restrict__ out,
                           struct image_shape s)
{
    extern __shared__ unsigned char tile[];
    size_t x0 = (size_t)blockIdx.x * TILE_X, x = x0 + threadIdx.x;
    unsigned y0 = (blockIdx.z * gridDim.y + blockIdx.y) * TILE_Y;
    int y = (int)(y0 + threadIdx.y);

    if (y0 >= (unsigned)s.height) return; /* the whole block returns: no thread
                                           * waits */
    load_tile(tile, in, s, x0, (int)y0);
    __syncthreads();
    if (x >= s.pitch || y >= s.height) return;
    struct window_range xs = window((int)(x / s.channels), s.width, s.radius);
    struct window_range ys = window(y, s.height, s.radius);
    out[y * s.pitch + x] = mean(sum_window(tile, s), window_area(xs, ys));
}

static cudaError_t launch(const unsigned char *d_in, unsigned char *d_out,
                          struct image_shape s)
{
    const dim3 block(TILE_X, TILE_Y);
    const dim3 grid = grid_of_tiles(ceil_div(s.pitch, TILE_X),
                                    ceil_div(s.height, TILE_Y));
    size_t shared = (size_t)tile_pitch(s) * (TILE_Y + 2 * s.radius);

    blur_image<<<grid, block, shared>>>(d_in, d_out, s);
    return CUDA_CHECK(cudaGetLastError());
}
