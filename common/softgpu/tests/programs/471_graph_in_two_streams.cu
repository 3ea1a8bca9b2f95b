/* SPDX-License-Identifier: MIT */
/* Launches of one instance of a graph run one after the other, in whichever
 * streams: without an event between, they do not race. */
#include "check.h"

enum { N = 64, LAUNCHES = 6 };

/* Of another launch, too, at the same elements. */
__global__ void add(int *p)
{
    p[threadIdx.x] += (int)threadIdx.x;
}

int main()
{
    cudaStream_t s[2];
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int *d, h[N];
    OK(cudaMalloc((void **)&d, sizeof h));
    OK(cudaMemset(d, 0, sizeof h));
    for (int i = 0; i < 2; i++)
        OK(cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking));
    OK(cudaStreamBeginCapture(s[0], cudaStreamCaptureModeGlobal));
    add<<<1, N, 0, s[0]>>>(d);
    OK(cudaStreamEndCapture(s[0], &graph));
    OK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(cudaGraphDestroy(graph));
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < LAUNCHES; i++)
        OK(cudaGraphLaunch(exec, s[i % 2]));
    OK(cudaGraphExecDestroy(exec)); /* when its launches have ended */
    RUN();
    OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    printf("%d\n", h[N - 1]);
    for (int i = 0; i < 2; i++)
        OK(cudaStreamDestroy(s[i]));
    OK(cudaFree(d));
    return 0;
}
