/* SPDX-License-Identifier: MIT */
/* The published two-step reduction: its second step shuffles among 8 lanes
 * from lanes that are not there, which a card answers with 0. */
#include "check.h"

template <class T> __device__ T warp_sum(unsigned mask, T sum)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        sum += __shfl_down_sync(mask, sum, offset);
    return sum;
}

/* Sums of warps, then 8 lanes add these by shuffles from lanes 8-23 too. */
__global__ void reduce(const float *in, float *out)
{
    __shared__ float sdata[8];
    int tid = threadIdx.x;
    float sum = warp_sum(0xffffffff, in[blockIdx.x * blockDim.x + tid]);
    if (tid % warpSize == 0)
        sdata[tid / warpSize] = sum;
    __syncthreads();
    unsigned few = __ballot_sync(0xffffffff, tid < 8);
    if (tid < 8)
        sum = warp_sum(few, sdata[tid]);
    if (tid == 0)
        out[blockIdx.x] = sum;
}

int main()
{
    float *in = managed<float>(512), *out = managed<float>(2);
    for (int i = 0; i < 512; i++)
        in[i] = i % 10;
    reduce<<<2, 256>>>(in, out);
    RUN();
    EXPECT(out[1] == total(in + 256, 256));
    printf("%g %g\n", out[0], out[1]);
    return 0;
}
