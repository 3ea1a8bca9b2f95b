/* SPDX-License-Identifier: MIT */
/* A kernel that another one waits for fails: the device's error ends both, as
 * on a card, and the program goes on. */
// stderr: fail
#include "check.h"

/* Ends when the flag is set. */
__global__ void wait_for(volatile int *flag)
{
    while (*flag == 0) { }
}

/* Ends with an error, before the flag is set. */
__global__ void fail(int *flag)
{
    __trap();
    *flag = 1;
}

int main()
{
    cudaStream_t s[2];
    int *d;
    OK(cudaMalloc((void **)&d, sizeof *d));
    OK(cudaMemset(d, 0, sizeof *d));
    for (int i = 0; i < 2; i++)
        OK(cudaStreamCreate(&s[i]));
    OK(cudaDeviceSynchronize());
    wait_for<<<2, 32, 0, s[0]>>>(d);
    fail<<<1, 32, 0, s[1]>>>(d);
    SHOW(cudaDeviceSynchronize());
    return 0;
}
