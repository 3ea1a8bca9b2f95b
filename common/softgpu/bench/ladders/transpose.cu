/* SPDX-License-Identifier: MIT */
/* Transpose in six steps, in the order of Y. Encal's "Optimizing GPU matrix
 * transpose" (2025, H100): out[x][y] = in[y][x], n x n floats. */
#include "ladder.h"

enum { N = 1024, TILE = 32, WIDE = 64 };

/* A thread moves one element; a warp reads a row and writes a column. */
__global__ void transpose_1_naive(const float *in, float *out, int n)
{
    const int x = blockIdx.x * TILE + threadIdx.x;
    const int y = blockIdx.y * TILE + threadIdx.y;
    out[x * n + y] = in[y * n + x];
}

/* A tile goes through shared memory, ROWS rows at a time: reads and writes
 * are rows.  With PAD = 0 a column of the tile is in one bank. */
template <int ROWS, int PAD>
__device__ void transpose_tile(const float *in, float *out, int n)
{
    __shared__ float s_tile[TILE][TILE + PAD];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS)
        s_tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads(); /* the tile is loaded */
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS)
        out[(y + j) * n + x] = s_tile[threadIdx.x][threadIdx.y + j];
}

/* 32 x 32 threads, one element each. */
__global__ void transpose_2_tile(const float *in, float *out, int n)
{
    transpose_tile<32, 0>(in, out, n);
}

/* A column of padding: no two elements of a column share a bank. */
__global__ void transpose_3_padded(const float *in, float *out, int n)
{
    transpose_tile<32, 1>(in, out, n);
}

/* 32 x 16 threads, two elements each. */
__global__ void transpose_4_two_rows(const float *in, float *out, int n)
{
    transpose_tile<16, 1>(in, out, n);
}

/* 32 x 8 threads, four elements each. */
__global__ void transpose_5_four_rows(const float *in, float *out, int n)
{
    transpose_tile<8, 1>(in, out, n);
}

/* Tiles of 64 x 64, four floats at a time: 16 x 8 threads, eight rows each. */
__global__ void transpose_6_vector(const float4 *in, float4 *out, int n)
{
    __shared__ float s_tile[WIDE][WIDE + 1];
    const int width = n / 4, column = 4 * threadIdx.x;
    int x = blockIdx.x * (WIDE / 4) + threadIdx.x;
    int y = blockIdx.y * WIDE + threadIdx.y;
#pragma unroll
    for (int j = 0; j < WIDE; j += 8) {
        const float4 v = in[(y + j) * width + x];
        s_tile[threadIdx.y + j][column] = v.x;
        s_tile[threadIdx.y + j][column + 1] = v.y;
        s_tile[threadIdx.y + j][column + 2] = v.z;
        s_tile[threadIdx.y + j][column + 3] = v.w;
    }
    __syncthreads(); /* the tile is loaded */
    x = blockIdx.y * (WIDE / 4) + threadIdx.x;
    y = blockIdx.x * WIDE + threadIdx.y;
#pragma unroll
    for (int j = 0; j < WIDE; j += 8) {
        float4 v;
        v.x = s_tile[column][threadIdx.y + j];
        v.y = s_tile[column + 1][threadIdx.y + j];
        v.z = s_tile[column + 2][threadIdx.y + j];
        v.w = s_tile[column + 3][threadIdx.y + j];
        out[(y + j) * width + x] = v;
    }
}

int main(void)
{
    const size_t n = (size_t)N * N;
    float *in = ladder_memory<float>(n), *out = ladder_memory<float>(n);
    float *want = (float *)malloc(n * sizeof(float));
    ladder_fill(in, n, 1 << 20);
    for (size_t i = 0; i < n; i++)
        want[i % N * N + i / N] = in[i];
    const dim3 grid(N / TILE, N / TILE), wide(N / WIDE, N / WIDE);
#define STEP(name, grid, block, type)                                   \
    name<<<grid, block>>>((const type *)in, (type *)out, N);            \
    ladder_check(#name, out, want, n);
    STEP(transpose_1_naive, grid, dim3(32, 32), float)
    STEP(transpose_2_tile, grid, dim3(32, 32), float)
    STEP(transpose_3_padded, grid, dim3(32, 32), float)
    STEP(transpose_4_two_rows, grid, dim3(32, 16), float)
    STEP(transpose_5_four_rows, grid, dim3(32, 8), float)
    STEP(transpose_6_vector, wide, dim3(16, 8), float4)
    free(want);
    return ladder_wrong;
}
