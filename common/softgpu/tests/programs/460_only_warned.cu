/* SPDX-License-Identifier: MIT */
/* What nvcc and gcc accept with a warning, and clang takes for errors. */
#include "check.h"

__host__ __device__ dim3 shape(int n) { return dim3{n, 2 * n}; }

/* What nvcc only warns of: register, narrowing. */
__global__ void show(int n, double third)
{
    register int twice = 2 * n;
    unsigned counts[] = { n, n + 1 };
    float halves[2] = { third / 2, (float)third };
    printf("%d %u %u %.4f %u\n", twice, counts[0], counts[1], halves[0],
           shape(n).y);
}

int main()
{
    register int n = 3;
    dim3 grid = { n - 2, 1, 1 };
    show<<<grid, 1>>>(n, 1.0 / 3);
    OK(cudaDeviceSynchronize());
    return 0;
}
