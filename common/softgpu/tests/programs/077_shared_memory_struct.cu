/* SPDX-License-Identifier: MIT */
/* The samples' SharedMemory<T>: a template that converts to a pointer. */
#include "check.h"

template <class T> struct SharedMemory {
    __device__ inline operator T *()
    {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
    __device__ inline operator const T *() const
    {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
};

/* Adds the elements in an array that the template made for their type. */
template <class T> __global__ void sum(const T *a, T *out)
{
    T *sdata = SharedMemory<T>();
    unsigned tid = threadIdx.x;
    sdata[tid] = a[tid];
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        *out = sdata[0];
}

template <class T> static void show()
{
    T *a = managed<T>(128), *out = managed<T>(1);
    for (int i = 0; i < 128; i++)
        a[i] = (T)(i * 1.5);
    sum<T><<<1, 128, 128 * sizeof(T)>>>(a, out);
    RUN();
    printf("%g\n", (double)*out);
}

int main()
{
    show<int>();
    show<float>();
    show<double>();
    return 0;
}
