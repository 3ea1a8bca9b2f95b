/* SPDX-License-Identifier: MIT */
/* Right if copies and fills are performed whose sizes pass only because their
 * products wrap around: each would leave its allocation. */
#include "hostile.h"

static bool act(void)
{
    const size_t bytes = 4096, row = 1 << 20;
    const size_t pitch = bytes - row; /* pitch + row is 4096 */
    char *host = (char *)calloc(1, 2 * row), *d = NULL;
    bool done = false;

    if (!host || cudaMalloc(&d, bytes))
        return false;
    done |= !cudaMemcpy2D(d, pitch, host, row, row, 2, cudaMemcpyHostToDevice);
    done |= !cudaMemcpy2D(host, row, d, pitch, row, 2, cudaMemcpyDeviceToHost);
    done |= !cudaMemset2D(d, pitch, 0, row, 2);
    done |= !cudaMemcpy2DAsync(d, (size_t)1 << 63, host, (size_t)1 << 63, 64,
                               3, cudaMemcpyHostToDevice, 0);
    cudaDeviceSynchronize();
    cudaGetLastError();
    cudaFree(d);
    free(host);
    return done;
}

RIGHT_IF(act())
