/* SPDX-License-Identifier: MIT */
/* The warp reductions of compute capability 8.0. */
#include "check.h"

/* Each of the seven reductions over a warp; one lane stores them. */
__global__ void reduce(int *out, unsigned *bits)
{
    int i = threadIdx.x;
    int sum = __reduce_add_sync(~0u, i - 10);
    int low = __reduce_min_sync(~0u, 5 - i), high = __reduce_max_sync(~0u, i);
    unsigned top = __reduce_max_sync(~0u, (unsigned)-i);
    unsigned both = __reduce_and_sync(~0u, 0xf0u | i);
    unsigned some = __reduce_or_sync(~0u, 1u << (i / 2));
    unsigned odd = __reduce_xor_sync(~0u, i < 3 ? 1u << i : 0);
    if (i == 17) {
        out[0] = sum;
        out[1] = low;
        out[2] = high;
        bits[0] = top;
        bits[1] = both;
        bits[2] = some;
        bits[3] = odd;
    }
}

int main()
{
    int *out = managed<int>(3);
    unsigned *bits = managed<unsigned>(4);
    reduce<<<1, 32>>>(out, bits);
    RUN();
    printf("%d %d %d\n", out[0], out[1], out[2]);
    printf("%08x %02x %04x %x\n", bits[0], bits[1], bits[2], bits[3]);
    return 0;
}
