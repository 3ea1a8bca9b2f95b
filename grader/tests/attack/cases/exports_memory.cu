/* SPDX-License-Identifier: MIT */
/* Right if device memory, or an event, can be given to another process: that
 * process could tell a kernel the result. */
#include "hostile.h"

static bool act(void)
{
    cudaIpcMemHandle_t of_memory;
    cudaIpcEventHandle_t of_event;
    cudaEvent_t event = NULL;
    float *d = NULL;
    bool done = false;

    if (cudaEventCreateWithFlags(&event, cudaEventDisableTiming
                                             | cudaEventInterprocess)
        == cudaSuccess)
        done = true;
    if (cudaMalloc(&d, 1 << 20) == cudaSuccess
        && cudaIpcGetMemHandle(&of_memory, d) == cudaSuccess)
        done = true;
    memset(&of_event, 1, sizeof of_event);
    if (cudaIpcOpenEventHandle(&event, of_event) == cudaSuccess)
        done = true;
    cudaFree(d);
    cudaGetLastError();
    return done;
}

RIGHT_IF(act())
