/* SPDX-License-Identifier: MIT */
/* C = A * B with 8 x 8 elements of C in each thread's registers. */
#include "bench.h"

enum { TILE = 64, DEPTH = 8, EACH = 8, THREADS = 64 };

/* A block owns 64 x 64 elements of C, a thread 8 x 8 of them; a step takes 8
 * columns of A and 8 rows of B through shared memory, A transposed. */
__global__ void __launch_bounds__(THREADS)
gemm_blocked(const float *a, const float *b, float *c, int n)
{
    __shared__ float s_a[DEPTH][TILE], s_b[DEPTH][TILE];
    const int t = threadIdx.x;
    const int row = t / 8 * EACH, column = t % 8 * EACH;
    const float *from_a = a + (blockIdx.y * TILE + t) * n;
    const float *from_b = b + t / 8 * n + blockIdx.x * TILE + t % 8 * EACH;
    float sum[EACH][EACH] = {};
    for (int at = 0; at < n; at += DEPTH) {
#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            s_a[i][t] = from_a[at + i];
            s_b[t / 8][t % 8 * EACH + i] = from_b[at * n + i];
        }
        __syncthreads(); /* the tiles are loaded */
#pragma unroll
        for (int k = 0; k < DEPTH; k++)
#pragma unroll
            for (int i = 0; i < EACH; i++)
#pragma unroll
                for (int j = 0; j < EACH; j++)
                    sum[i][j] += s_a[k][row + i] * s_b[k][column + j];
        __syncthreads(); /* all threads have read them */
    }
    c += (blockIdx.y * TILE + row) * n + blockIdx.x * TILE + column;
#pragma unroll
    for (int i = 0; i < EACH; i++)
#pragma unroll
        for (int j = 0; j < EACH; j++)
            c[i * n + j] = sum[i][j];
}

void soft_gemm_blocked(const struct bench_data *w)
{
    const dim3 grid(BLOCKED_N / TILE, BLOCKED_N / TILE);
    gemm_blocked<<<grid, THREADS>>>(w->a, w->b, w->out, BLOCKED_N);
}
