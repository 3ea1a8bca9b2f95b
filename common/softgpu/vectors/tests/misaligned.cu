/* SPDX-License-Identifier: MIT */
/* Thread 17 accesses a misaligned address, in one of three ways. */
#include <stdio.h>
#include <stdlib.h>

/* Through a pointer that was cast. */
template <class T> __global__ void cast(float *in, float *out, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        T value = *reinterpret_cast<T *>(in + 4 * i + (i == 17));
        *reinterpret_cast<T *>(out + 4 * i) = value;
    }
}

/* Through a pointer that is an argument. */
__global__ void argument(const float4 *in, float4 *out, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        if (i % 32 == 17)
            out[i] = in[i];
}

/* The argument: 0, 1 or 2. */
int main(int count, char **arguments)
{
    float *words;
    cudaMalloc(&words, 4096);
    switch (count > 1 ? atoi(arguments[1]) : 0) {
    case 0:
        cast<float2><<<1, 32>>>(words, words + 512, 64);
        break;
    case 1:
        cast<float4><<<1, 32>>>(words, words + 512, 64);
        break;
    default:
        argument<<<1, 32>>>((float4 *)(words + 1), (float4 *)(words + 512), 64);
    }
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
