/* SPDX-License-Identifier: MIT */
/* Stream 0 is one a host thread, as nvcc's option asks: a launch without a stream may
 * then be captured on cudaStreamPerThread. */
// flags: --default-stream=per-thread
#include <cstdio>

#include "check.h"

__global__ void nothing()
{
}

int main()
{
    cudaGraph_t graph = NULL;
    size_t nodes = 0;

    OK(cudaStreamBeginCapture(cudaStreamPerThread,
                              cudaStreamCaptureModeThreadLocal));
    nothing<<<1, 1>>>();
    OK(cudaGetLastError());
    OK(cudaStreamEndCapture(cudaStreamPerThread, &graph));
    OK(cudaGraphGetNodes(graph, NULL, &nodes));
    printf("%zu node\n", nodes);
    OK(cudaGraphDestroy(graph));
    return 0;
}
