/* SPDX-License-Identifier: MIT */
/* y = 2 x + 1 by the kernel, then the sum of y's elements by cuBLAS. */
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdio>

cudaError_t axpy(int n, float a, const float *x, float *y);

int main()
{
    const int n = 1000;
    float *x, *y, sum = 0;
    cudaMallocManaged(&x, n * sizeof *x);
    cudaMallocManaged(&y, n * sizeof *y);
    for (int i = 0; i < n; i++)
        x[i] = y[i] = 1;
    const cudaError_t error = axpy(n, 2, x, y);
    cublasHandle_t handle;
    cublasCreate(&handle);
    cublasSasum(handle, n, y, 1, &sum);
    cublasDestroy(handle);
    cudaFree(x);
    cudaFree(y);
    printf("%s, sum %g\n", cudaGetErrorName(error), sum);
    return error != cudaSuccess || sum != 3000;
}
