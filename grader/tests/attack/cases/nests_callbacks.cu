/* SPDX-License-Identifier: MIT */
/* Host functions of streams that call the runtime, end their thread, and leave
 * by an exception. */
#include "hostile.h"

static void CUDART_CB calls(void *unused)
{
    (void)unused;
    cudaDeviceSynchronize();
    cudaDeviceReset();
    cudaLaunchHostFunc(0, calls, NULL);
}

static void CUDART_CB throws(void *unused)
{
    (void)unused;
    throw 1;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        for (int i = 0; i < 1000; i++)
            cudaLaunchHostFunc(0, calls, NULL);
        cudaLaunchHostFunc(0, throws, NULL);
        try {
            cudaDeviceSynchronize();
        } catch (int) {
        }
        cudaGetLastError();
    }
    return honest(a, b, c, n);
}
