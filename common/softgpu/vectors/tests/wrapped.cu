/* SPDX-License-Identifier: MIT */
/* Indices that wrap from one thread to the next: the row's first address is not
 * that of its neighbors.  Threads whose index is out of range are inactive, so
 * a vector access from the first address would fault. */
#include <stdint.h>
#include <stdio.h>

enum { N = 64, BELOW = 8 };

/* Thread t owns element t - 8, which is 2^32 - 8 + t for the first threads. */
__global__ void shift_unsigned(const float *in, float *out, unsigned below)
{
    const unsigned i = threadIdx.x - below;
    float sum = 0;
    if (i < N)
        sum = in[i];
    __syncthreads(); /* so the kernel is no loop over its threads */
    if (i < N)
        out[i] = sum + 1;
}

/* As signed numbers, indices go on at -2^31 after 2^31 - 1.
 *  @param in   2^31 elements after the array, as out */
__global__ void shift_signed(const float *in, float *out, unsigned start)
{
    const int i = (int)(threadIdx.x + start);
    float sum = 0;
    if (i < 0)
        sum = in[i];
    __syncthreads(); /* as above */
    if (i < 0)
        out[i] = sum * 3;
}

/* Rows that do not wrap: the element of row * n + threadIdx.x. */
__global__ void rows_of_image(const float *in, float *out, int n)
{
    const unsigned row = blockIdx.x * 2 + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < 3; k++)
        sum = sum * 2 + in[(row + k) * n + threadIdx.x];
    __syncthreads(); /* as above */
    out[row * n + threadIdx.x] = sum;
}

/* Under a condition, indices rise by one from thread to thread, but the first
 * thread of a row, which is not active, has one that wraps. */
__global__ void shift_masked(const float *in, float *out, int steps)
{
    const unsigned t = threadIdx.x, i = t - 3, later = t + 3;
    float sum = 0;
    for (int k = 0; k < steps; k++) {
        if (i < N - BELOW)
            sum += in[i];
        if (t >= 5 && t < N - 1)
            sum = sum * 2 + in[t - 5];
        if (later % 4 == 0 && later < N - 1) /* + 1 may become an or */
            sum += in[later + 1];
        __syncthreads(); /* as above */
    }
    out[t] = sum;
}

/* Launch the four kernels and print what they stored. */
int main()
{
    const uintptr_t far = (uintptr_t)sizeof(float) << 31;
    float *in, *out;
    cudaMallocManaged(&in, N * sizeof *in);
    cudaMallocManaged(&out, N * sizeof *out);
    for (int i = 0; i < N; i++)
        in[i] = (float)(i * i);
    shift_unsigned<<<1, N>>>(in, out, BELOW);
    cudaDeviceSynchronize();
    for (int i = 0; i < N; i++)
        printf("%g ", out[i]);
    shift_signed<<<1, N>>>((float *)((uintptr_t)in + far),
                           (float *)((uintptr_t)out + far),
                           0x80000000u - BELOW);
    printf("%d\n", (int)cudaDeviceSynchronize());
    for (int i = 0; i < N; i++)
        printf("%g ", out[i]);
    rows_of_image<<<1, dim3(N / 4, 2)>>>(in, out, N / 4);
    printf("%d\n", (int)cudaDeviceSynchronize());
    for (int i = 0; i < N; i++)
        printf("%g ", out[i]);
    shift_masked<<<1, N>>>(in, out, 3);
    printf("%d\n", (int)cudaDeviceSynchronize());
    for (int i = 0; i < N; i++)
        printf("%a ", out[i]);
    return 0;
}
