/* SPDX-License-Identifier: MIT */
/* Float4 by a table, of which neighboring threads share an entry: rows of a
 * tile that are anywhere. */
#include <stdio.h>

enum { THREADS = 64, ROWS = 64, WIDTH = 16, N = ROWS * WIDTH };

/* Copies float4 to a tile, `RUN` threads those of one row. */
template <int RUN>
__global__ void rows_of_tile(const float *in, const unsigned *table,
                             float *out, int first)
{
    __shared__ unsigned s_row[THREADS];
    __shared__ __align__(16) float s_tile[THREADS * 4];
    const int t = threadIdx.x, k = t / RUN, n = t % RUN * 4;

    s_row[t] = table[t];
    __syncthreads();
    *(float4 *)&s_tile[t * 4] = *(const float4 *)(in + s_row[k] + first + n);
    __syncthreads();
    out[t] = s_tile[t * 4] + 2 * s_tile[t * 4 + 3];
}

/* The same, after a store that may change the table, for some threads only, and
 * with an entry that is computed. */
__global__ void other_ways(const float *in, unsigned *table, float4 *out,
                           unsigned *changed, int n)
{
    __shared__ __align__(16) float s_tile[2 * THREADS * 4];
    const int t = threadIdx.x, k = t / 4;
    const unsigned row = table[k];

    changed[t] = 16;
    *(float4 *)&s_tile[t * 4] = *(const float4 *)(in + row + t % 4 * 4);
    if (t < n)
        *(float4 *)&s_tile[(THREADS + t) * 4] =
            *(const float4 *)(in + table[k + 1] + t % 4 * 4);
    else
        *(float4 *)&s_tile[(THREADS + t) * 4] = make_float4(1, 2, 3, 4);
    __syncthreads();
    for (int i = t; i < 2 * THREADS; i += THREADS)
        out[i] = *(const float4 *)&s_tile[i * 4];
    __syncthreads();
    *(float4 *)&s_tile[t * 4] =
        *(const float4 *)(in + ((table[k] ^ 32) / 16 * 16) % N + t % 4 * 4);
    __syncthreads();
    out[2 * THREADS + t] = *(const float4 *)&s_tile[t * 4];
}

static void print(const char *name, const float *out, int n)
{
    cudaError_t error = cudaDeviceSynchronize();

    printf("%s: %s", name, cudaGetErrorName(error));
    for (int i = 0; i < n && error == cudaSuccess; i++)
        printf("%s%g", i % 16 ? " " : "\n", out[i]);
    printf("\n");
}

int main(void)
{
    enum { OUT = 3 * THREADS * 4 };
    float *in, *out;
    unsigned *table;

    cudaMallocManaged(&in, N * sizeof *in);
    cudaMallocManaged(&out, OUT * sizeof *out);
    cudaMallocManaged(&table, 2 * THREADS * sizeof *table);
    for (int i = 0; i < N; i++)
        in[i] = (float)(i * 7919 % 1009);
    for (int i = 0; i < THREADS; i++)
        table[i] = (unsigned)(i * 37 % (ROWS - 1) * WIDTH);
    rows_of_tile<4><<<1, THREADS>>>(in, table, out, 0);
    print("runs of four", out, THREADS);
    rows_of_tile<2><<<1, THREADS>>>(in, table, out, 8);
    print("runs of two", out, THREADS);
    rows_of_tile<8><<<1, THREADS>>>(in, table, out, 0);
    print("runs of eight", out, THREADS);
    other_ways<<<1, THREADS>>>(in, table, (float4 *)out, table + THREADS, 37);
    print("other ways", out, OUT);
    table[5] = 18;
    rows_of_tile<4><<<1, THREADS>>>(in, table, out, 0);
    print("misaligned", out, 0);
    return 0;
}
