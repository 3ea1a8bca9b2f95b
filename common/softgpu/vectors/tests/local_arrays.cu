/* SPDX-License-Identifier: MIT */
/* Large local arrays, too large ones, and many values that live across the
 * barriers of a block of 1024 threads: 400 KiB of its stack. */
#include <cstdio>

enum { N = 4096, LIVE = 96 };

/* A sum over a local array of LENGTH floats, in an order that is not known when
 * it is filled. */
template <int LENGTH> static __device__ float walk(int i, int step)
{
    float local[LENGTH], sum = 0;
    for (int k = 0; k < LENGTH; k++)
        local[k] = (float)((i + k) % 97);
    for (int k = 0, at = i % LENGTH; k < 64; k++, at = (at + step) % LENGTH) {
        local[at] += 1;
        sum += local[at] * k;
    }
    return sum;
}

/* 3 KiB a thread. */
__global__ void large_array(float *out, int step)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = walk<768>(i, step);
}

/* 16 KiB a thread: half a mebibyte of a gang. */
__global__ void too_large_array(float *out, int step)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = walk<4096>(i, step);
}

/* LIVE sums of a thread wait at each barrier. */
__global__ void many_live(float *out, int turns)
{
    __shared__ float s_x[1024];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sums[LIVE], all = 0;
    for (int k = 0; k < LIVE; k++)
        sums[k] = (float)(k + threadIdx.x % 5);
    for (int t = 0; t < turns; t++) {
        s_x[threadIdx.x] = (float)((i + t) % 13);
        __syncthreads();
        const float x = s_x[(threadIdx.x + t * 7) % blockDim.x];
#pragma unroll
        for (int k = 0; k < LIVE; k++)
            sums[k] += x * (k % 3);
        __syncthreads();
    }
    for (int k = 0; k < LIVE; k++)
        all += sums[k] * (k % 7);
    out[i] = all;
}

int main()
{
    float *out;
    double sums[3] = {};

    cudaMallocManaged(&out, N * sizeof *out);
    for (int run = 0; run < 3; run++) {
        if (run == 0)
            large_array<<<N / 128, 128>>>(out, 5);
        else if (run == 1)
            too_large_array<<<N / 128, 128>>>(out, 5);
        else
            many_live<<<N / 1024, 1024>>>(out, 9);
        cudaDeviceSynchronize();
        for (int i = 0; i < N; i++)
            sums[run] += out[i] * (i % 11);
    }
    printf("%s %.9g %.9g %.9g\n", cudaGetErrorString(cudaGetLastError()),
           sums[0], sums[1], sums[2]);
    return 0;
}
