/* SPDX-License-Identifier: MIT */
/* The shared library: a sum by atomics. */
/** One block; thread i adds x[i]. */
__global__ void total_kernel(const int *x, int n, int *sum)
{
    if (threadIdx.x < n)
        atomicAdd(sum, x[threadIdx.x]);
}

int total(const int *x, int n)
{
    int *sum, result;
    cudaMallocManaged(&sum, sizeof *sum);
    *sum = 0;
    total_kernel<<<1, 1024>>>(x, n, sum);
    cudaDeviceSynchronize();
    result = *sum;
    cudaFree(sum);
    return result;
}
