/* SPDX-License-Identifier: MIT */
/* __trap ends the kernel with an error. */
// stderr: stop
#include "check.h"

/* One thread traps. */
__global__ void stop(int at)
{
    if (threadIdx.x == at)
        __trap();
}

int main()
{
    stop<<<1, 64>>>(64);
    SHOW(cudaDeviceSynchronize());
    stop<<<1, 64>>>(40);
    cudaError_t error = cudaDeviceSynchronize();
    EXPECT(error == cudaErrorLaunchFailure
           || error == cudaErrorIllegalInstruction);
    SHOW(cudaGetLastError() == error ? cudaSuccess : cudaErrorUnknown);
    return 0;
}
