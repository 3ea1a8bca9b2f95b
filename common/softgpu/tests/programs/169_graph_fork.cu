/* SPDX-License-Identifier: MIT */
/* A capture that forks to a second stream by an event and joins again; then the
 * second stream may be destroyed, without a join it may not. */
#include "check.h"

/* Stores one summand. */
__global__ void put(int *a, int at, int value) { a[at] = value; }
/* Joins: needs all three summands. */
__global__ void sum(int *a) { a[3] = a[0] + a[1] + a[2]; }

int main()
{
    int *a = managed<int>(4);
    cudaStream_t main_stream, side;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamCaptureStatus status;
    OK(cudaStreamCreate(&main_stream));
    OK(cudaStreamCreate(&side));
    OK(cudaEventCreate(&fork));
    OK(cudaEventCreate(&join));
    OK(cudaStreamBeginCapture(main_stream, cudaStreamCaptureModeGlobal));
    put<<<1, 1, 0, main_stream>>>(a, 0, 1);
    OK(cudaEventRecord(fork, main_stream));
    OK(cudaStreamWaitEvent(side, fork, 0));
    put<<<1, 1, 0, side>>>(a, 1, 20);
    put<<<1, 1, 0, main_stream>>>(a, 2, 300);
    OK(cudaStreamIsCapturing(side, &status));
    EXPECT(status == cudaStreamCaptureStatusActive);
    OK(cudaEventRecord(join, side));
    OK(cudaStreamWaitEvent(main_stream, join, 0));
    OK(cudaStreamDestroy(side));
    sum<<<1, 1, 0, main_stream>>>(a);
    OK(cudaStreamEndCapture(main_stream, &graph));
    EXPECT(a[0] == 0);
    size_t edges = 0;
#if CUDART_VERSION >= 13000
    OK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
#else
    OK(cudaGraphGetEdges(graph, nullptr, nullptr, &edges));
#endif
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, main_stream));
    OK(cudaStreamSynchronize(main_stream));
    printf("%d, %zu edges\n", a[3], edges);

    OK(cudaStreamCreate(&side));
    OK(cudaStreamBeginCapture(main_stream, cudaStreamCaptureModeGlobal));
    put<<<1, 1, 0, main_stream>>>(a, 0, 1);
    OK(cudaEventRecord(fork, main_stream));
    OK(cudaStreamWaitEvent(side, fork, 0));
    put<<<1, 1, 0, side>>>(a, 1, 20);
    OK(cudaStreamDestroy(side));
    EXPECT(cudaStreamEndCapture(main_stream, &graph) != cudaSuccess);
    EXPECT(cudaGetLastError() != cudaSuccess);
    OK(cudaEventDestroy(fork));
    OK(cudaEventDestroy(join));
    return 0;
}
