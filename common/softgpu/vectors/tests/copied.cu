/* SPDX-License-Identifier: MIT */
/* Float4 that are copied, elements by a table and an offset that a row shares,
 * and float4 of a shared array by an index that is divided. */
#include <cuda_pipeline.h>
#include <stdio.h>

enum { THREADS = 64, QUADS = 160, N = 4 * QUADS, TERMS = 8, SIDE = 4 };

/* Copies by a table: of all threads, of some, and by cp.async; the last one
 * swaps, so that each load is before a store of another thread. */
__global__ void copies(const float4 *in, const int *table, float4 *out, int n)
{
    __shared__ float4 s_tile[2 * THREADS];
    const int t = threadIdx.x;

    out[t] = in[table[t]];
    if (table[t] % 3) out[THREADS + table[t]] = in[table[t + 1]];
    for (int i = t; i < 2 * THREADS; i += THREADS)
        __pipeline_memcpy_async(&s_tile[i], in + table[i % n] % n,
                                sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    s_tile[table[t] % THREADS] = s_tile[THREADS + t];
    __syncthreads();
    if (t < n) out[QUADS - 1 - t] = s_tile[t];
}

/* A tile's loads by what a thread has from a table, and a term of all. */
__global__ void by_terms(const float *in, const unsigned *table,
                         const unsigned *term, float *out, int n)
{
    const unsigned own = table[threadIdx.x];
    const int own_signed = (int)own;
    float sum = 0;

#pragma unroll
    for (int k = 0; k < TERMS; k++) {
        sum += in[own + term[k]];
        if ((int)threadIdx.x < n) sum -= 3 * in[own_signed + (int)term[k + 1]];
    }
    out[threadIdx.x] = sum;
}

/* The sums of four slices of a product, as float4 of a shared array. */
__global__ void slices(const float *in, float4 *out, int terms)
{
    __shared__ float4 s_sum[4 * THREADS];
    const int slice = threadIdx.x / 16, own = threadIdx.x % 16;
    const int row = own / SIDE * SIDE, column = own % SIDE * SIDE;
    float sum[SIDE][SIDE] = {};

    for (int k = slice; k < terms; k += 4) {
        const float4 b = *(const float4 *)&in[k * 16 + column];
        const float right[SIDE] = {b.x, b.y, b.z, b.w};
#pragma unroll
        for (int i = 0; i < SIDE; i++)
#pragma unroll
            for (int j = 0; j < SIDE; j++)
                sum[i][j] += in[k * 16 + row + i] * right[j];
    }
#pragma unroll
    for (int i = 0; i < SIDE; i++)
        s_sum[slice * THREADS + ((row + i) * 16 + column) / 4] =
            make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
    __syncthreads();
    float4 all = s_sum[threadIdx.x];
    for (int s = 1; s < 4; s++) {
        const float4 q = s_sum[s * THREADS + threadIdx.x];
        all.x += q.x, all.y += q.y, all.z += q.z, all.w += q.w;
    }
    all.w += in[(threadIdx.x & 12) * 3 / 16]; /* carries from the offset */
    out[threadIdx.x] = all;
}

/* Print the elements' sum, each with a weight of its own. */
static void print(const char *name, float *out)
{
    double sum = 0;

    cudaDeviceSynchronize();
    for (int i = 0; i < N; i++)
        sum += (double)out[i] * (1 + i % 37);
    printf("%s %s %.17g\n", name, cudaGetErrorName(cudaGetLastError()), sum);
    for (int i = 0; i < N; i++)
        out[i] = 0;
}

int main(void)
{
    float *in, *out;
    int *table;
    unsigned *term;

    cudaMallocManaged(&in, N * sizeof *in);
    cudaMallocManaged(&out, N * sizeof *out);
    cudaMallocManaged(&table, 2 * THREADS * sizeof *table);
    cudaMallocManaged(&term, (TERMS + 1) * sizeof *term);
    for (int i = 0; i < N; i++)
        in[i] = (float)(i * 7919 % 1009) / 1009;
    for (int way = 0; way < 4; way++) {
        for (int i = 0; i < 2 * THREADS; i++)
            table[i] = way == 0   ? i % THREADS
                       : way == 1 ? (THREADS - 1 - i) & (THREADS - 1)
                       : way == 2 ? (i ^ 8) % THREADS
                                  : i * 11 % THREADS;
        for (int k = 0; k <= TERMS; k++)
            term[k] = 20 + k * 40;
        copies<<<1, THREADS>>>((float4 *)in, table, (float4 *)out, 50);
        print("copies", out);
        by_terms<<<1, THREADS>>>(in, (unsigned *)table, term, out, 45);
        print("by_terms", out);
        /* Some rows' indices wrap. */
        for (int i = 0; i < THREADS; i++)
            table[i] -= 20 + way * 4;
        for (int k = 0; k <= TERMS; k++)
            term[k] = 36;
        by_terms<<<1, THREADS>>>(in, (unsigned *)table, term, out, 45);
        print("wrapped", out);
    }
    slices<<<1, THREADS>>>(in, (float4 *)out, 40);
    print("slices", out);
    /* The indices of four threads wrap, to 16 GiB before the array. */
    for (int i = 0; i < THREADS; i++)
        table[i] = (i < 8 ? i : i % 4) - 4;
    for (int k = 0; k <= TERMS; k++)
        term[k] = 0;
    by_terms<<<1, THREADS>>>(
        (float *)((size_t)in - 0xfffffffcu * sizeof *in), (unsigned *)table,
        term, out, 0);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
