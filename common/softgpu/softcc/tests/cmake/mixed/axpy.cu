/* SPDX-License-Identifier: MIT */
/* The kernel of a program whose other file is C++. */
/** y[i] += a x[i], a thread an element. */
__global__ void axpy_kernel(int n, float a, const float *x, float *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += a * x[i];
}

cudaError_t axpy(int n, float a, const float *x, float *y)
{
    axpy_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y);
    return cudaDeviceSynchronize();
}
