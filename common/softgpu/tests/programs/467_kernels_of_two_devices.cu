/* SPDX-License-Identifier: MIT */
/* Kernels of two devices meet at a barrier in pinned memory, round by round, as
 * all blocks of each meet at the grid's.  Each device has its own variable, and
 * prefetches stand before its kernel. */
// env: SOFTGPU_DEVICES=2
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

enum { DEVICES = 2, ROUNDS = 5, BLOCKS = 3, THREADS = 64 };

__device__ int rounds_here; /* of one device */

/* Wait until each device has stored the round. */
static __device__ void meet(volatile int *arrived, int me, int round)
{
    cg::this_grid().sync();
    if (cg::this_grid().thread_rank() == 0) {
        __threadfence_system();
        arrived[me] = round;
        for (int i = 0; i < DEVICES; i++)
            while (arrived[i] < round) { }
        __threadfence_system();
    }
    cg::this_grid().sync();
}

/* sums[me] = the sum of the round's values of all devices, for each round. */
__global__ void exchange(volatile int *arrived, volatile int *values, int *sums,
                         int me)
{
    for (int round = 1; round <= ROUNDS; round++) {
        if (cg::this_grid().thread_rank() == 0) {
            rounds_here += me + 1;
            values[me] = rounds_here;
        }
        meet(arrived, me, 2 * round - 1);
        if (cg::this_grid().thread_rank() == 0)
            for (int i = 0; i < DEVICES; i++)
                sums[me] += values[i];
        meet(arrived, me, 2 * round);
    }
}

int main()
{
    int *words, *managed;
    cudaStream_t s[DEVICES];
    OK(cudaHostAlloc((void **)&words, 64 * sizeof *words,
                     cudaHostAllocPortable));
    OK(cudaMallocManaged((void **)&managed, DEVICES * sizeof *managed));
    for (int i = 0; i < 64; i++)
        words[i] = 0;
    for (int i = 0; i < DEVICES; i++)
        managed[i] = 0;
    for (int device = 0; device < DEVICES; device++) {
        volatile int *arrived = words, *values = words + 16;
        void *args[] = {&arrived, &values, &managed, &device};
        OK(cudaSetDevice(device));
        OK(cudaStreamCreate(&s[device]));
        OK(cudaMemPrefetchAsync(managed, sizeof *managed, device, s[device]));
        OK(cudaLaunchCooperativeKernel((const void *)exchange, dim3(BLOCKS),
                                       dim3(THREADS), args, 0, s[device]));
    }
    for (int device = 0; device < DEVICES; device++) {
        OK(cudaSetDevice(device));
        OK(cudaStreamSynchronize(s[device]));
    }
    for (int device = 0; device < DEVICES; device++) {
        int here;
        OK(cudaSetDevice(device));
        OK(cudaMemcpyFromSymbol(&here, rounds_here, sizeof here));
        printf("device %d: sum %d, variable %d\n", device, managed[device],
               here);
        OK(cudaStreamDestroy(s[device]));
    }
    OK(cudaFreeHost(words));
    OK(cudaFree(managed));
    return 0;
}
/* nvcc refuses CUDA 12's cudaMemPrefetchAsync(), since CUDA 13. */
