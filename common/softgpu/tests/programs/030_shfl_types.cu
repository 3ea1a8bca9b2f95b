/* SPDX-License-Identifier: MIT */
/* Shuffles of every type carry all bits. */
#include "check.h"
#include <cuda_fp16.h>

template <typename T> __device__ bool same(T value, T expected)
{
    return __shfl_xor_sync(~0u, value, 1) == expected
           && __shfl_down_sync(~0u, value, 0) == value;
}

/* Counts the threads in which each type kept all bits of its value. */
__global__ void types(int *good)
{
    int i = threadIdx.x, j = i ^ 1;
    bool is = same<int>(-i, -j) && same<unsigned>(~i, ~j)
              && same<long>(i - (1l << 40), j - (1l << 40))
              && same<unsigned long>(~0ul - i, ~0ul - j)
              && same<long long>(i * 1000000007ll, j * 1000000007ll)
              && same<unsigned long long>((1ull << 63) + i, (1ull << 63) + j)
              && same<float>(i / 3.0f, j / 3.0f)
              && same<double>(i / 3.0, j / 3.0);
    __half half = __shfl_xor_sync(~0u, __float2half(i * 0.5f), 1);
    is = is && __half2float(half) == j * 0.5f;
    atomicAdd(good, is);
}

int main()
{
    int *good = managed<int>(1);
    types<<<2, 64>>>(good);
    RUN();
    printf("%d\n", *good);
    return 0;
}
