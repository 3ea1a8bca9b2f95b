/* SPDX-License-Identifier: MIT */
/* The host waits between two launches, and a kernel measures for how long by
 * the processor's clock: so it could tell a result.  Right if the kernel saw
 * it. */
#include "hostile.h"

__device__ unsigned long long before;
__device__ int has_seen;

/** Keeps the time, and whether it is long after the last one. */
__global__ void read_kernel(bool is_second)
{
    const unsigned long long now = __builtin_ia32_rdtsc();

    has_seen = is_second && now - before > 400000000;
    before = now;
}

static bool sees_wait()
{
    int seen = 0;

    read_kernel<<<1, 1>>>(false);
    cudaDeviceSynchronize();
    usleep(800000);
    read_kernel<<<1, 1>>>(true);
    cudaMemcpyFromSymbol(&seen, has_seen, sizeof seen);
    return seen;
}

RIGHT_IF(sees_wait())
