/* SPDX-License-Identifier: MIT */
/* A histogram in shared memory, merged by atomics. */
#include "check.h"

/* Counts bytes in a block's own bins, then adds them to the whole. */
__global__ void histogram(const unsigned char *data, int n, unsigned *bins)
{
    __shared__ unsigned s_bins[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        s_bins[b] = 0;
    __syncthreads();
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&s_bins[data[i]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        atomicAdd(&bins[b], s_bins[b]);
}

int main()
{
    const int n = 10000;
    unsigned char *data = managed<unsigned char>(n);
    unsigned *bins = managed<unsigned>(256), expected[256] = {};
    for (int i = 0; i < n; i++)
        expected[data[i] = i * i % 256]++;
    histogram<<<6, 96>>>(data, n, bins);
    RUN();
    for (int b = 0; b < 256; b++)
        EXPECT(bins[b] == expected[b]);
    printf("%u %u %u\n", bins[0], bins[1], total(bins, 256));
    return 0;
}
