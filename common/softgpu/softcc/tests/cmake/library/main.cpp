/* SPDX-License-Identifier: MIT */
/* Host code alone, which knows nothing of CUDA's headers but the runtime. */
#include <cuda_runtime_api.h>

#include <cstdio>

#include "scale.h"

int main()
{
    int *x;
    if (cudaMallocManaged((void **)&x, 100 * sizeof *x, cudaMemAttachGlobal))
        return 1;
    for (int i = 0; i < 100; i++)
        x[i] = i;
    const int error = scale(x, 100), sum = total(x, 100);
    cudaFree(x);
    printf("error %d, sum %d\n", error, sum);
    return error != 0 || sum != 24750;
}
