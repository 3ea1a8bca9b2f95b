/* SPDX-License-Identifier: MIT */
/* Assertions: assertions [SMALLER], where SMALLER is taken from the number of
 * elements, so that the last threads fail. */
#include <cassert>
#include <cstdio>
#include <cstdlib>

enum { N = 96, STEPS = 3 };

/* About indices alone: what the kernel stores does not change it. */
__global__ void about_indices(const int *in, int *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int step = 0; step < STEPS; step++) {
        assert(i + step < n);
        out[i] += in[i + step];
        __syncthreads(); /* so the kernel is no loop over its threads */
    }
}

/* About an element that the kernel has changed. */
__global__ void about_memory(int *out)
{
    for (int step = 0; step < STEPS; step++)
        out[threadIdx.x] += step;
    __syncthreads(); /* as above */
    assert(out[threadIdx.x] < 0);
}

/* Print the sums, and the error of the kernel. */
int main(int count, char **arguments)
{
    const int n = N + STEPS - 1 - (count > 1 ? atoi(arguments[1]) : 0);
    int *in, *out;
    cudaMallocManaged(&in, (N + STEPS) * sizeof *in);
    cudaMallocManaged(&out, N * sizeof *out);
    for (int i = 0; i < N + STEPS; i++)
        in[i] = i * i;
    if (n < 0)
        about_memory<<<1, N>>>(out);
    about_indices<<<1, N>>>(in, out, n);
    printf("error %d\n", (int)cudaDeviceSynchronize());
    for (int i = 0; i < N && count == 1; i++)
        printf("%d ", out[i]);
    return 0;
}
