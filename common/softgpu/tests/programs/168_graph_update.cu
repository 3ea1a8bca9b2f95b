/* SPDX-License-Identifier: MIT */
/* An executable graph is updated from a graph with the same topology. */
#include "check.h"

/* Appends a digit, so that the order shows. */
__global__ void set(int *a, int value) { *a = *a * 10 + value; }

static cudaGraph_t capture(cudaStream_t stream, int *a, int first, int second)
{
    cudaGraph_t graph;
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    set<<<1, 1, 0, stream>>>(a, first);
    set<<<1, 1, 0, stream>>>(a, second);
    OK(cudaStreamEndCapture(stream, &graph));
    return graph;
}

int main()
{
    int *a = managed<int>(1);
    cudaStream_t stream;
    cudaGraphExec_t exec;
    OK(cudaStreamCreate(&stream));
    cudaGraph_t one = capture(stream, a, 1, 2), two = capture(stream, a, 3, 4);
    OK(cudaGraphInstantiate(&exec, one, 0));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    printf("%d\n", *a);
    cudaGraphExecUpdateResultInfo result;
    OK(cudaGraphExecUpdate(exec, two, &result));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    printf("%d %d\n", *a, result.result == cudaGraphExecUpdateSuccess);
    return 0;
}
