/* SPDX-License-Identifier: MIT */
/* An event of this process alone, and memory that it keeps. */
#include "hostile.h"

static bool act(void)
{
    cudaEvent_t event = NULL;
    float *d = NULL;

    if (cudaEventCreateWithFlags(&event, cudaEventDisableTiming))
        return false;
    if (cudaMalloc(&d, 1 << 20) || cudaFree(d))
        return false;
    return cudaEventRecord(event, 0) == cudaSuccess
           && cudaEventSynchronize(event) == cudaSuccess
           && cudaEventDestroy(event) == cudaSuccess;
}

RIGHT_IF(act())
