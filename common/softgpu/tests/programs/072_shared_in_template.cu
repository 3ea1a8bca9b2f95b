/* SPDX-License-Identifier: MIT */
/* A shared array whose type and size are template parameters. */
#include "check.h"

/* Reverses N elements. */
template <typename T, int N> __global__ void reverse(T *a)
{
    __shared__ T s_a[N];
    s_a[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = s_a[N - 1 - threadIdx.x];
}

template <typename T, int N> static void show()
{
    T *a = managed<T>(N);
    for (int i = 0; i < N; i++)
        a[i] = (T)(i + 0.5);
    reverse<T, N><<<1, N>>>(a);
    RUN();
    for (int i = 0; i < N; i++)
        EXPECT(a[i] == (T)(N - 1 - i + 0.5));
    cudaFuncAttributes attributes;
    OK(cudaFuncGetAttributes(&attributes, reverse<T, N>));
    printf("%g %zu\n", (double)a[0], attributes.sharedSizeBytes);
}

int main()
{
    show<float, 32>();
    show<double, 64>();
    show<char, 100>();
    return 0;
}
