/* SPDX-License-Identifier: MIT */
/* Sums of float4 that are neighbors in memory: of all threads, and of those of
 * one warp; and words that are not all added, or not in their places.  Prints a
 * hash. */
#include <stdio.h>
#include <string.h>

enum { THREADS = 64, PARTS = 3, SIZE = PARTS * THREADS };

/* Nothing but sums. */
__global__ void add_parts(const float4 *in, float4 *out, int times)
{
    for (int n = 0; n < times; n++) {
        float4 all = in[threadIdx.x];
        for (int p = 1; p < PARTS; p++) {
            const float4 q = in[p * THREADS + threadIdx.x];
            all.x += q.x, all.y += q.y, all.z += q.z, all.w += q.w;
        }
        out[threadIdx.x] = all;
        __syncthreads();
    }
}

/* The words of the sums are not those of the factors. */
__global__ void mix_parts(const float4 *in, float4 *out, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        const float4 a = in[i], b = in[THREADS + i], c = in[2 * THREADS + i];
        const int half = i % 32 < n / 4;
        out[i] = make_float4(a.x + b.x, a.y - b.y, a.z + b.z, a.w + b.w);
        out[THREADS + i] = make_float4(a.y * b.x, a.x * b.y, a.w * b.z,
                                       a.z * b.w);
        if (half)
            out[2 * THREADS + i] = make_float4(a.x - c.x, a.y - c.y, a.z - c.z,
                                               a.w - c.w);
    }
    __syncthreads();
}

int main(void)
{
    float *in, *out;
    unsigned hash = 17, bits;

    cudaMallocManaged(&in, SIZE * sizeof(float4));
    cudaMallocManaged(&out, SIZE * sizeof(float4));
    for (int i = 0; i < 4 * SIZE; i++) in[i] = (float)(i * 7919 % 1009) / 128;
    for (int way = 0; way < 2; way++) {
        if (way == 0)
            add_parts<<<1, THREADS>>>((float4 *)in, (float4 *)out, 2);
        else
            mix_parts<<<1, THREADS>>>((float4 *)in, (float4 *)out, THREADS - 3);
        if (cudaDeviceSynchronize() != cudaSuccess) puts("an error");
        for (int i = 0; i < 4 * SIZE; i++) {
            memcpy(&bits, &out[i], sizeof bits);
            hash = hash * 31 + bits;
        }
        printf("%08x\n", hash);
    }
    return 0;
}
