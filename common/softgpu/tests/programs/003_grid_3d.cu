/* SPDX-License-Identifier: MIT */
/* Every thread of a 3-D grid of 3-D blocks runs once, with its own indices. */
#include "check.h"

/* Adds to the one word that its thread owns a value made of its indices. */
__global__ void mark(int *count)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    int width = gridDim.x * blockDim.x, height = gridDim.y * blockDim.y;
    count[(z * height + y) * width + x] += 1 + 100 * x + 10 * y + z;
}

int main()
{
    dim3 grid(3, 4, 2), block(2, 1, 3);
    int *count = managed<int>(6 * 4 * 6);
    mark<<<grid, block>>>(count);
    RUN();
    for (int z = 0; z < 6; z++)
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 6; x++)
                EXPECT(count[(z * 4 + y) * 6 + x]
                       == 1 + 100 * x + 10 * y + z);
    printf("%d\n", total(count, 144));
    return 0;
}
