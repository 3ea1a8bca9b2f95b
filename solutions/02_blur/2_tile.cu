/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  Blur, step 2: a block stages its tile and the halo in shared memory. */
// HANDOUT
// /** @file
//  *  Lab 02: blur an image on the GPU.  The contract is in blur.h. */
// END SOLUTION
#include "host.h"

// BEGIN SOLUTION
enum { TILE_X = 64, TILE_Y = 8 }; /* bytes and rows a block owns */

/** Bytes a row of the staged tile: the halo is radius pixels on each side. */
__host__ __device__ static inline int staged_x(struct shape s)
{
    return TILE_X + 2 * s.radius * s.channels;
}

/** Stage the tile whose owned part begins at byte column x0, row y0.
 *  Beyond the image zeros are staged: they add nothing to a sum. */
__device__ static void stage(unsigned char *tile, const unsigned char *in,
                             struct shape s, size_t x0, int y0)
{
    int width = staged_x(s), height = TILE_Y + 2 * s.radius;
    long long left = (long long)x0 - s.radius * s.channels;

    for (int v = threadIdx.y; v < height; v += TILE_Y)
        for (int u = threadIdx.x; u < width; u += TILE_X) {
            long long x = left + u, y = (long long)y0 - s.radius + v;
            bool inside = x >= 0 && x < (long long)s.pitch && y >= 0 &&
                          y < s.height;
            tile[v * width + u] = inside ? in[y * s.pitch + x] : 0;
        }
}

/** Sum the window of this thread's byte, which the tile holds whole. */
__device__ static unsigned sum_window(const unsigned char *tile, struct shape s)
{
    int side = 2 * s.radius + 1, width = staged_x(s);
    unsigned sum = 0;

    for (int v = 0; v < side; v++) {
        const unsigned char *line = tile + (threadIdx.y + v) * width;
        for (int u = 0; u < side; u++)
            sum += line[threadIdx.x + u * s.channels];
    }
    return sum;
}

/** A thread owns one byte of the output, a block 64 by 8 of them.
 *
 *  Grid over the bytes of the image; block 64 by 8; dynamic shared memory for
 *  the tile with its halo, (64 + 2 * radius * channels) * (8 + 2 * radius)
 *  bytes, 23,040 at most.  A block reads each byte of tile and halo once.
 *  The barrier separates the staging of the tile from its reading.
 */
// HANDOUT
// /** One thread, one pixel of the output, all its channels.  Device pointers;
//  *  that they do not overlap is what `__restrict__` promises. */
// END SOLUTION
__global__ void blur_image(const unsigned char *__restrict__ in,
                           unsigned char *__restrict__ out, struct shape s)
{
// BEGIN SOLUTION
    extern __shared__ unsigned char tile[];
    size_t x0 = (size_t)blockIdx.x * TILE_X, x = x0 + threadIdx.x;
    unsigned y0 = (blockIdx.z * gridDim.y + blockIdx.y) * TILE_Y;
    int y = (int)(y0 + threadIdx.y);

    if (y0 >= (unsigned)s.height) return; /* the whole block, so no one waits */
    stage(tile, in, s, x0, (int)y0);
    __syncthreads();
    if (x >= s.pitch || y >= s.height) return;
    struct span xs = window((int)(x / s.channels), s.width, s.radius);
    struct span ys = window(y, s.height, s.radius);
    out[y * s.pitch + x] = mean(sum_window(tile, s), area(xs, ys));
// HANDOUT
//     /* TODO 4: x and y of this thread's pixel; return beyond the image */
//     /* TODO 5: clip the window to the image, and count its pixels */
//     /* TODO 6: for each channel: sum the window, divide, round, store */
// END SOLUTION
}

static cudaError_t launch(const unsigned char *d_in, unsigned char *d_out,
                          struct shape s)
{
// BEGIN SOLUTION
    const dim3 block(TILE_X, TILE_Y);
    const dim3 grid = grid_of_tiles(tiles_for(s.pitch, TILE_X),
                                    tiles_for(s.height, TILE_Y));
    size_t shared = (size_t)staged_x(s) * (TILE_Y + 2 * s.radius);

    blur_image<<<grid, block, shared>>>(d_in, d_out, s);
    return CUDA_CHECK(cudaGetLastError());
// HANDOUT
//     /* TODO 7: launch on a 2-D grid, rounded up both ways */
//     return cudaErrorNotSupported;
// END SOLUTION
}
