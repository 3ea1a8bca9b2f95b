/* SPDX-License-Identifier: MIT */
/* C = A * B by tiles of 16 x 16 in shared memory: two barriers per tile. */
#include "bench.h"

enum { TILE = 16 };

/* A thread owns one element of C; a block owns a tile, and reads each tile of
 * A and B that it needs once. */
__global__ void gemm_tiled(const float *a, const float *b, float *c, int n)
{
    __shared__ float s_a[TILE][TILE], s_b[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;
    for (int at = 0; at < n; at += TILE) {
        s_a[y][x] = a[row * n + at + x];
        s_b[y][x] = b[(at + y) * n + column];
        __syncthreads(); /* the tiles are loaded */
        for (int k = 0; k < TILE; k++)
            sum += s_a[y][k] * s_b[k][x];
        __syncthreads(); /* all threads have read them */
    }
    c[row * n + column] = sum;
}

void soft_gemm_tiled(const struct bench_data *w)
{
    const dim3 block(TILE, TILE), grid(GEMM_N / TILE, GEMM_N / TILE);
    gemm_tiled<<<grid, block>>>(w->a, w->b, w->out, GEMM_N);
}
