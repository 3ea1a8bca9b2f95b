/* SPDX-License-Identifier: MIT */
/* The published reduction that unrolls its last warp: volatile shared memory
 * and no __syncwarp(), in two common forms. */
#include "check.h"

__device__ void warp_reduce(volatile int *sdata, int tid)
{
    sdata[tid] += sdata[tid + 32];
    sdata[tid] += sdata[tid + 16];
    sdata[tid] += sdata[tid + 8];
    sdata[tid] += sdata[tid + 4];
    sdata[tid] += sdata[tid + 2];
    sdata[tid] += sdata[tid + 1];
}

__global__ void first(const int *in, int *out)
{
    extern __shared__ int sdata[];
    unsigned tid = threadIdx.x;
    sdata[tid] = in[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 32; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid < 32)
        warp_reduce(sdata, tid);
    if (tid == 0)
        out[blockIdx.x] = sdata[0];
}

template <class T, int N> __global__ void second(const T *in, T *out)
{
    __shared__ T sdata[N];
    int tid = threadIdx.x;
    T sum = in[blockIdx.x * N + tid];
    sdata[tid] = sum;
    __syncthreads();
    if (tid < N / 2)
        sdata[tid] = sum = sum + sdata[tid + N / 2];
    __syncthreads();
    if (tid < 32) {
        volatile T *smem = sdata;
        for (int d = N / 4; d > 0; d /= 2)
            smem[tid] = sum = sum + smem[tid + d];
    }
    if (tid == 0)
        out[blockIdx.x] = sdata[0];
}

int main()
{
    int n = 1024, *a = managed<int>(n), *out = managed<int>(8);
    double *b = managed<double>(n), *sums = managed<double>(8);
    for (int i = 0; i < n; i++) {
        a[i] = i * i % 101;
        b[i] = a[i] * 0.5;
    }
    first<<<4, 256, 256 * sizeof(int)>>>(a, out);
    second<double, 128><<<8, 128>>>(b, sums);
    RUN();
    for (int i = 0; i < 4; i++)
        EXPECT(out[i] == total(a + 256 * i, 256));
    for (int i = 0; i < 8; i++)
        EXPECT(sums[i] == total(b + 128 * i, 128));
    printf("%d %g\n", out[3], sums[7]);
    return 0;
}
