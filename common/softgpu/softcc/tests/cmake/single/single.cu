/* SPDX-License-Identifier: MIT */
/* A kernel, and a macro with a blank from CMakeLists.txt. */
#include <cstdio>

/** out[i] = 3 i, a thread an element, one block. */
__global__ void triple(int *out) { out[threadIdx.x] = 3 * threadIdx.x; }

int main()
{
    int *d_out, last = 0;
    cudaMalloc(&d_out, 32 * sizeof *d_out);
    triple<<<1, 32>>>(d_out);
    cudaMemcpy(&last, d_out + 31, sizeof last, cudaMemcpyDeviceToHost);
    cudaFree(d_out);
    printf("%s: %d\n", GREETING, last);
    return last != 93;
}
