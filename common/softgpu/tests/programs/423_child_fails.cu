/* SPDX-License-Identifier: MIT */
// stderr: 423_child_fails.cu:18
/* A kernel that waits for a child which fails ends, too: what it would do next
 * is not done, nor are the launches after that.  The message names the
 * child. nvcc refuses this from 12.0 on. */
#include "check.h"

/* Notes that it ran. */
__global__ void note(int *at)
{
    *at = 1;
}

/* Its last block fails. */
__global__ void fail()
{
    if (blockIdx.x == 3)
        __trap();
}

/* notes[0] before, [1] a child that runs, [2] one behind the failure. */
__global__ void parent(int *notes)
{
    notes[0] = 1;
    note<<<1, 1>>>(notes + 1);
    fail<<<4, 32>>>();
    note<<<1, 1>>>(notes + 2);
    cudaDeviceSynchronize();
    notes[3] = 1;
}

int main()
{
    int *notes;
    OK(cudaHostAlloc(&notes, 4 * sizeof *notes, cudaHostAllocMapped));
    memset(notes, 0, 4 * sizeof *notes);
    parent<<<1, 1>>>(notes);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("%d %d %d %d\n", notes[0], notes[1], notes[2], notes[3]);
    return 0;
}
