/* SPDX-License-Identifier: MIT */
/* A kernel calls a function of the C library, whose address the host passes,
 * without the compiler's thunk. */
#include "hostile.h"

__attribute__((noinline, indirect_branch("keep"))) __device__ int
call(pid_t (*ask)(void))
{
    return ask() + 0;
}

/* One thread asks for the number of its process. */
__global__ void asking_kernel(pid_t (*ask)(void), int *answer)
{
    *answer = call(ask);
}

static bool act(void)
{
    int *d = NULL, answer = 0;

    cudaMalloc(&d, sizeof *d);
    asking_kernel<<<1, 1>>>(getpid, d);
    cudaMemcpy(&answer, d, sizeof answer, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return answer > 0;
}

RIGHT_IF(act())
