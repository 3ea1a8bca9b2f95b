/* SPDX-License-Identifier: MIT */
/* Occupancy calls: resident blocks per SM, and the best block size. */
#include "check.h"

/* Uses no shared memory. */
__global__ void plain(int *a) { *a = 1; }

/* Uses 40,000 bytes of shared memory per block. */
__global__ void heavy(int *a)
{
    __shared__ int s_a[10000];
    s_a[threadIdx.x] = *a;
    __syncthreads();
    *a = s_a[0];
}

static int blocks(void (*kernel)(int *), int threads, size_t dynamic = 0)
{
    int n = -1;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, kernel, threads,
                                                     dynamic));
    return n;
}

/* Dynamic shared memory of a block: a function of the program, which may call
 * the runtime. */
static size_t by_device(int threads)
{
    int device;
    OK(cudaGetDevice(&device));
    return device == 0 ? (size_t)threads * 4 : 0;
}

int main()
{
    cudaDeviceProp p;
    int grid = 0, block = 0;
    OK(cudaGetDeviceProperties(&p, 0));
    EXPECT(blocks(plain, 1024) == p.maxThreadsPerMultiProcessor / 1024);
    EXPECT(blocks(plain, 32) == p.maxBlocksPerMultiProcessor);
    int by_shared = p.sharedMemPerMultiprocessor / (40000 + 64 + 1024);
    EXPECT(blocks(heavy, 64) == by_shared);
    EXPECT(blocks(plain, 64, 40064) == by_shared);
    OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain, 0, 0));
    EXPECT(grid > 0 && block > 0 && block % 32 == 0
           && blocks(plain, block) * block == p.maxThreadsPerMultiProcessor);
    EXPECT(grid == blocks(plain, block) * p.multiProcessorCount);
    OK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, plain,
                                                      by_device));
    EXPECT(block > 0 && blocks(plain, block, (size_t)block * 4) > 0);
    printf("ok\n");
    return 0;
}
