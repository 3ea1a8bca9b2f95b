/* SPDX-License-Identifier: MIT */
/* cudaGetLastError returns an error once, cudaPeekAtLastError keeps it, and a
 * success between does not clear it. */
#include "check.h"

/* Launched once with too large a block and once with a good one. */
__global__ void nothing() {}

int main()
{
    nothing<<<1, 2000>>>();
    SHOW(cudaPeekAtLastError());
    SHOW(cudaPeekAtLastError());
    nothing<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaGetLastError());
    SHOW(cudaGetLastError());
    SHOW(cudaMemcpy(nullptr, nullptr, 4, cudaMemcpyHostToDevice));
    SHOW(cudaGetLastError());
    SHOW(cudaPeekAtLastError());
    return 0;
}
