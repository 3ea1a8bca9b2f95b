/* SPDX-License-Identifier: MIT */
/* 5 x 5 convolution of an image through a tile with a halo; the filter is the
 * first 25 numbers of b; outside the image is 0. */
#include "bench.h"

enum { TILE = 16, HALO = TAPS / 2, WIDE = TILE + 2 * HALO };

__constant__ float filter[TAPS * TAPS];

/* A thread owns one pixel; a block loads 20 x 20 pixels, some threads twice. */
__global__ void convolution(const float *in, float *out, int n)
{
    __shared__ float s_tile[WIDE][WIDE];
    const int left = blockIdx.x * TILE, top = blockIdx.y * TILE;
    for (int y = threadIdx.y; y < WIDE; y += TILE)
        for (int x = threadIdx.x; x < WIDE; x += TILE) {
            const int row = top + y - HALO, column = left + x - HALO;
            const bool inside =
                row >= 0 && row < n && column >= 0 && column < n;
            s_tile[y][x] = inside ? in[row * n + column] : 0;
        }
    __syncthreads(); /* the tile is loaded */
    float sum = 0;
#pragma unroll
    for (int i = 0; i < TAPS; i++)
#pragma unroll
        for (int j = 0; j < TAPS; j++)
            sum += filter[i * TAPS + j]
                   * s_tile[threadIdx.y + i][threadIdx.x + j];
    out[(top + threadIdx.y) * n + left + threadIdx.x] = sum;
}

void soft_convolution(const struct bench_data *w)
{
    const dim3 block(TILE, TILE), grid(IMAGE_N / TILE, IMAGE_N / TILE);
    cudaMemcpyToSymbol(filter, w->b, sizeof filter);
    convolution<<<grid, block>>>(w->a, w->out, IMAGE_N);
}
