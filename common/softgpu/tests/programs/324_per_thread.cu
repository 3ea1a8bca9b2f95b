/* SPDX-License-Identifier: MIT */
/* --default-stream per-thread: each host thread has its stream 0; a launch may
 * then be captured on cudaStreamPerThread. */
// flags: --default-stream=per-thread
#include <cstdio>

#include "check.h"

/* The work that is captured. */
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
