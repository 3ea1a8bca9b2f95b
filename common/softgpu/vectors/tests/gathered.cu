/* SPDX-License-Identifier: MIT */
/* Elements by a table: rows whose addresses are neighbors, and others.  Float4
 * of a shared array in a kernel that calls a warp function. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 1003, THREADS = 96, TERMS = 8, SIDE = 4 };

/* Sums of the elements that a table names; a mask leaves a few out. */
__global__ void by_table(const float *in, const int *table, float *out, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        out[i] = in[table[i]];
        if (table[i] % 5 != 3)
            out[i] += in[table[i] / 2] + in[table[n - 1 - i]];
    }
}

/* Each thread has 4 x 4 sums; blocks of 64 threads. */
__global__ void quads(const float *in, float *out, int tiles)
{
    __shared__ float s_a[TERMS][36], s_b[TERMS][32];
    const int t = threadIdx.x, row = t / 8 * SIDE, column = t % 8 * SIDE;
    float sum[SIDE][SIDE] = {};

    for (int tile = 0; tile < tiles; tile++) {
        for (int i = t; i < TERMS * 32; i += blockDim.x) {
            s_a[i / 32][i % 32] = in[tile * 64 + i];
            s_b[i / 32][i % 32] = in[tile * 64 + i + 7];
        }
        __syncthreads();
        for (int k = 0; k < TERMS; k++) {
            const float4 a = *(const float4 *)&s_a[k][row],
                         b = *(const float4 *)&s_b[k][column];
            const float left[SIDE] = {a.x, a.y, a.z, a.w},
                        right[SIDE] = {b.x, b.y, b.z, b.w};
            for (int i = 0; i < SIDE; i++)
                for (int j = 0; j < SIDE; j++)
                    sum[i][j] += left[i] * right[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            out[(row + i) * 32 + column + j] =
                sum[i][j] + __shfl_xor_sync(0xffffffffu, sum[j][i], 1);
}

/* A warp's 8 by 4 lanes own two float4 of rows each and one of columns: bits of
 * threadIdx, from many operations, say that the addresses are aligned. */
__global__ void warp_quads(const float *in, float *out, int tiles)
{
    __shared__ __align__(16) float s_a[TERMS][64 + SIDE], s_b[TERMS][32];
    const unsigned t = threadIdx.x, lane = t % 32;
    const unsigned row = ((lane >> 1 & 1) | (lane >> 2 & 6)) * SIDE,
                   column = t / 32 * 16 + ((lane & 1) | (lane >> 1 & 2)) * SIDE;
    float sum[2 * SIDE][SIDE] = {};

    for (int tile = 0; tile < tiles; tile++) {
        for (int i = t; i < TERMS * 64; i += blockDim.x) {
            s_a[i / 64][i % 64] = in[tile * 61 + i];
            if (i % 64 < 32) s_b[i / 64][i % 64] = in[tile * 61 + i + 5];
        }
        __syncthreads();
        for (int k = 0; k < TERMS; k++) {
            const float4 b = *(const float4 *)&s_b[k][column];
            const float right[SIDE] = {b.x, b.y, b.z, b.w};
            for (int part = 0; part < 2; part++) {
                const float4 a = *(const float4 *)&s_a[k][row + part * 32];
                const float left[SIDE] = {a.x, a.y, a.z, a.w};
                for (int i = 0; i < SIDE; i++)
                    for (int j = 0; j < SIDE; j++)
                        sum[part * SIDE + i][j] += left[i] * right[j];
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 2 * SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            out[(row + i / SIDE * 32 + i % SIDE) * 16 + (column + j) % 16] =
                sum[i][j] + t / 32;
}

/* Print the elements' sums, each with a weight of its own. */
static void print(const char *name, const float *out, int n)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += (double)out[i] * (1 + i % 37);
    printf("%s %.17g %.9g %.9g\n", name, sum, out[0], out[n - 1]);
}

int main(void)
{
    float *in, *out;
    int *table;

    cudaMallocManaged(&in, N * sizeof *in);
    cudaMallocManaged(&out, 1024 * sizeof *out);
    cudaMallocManaged(&table, N * sizeof *table);
    for (int i = 0; i < N; i++)
        in[i] = (float)(i * 7919 % 1009) / 1009;
    for (int way = 0; way < 4; way++) {
        for (int i = 0; i < N; i++)
            table[i] = way == 0   ? i
                       : way == 1 ? N - 1 - i
                       : way == 2 ? (i / 19 * 31 + i) % N
                                  : i * 11 % N;
        by_table<<<1, THREADS>>>(in, table, out, N);
        cudaDeviceSynchronize();
        print("by_table", out, N);
    }
    quads<<<1, 64>>>(in, out, 8);
    cudaDeviceSynchronize();
    print("quads", out, 1024);
    warp_quads<<<1, 32>>>(in, out, 7);
    cudaDeviceSynchronize();
    print("warp_quads", out, 1024);
    return cudaGetLastError() != cudaSuccess;
}
