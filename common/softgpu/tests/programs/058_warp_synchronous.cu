/* SPDX-License-Identifier: MIT */
/* The published reduction that unrolls its last warp: volatile shared memory
 * and no __syncwarp(), in two common forms; and a warp for each segment, whose
 * bounds two of its lanes fetch for all.  The first form also in global memory,
 * in place. */
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

/* The last warp reduces in a function with a volatile parameter. */
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

/* The last warp reduces through a volatile pointer in the kernel. */
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

/* Every block reduces its part of the input where it is. */
__global__ void in_place(int *in)
{
    int *part = in + blockIdx.x * blockDim.x, tid = threadIdx.x;
    for (int s = blockDim.x / 2; s > 32; s >>= 1) {
        if (tid < s)
            part[tid] += part[tid + s];
        __syncthreads();
    }
    if (tid < 32)
        warp_reduce(part, tid);
}

/* A warp adds one segment; two lanes load its bounds for all of them. */
__global__ void segments(const int *starts, const int *in, int n, int *out)
{
    __shared__ volatile int s_bounds[2][2];
    volatile __shared__ int s_sum[2 * 32 + 16];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int i = threadIdx.x; i < 2 * 32 + 16; i += 64)
        s_sum[i] = 0; /* some are read early, though they count for none */
    __syncthreads();
    for (int k = blockIdx.x * 2 + warp; k < n; k += gridDim.x * 2) {
        if (lane < 2)
            s_bounds[warp][lane] = starts[k + lane];
        const int begin = s_bounds[warp][0];
        const int end = s_bounds[warp][1];
        int sum = 0;
        for (int i = begin + lane; i < end; i += 32)
            sum += in[i];
        s_sum[threadIdx.x] = sum;
        s_sum[threadIdx.x] = sum = sum + s_sum[threadIdx.x + 16];
        s_sum[threadIdx.x] = sum = sum + s_sum[threadIdx.x + 8];
        s_sum[threadIdx.x] = sum = sum + s_sum[threadIdx.x + 4];
        s_sum[threadIdx.x] = sum = sum + s_sum[threadIdx.x + 2];
        s_sum[threadIdx.x] = sum = sum + s_sum[threadIdx.x + 1];
        if (lane == 0)
            out[k] = s_sum[threadIdx.x];
    }
}

/* Lanes that spin on what another lane of their warp stores further down. */
__global__ void handed_down(int *out)
{
    __shared__ volatile int s_flags[2];
    if (threadIdx.x < 2)
        s_flags[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x != 31)
        while (s_flags[0] == 0)
            ;
    else
        s_flags[0] = 1;
    out[threadIdx.x] = s_flags[0];
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
    int *starts = managed<int>(41), *parts = managed<int>(40);
    for (int i = 0; i <= 40; i++)
        starts[i] = i * (i + 3) / 2;
    segments<<<3, 64>>>(starts, a, 40, parts);
    int *ones = managed<int>(32);
    handed_down<<<1, 32>>>(ones);
    int *copy = managed<int>(n);
    for (int i = 0; i < n; i++)
        copy[i] = a[i];
    in_place<<<4, 256>>>(copy);
    RUN();
    for (int i = 0; i < 40; i++)
        EXPECT(parts[i] == total(a + starts[i], starts[i + 1] - starts[i]));
    EXPECT(total(ones, 32) == 32);
    for (int i = 0; i < 4; i++)
        EXPECT(out[i] == total(a + 256 * i, 256) && copy[256 * i] == out[i]);
    for (int i = 0; i < 8; i++)
        EXPECT(sums[i] == total(b + 128 * i, 128));
    printf("%d %g\n", out[3], sums[7]);
    return 0;
}
