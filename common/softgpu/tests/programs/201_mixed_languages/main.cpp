/* SPDX-License-Identifier: MIT */
/* C++, C and CUDA in one program; the host files use the runtime API. */
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

#include "sum.h"

/* CUDA's specifiers, in a file for the host compiler. */
struct __align__(16) pair {
    int a, b;
};
__host__ __device__ __forceinline__ int twice(int x) { return 2 * x; }

int main()
{
    std::vector<int> h(100);
    int *d = nullptr, sum = 0;
    fill(h.data(), 100);
    if (cudaMalloc(&d, 400) != cudaSuccess
        || cudaMemcpy(d, h.data(), 400, cudaMemcpyHostToDevice) != cudaSuccess)
        return 1;
    sum = device_sum(d, 100);
    dim3 shape(3, 2);
    std::printf("%d %u %s\n", sum, shape.y, cudaGetErrorName(cudaFree(d)));
    std::printf("%zu %d\n", alignof(pair), twice(4));
    return 0;
}
