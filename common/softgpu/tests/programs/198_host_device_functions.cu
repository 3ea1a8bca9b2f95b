/* SPDX-License-Identifier: MIT */
/* __host__ __device__ functions have the same results on both sides, unless
 * they test which side that is. */
#include "check.h"

__host__ __device__ inline unsigned hash(unsigned x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

__host__ __device__ int where()
{
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 0;
#endif
}

/* One hash per thread, times the side's own factor. */
__global__ void run(unsigned *out)
{
    out[threadIdx.x] = hash(threadIdx.x) * where();
}

int main()
{
    unsigned *out = managed<unsigned>(100);
    run<<<1, 100>>>(out);
    RUN();
    for (int i = 0; i < 100; i++)
        EXPECT(out[i] == hash(i));
    EXPECT(where() == 0);
    printf("%u\n", out[0]);
    return 0;
}
