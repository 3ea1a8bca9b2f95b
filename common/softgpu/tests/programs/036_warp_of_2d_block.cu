/* SPDX-License-Identifier: MIT */
/* Lanes follow the linear thread index, x fastest. */
#include "check.h"

/* Reads the indices of lane 31 of its warp. */
__global__ void lanes(int *out)
{
    int i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    out[i] = __shfl_sync(
        ~0u, 100 * threadIdx.z + 10 * threadIdx.y + threadIdx.x, 31);
}

int main()
{
    int *out = managed<int>(64);
    lanes<<<1, dim3(4, 4, 4)>>>(out);
    RUN();
    for (int i = 0; i < 64; i++)
        EXPECT(out[i] == out[i / 32 * 32]);
    printf("%d %d\n", out[0], out[63]);
    return 0;
}
