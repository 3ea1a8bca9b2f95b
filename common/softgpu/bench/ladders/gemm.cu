/* SPDX-License-Identifier: MIT */
/* GEMM in ten steps, those of S. Boehm's SGEMM_CUDA: C = A * B, n x n
 * floats out of n x deep and deep x n.  gemm_tiles.h has the later tiles. */
#include "gemm_tiles.h"

enum { N = 128, DEEP = 32 /* columns of A, rows of B */ };

/* A thread owns an element; neighbors own rows: each load of A and store of
 * C is spread over 32 lines. */
__global__ void gemm_01_naive(const float *a, const float *b, float *c, int n,
                              int deep)
{
    const int row = blockIdx.x * 32 + threadIdx.x;
    const int column = blockIdx.y * 32 + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < deep; k++)
        sum += a[row * deep + k] * b[k * n + column];
    c[row * n + column] = sum;
}

/* Neighbors own columns: loads of B and stores of C are rows. */
__global__ void gemm_02_coalesced(const float *a, const float *b, float *c,
                                  int n, int deep)
{
    const int row = blockIdx.y * 32 + threadIdx.y;
    const int column = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < deep; k++)
        sum += a[row * deep + k] * b[k * n + column];
    c[row * n + column] = sum;
}

/* Tiles of 32 x 32 in shared memory, each read by a whole block. */
__global__ void gemm_03_shared(const float *a, const float *b, float *c, int n,
                               int deep)
{
    __shared__ float s_a[32][32], s_b[32][32];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + x;
    float sum = 0;
    for (int at = 0; at < deep; at += 32) {
        s_a[y][x] = a[row * deep + at + x];
        s_b[y][x] = b[(at + y) * n + column];
        __syncthreads(); /* the tiles are loaded */
#pragma unroll
        for (int k = 0; k < 32; k++)
            sum += s_a[y][k] * s_b[k][x];
        __syncthreads(); /* all threads have read them */
    }
    c[row * n + column] = sum;
}

/* A thread owns 8 elements of a column: one load of B serves all.  64 x 64
 * elements per block of 512 threads. */
__global__ void gemm_04_blocktile_1d(const float *a, const float *b, float *c,
                                     int n, int deep)
{
    __shared__ float s_a[64][8], s_b[8][64];
    const int t = threadIdx.x, x = t % 64, y = t / 64;
    const int row = blockIdx.y * 64, column = blockIdx.x * 64;
    float sums[8] = {0};
    for (int at = 0; at < deep; at += 8) {
        s_a[t / 8][t % 8] = a[(row + t / 8) * deep + at + t % 8];
        s_b[y][x] = b[(at + y) * n + column + x];
        __syncthreads(); /* the tiles are loaded */
#pragma unroll
        for (int k = 0; k < 8; k++) {
            const float right = s_b[k][x];
#pragma unroll
            for (int i = 0; i < 8; i++)
                sums[i] += s_a[y * 8 + i][k] * right;
        }
        __syncthreads(); /* all threads have read them */
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
        c[(row + y * 8 + i) * n + column + x] = sums[i];
}

/* A thread owns 8 x 8 elements, a block of 256 threads 128 x 128: 16 loads
 * serve 64 multiply-adds. */
__global__ void gemm_05_blocktile_2d(const float *a, const float *b, float *c,
                                     int n, int deep)
{
    __shared__ float s_a[128][8], s_b[8][128];
    const int t = threadIdx.x, x = t % 16 * 8, y = t / 16 * 8;
    const int row = blockIdx.y * 128, column = blockIdx.x * 128;
    float sums[8][8] = {{0}};
    for (int at = 0; at < deep; at += 8) {
#pragma unroll
        for (int i = 0; i < 128; i += 32)
            s_a[t / 8 + i][t % 8] = a[(row + t / 8 + i) * deep + at + t % 8];
#pragma unroll
        for (int i = 0; i < 8; i += 2)
            s_b[t / 128 + i][t % 128] =
                b[(at + t / 128 + i) * n + column + t % 128];
        __syncthreads(); /* the tiles are loaded */
#pragma unroll
        for (int k = 0; k < 8; k++) {
            float left[8], right[8];
#pragma unroll
            for (int i = 0; i < 8; i++) {
                left[i] = s_a[y + i][k];
                right[i] = s_b[k][x + i];
            }
            accumulate_outer_product<8, 8>(sums, left, right);
        }
        __syncthreads(); /* all threads have read them */
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++)
            c[(row + y + i) * n + column + x + j] = sums[i][j];
}

/* Every load is a float4; A's tile is stored transposed. */
__global__ void gemm_06_vector(const float *a, const float *b, float *c, int n,
                               int deep)
{
    vector_tile<8, 0>(a, b, c, n, deep);
}

/* B's tile is padded by 5 words, so its loads are single floats again. */
__global__ void gemm_07_offset(const float *a, const float *b, float *c, int n,
                               int deep)
{
    vector_tile<8, 5>(a, b, c, n, deep);
}

/* Autotuned tile depth: 16, half the barriers. */
__global__ void gemm_08_autotuned(const float *a, const float *b, float *c,
                                  int n, int deep)
{
    vector_tile<16, 0>(a, b, c, n, deep);
}

/* A warp owns 64 x 64 elements, a thread 8 x 16 of them: loads within a warp
 * have no bank conflicts and serve twice the multiply-adds. */
__global__ void gemm_09_warptile(const float *a, const float *b, float *c,
                                 int n, int deep)
{
    __shared__ float s_a[1][DEPTH][128], s_b[1][DEPTH][128];
    warp_tile<1>(s_a, s_b, a, b, c, n, deep);
}

/* Double buffering: the next tile is loaded while this one is used. */
__global__ void gemm_10_double_buffer(const float *a, const float *b, float *c,
                                      int n, int deep)
{
    __shared__ float s_a[2][DEPTH][128], s_b[2][DEPTH][128];
    warp_tile<2>(s_a, s_b, a, b, c, n, deep);
}

/* The argument is a larger depth: a multiple of 32. */
int main(int argc, char **argv)
{
    const int deep = argc > 1 ? atoi(argv[1]) : DEEP;
    const size_t n = (size_t)N * N, panel = (size_t)N * deep;
    float *a = ladder_memory<float>(panel), *b = ladder_memory<float>(panel);
    float *c = ladder_memory<float>(n);
    float *want = (float *)calloc(n, sizeof(float));
    ladder_fill(a, panel, 16);
    ladder_fill(b, panel, 16);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < deep; k++)
            for (int j = 0; j < N; j++)
                want[i * N + j] += a[i * deep + k] * b[k * N + j];
#define STEP(name, tile, block)                                       \
    name<<<dim3(N / (tile), N / (tile)), block>>>(a, b, c, N, deep);  \
    ladder_check(#name, c, want, n);
    STEP(gemm_01_naive, 32, dim3(32, 32))
    STEP(gemm_02_coalesced, 32, dim3(32, 32))
    STEP(gemm_03_shared, 32, dim3(32, 32))
    STEP(gemm_04_blocktile_1d, 64, 512)
    STEP(gemm_05_blocktile_2d, 128, 256)
    STEP(gemm_06_vector, 128, 256)
    STEP(gemm_07_offset, 128, 256)
    STEP(gemm_08_autotuned, 128, 256)
    STEP(gemm_09_warptile, 128, 128)
    STEP(gemm_10_double_buffer, 128, 128)
    free(want);
    return ladder_wrong;
}
