/* SPDX-License-Identifier: MIT */
/* Thread 17 accesses a misaligned address, in one of four ways. */
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

/* In an array of shared memory, whose own alignment is known. */
__global__ void of_shared(const float *in, float *out, int n)
{
    __shared__ float s_words[4 * 32 + 1];
    for (int i = threadIdx.x; i < 4 * 32; i += blockDim.x)
        s_words[i] = in[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        *(float4 *)(out + 4 * i) = *(float4 *)&s_words[4 * i + (i == 17)];
}

/* The argument: 0, 1, 2 or 3. */
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
    case 2:
        of_shared<<<1, 32>>>(words, words + 512, 32);
        break;
    default:
        argument<<<1, 32>>>((float4 *)(words + 1), (float4 *)(words + 512), 64);
    }
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
