/* SPDX-License-Identifier: MIT */
/* C++, C and CUDA in one program; the host files use the runtime API. */
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

#include "sum.h"

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
    return 0;
}
