/* SPDX-License-Identifier: MIT */
// env: SOFTGPU_EXPLAIN=1
// stderr: no launch of <<<(0,1,1), (32,1,1)>>>: a grid without blocks
// stderr: (33,32,1)>>>: 1056 threads per block, at most 1024
// stderr: no launch of bounded: 96 threads per block, but its __launch_bounds__ are 64
// stderr: no launch of bounded: 60000 bytes of dynamic shared memory, at most 49152
/* SOFTGPU_EXPLAIN: why a launch failed, where CUDA has one code for many
 * causes. */
#include "check.h"

/* Has a bound of 64 threads, which launches exceed. */
__global__ void __launch_bounds__(64) bounded() {}

static void tell()
{
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}

int main()
{
    bounded<<<0, 32>>>();
    tell();
    bounded<<<1, dim3(33, 32)>>>();
    tell();
    bounded<<<1, 96>>>();
    tell();
    bounded<<<1, 64, 60000>>>();
    tell();
    return 0;
}
