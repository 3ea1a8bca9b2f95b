/* SPDX-License-Identifier: MIT */
/* A call that capture does not permit invalidates it; stderr has the line. */
// stderr: a call that stream capture does not permit
// stderr: 187_capture_forbids.cu:17
#include "check.h"

/* A node of the graph. */
__global__ void add(int *a, int by) { *a += by; }

static cudaError_t queue(int *d, bool wait, cudaGraph_t *graph)
{
    cudaStream_t stream;
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    add<<<1, 1, 0, stream>>>(d, 3);
    if (wait)
        printf("%s\n", cudaGetErrorName(cudaStreamSynchronize(stream)));
    const cudaError_t error = cudaStreamEndCapture(stream, graph);
    OK(cudaStreamDestroy(stream));
    return error;
}

int main()
{
    cudaGraph_t graph;
    int *d;
    OK(cudaMalloc(&d, sizeof *d));
    printf("%s\n", cudaGetErrorName(queue(d, false, &graph)));
    OK(cudaGraphDestroy(graph));
    printf("%s\n", cudaGetErrorName(queue(d, true, &graph)));
    (void)cudaGetLastError();
    OK(cudaFree(d));
    return 0;
}
