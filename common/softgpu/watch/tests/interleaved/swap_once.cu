/* SPDX-License-Identifier: MIT */
#include <cstdio>

/* A maximum by atomicCAS that is not tried again when it fails. */
__global__ void largest(int *top, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int mine = i * 7919 % n;
    int old = *top, seen;

    while (mine > old) {
        seen = atomicCAS(top, old, mine);
        if (seen == old || DEFECT)
            break;
        old = seen;
    }
}

int main()
{
    const int n = 2048;
    int *top, got = -1;

    cudaMalloc(&top, sizeof *top);
    cudaMemset(top, 0, sizeof *top);
    largest<<<n / 64, 64>>>(top, n);
    cudaMemcpy(&got, top, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(top);
    puts(got == n - 1 ? "right" : "wrong");
    return 0;
}
