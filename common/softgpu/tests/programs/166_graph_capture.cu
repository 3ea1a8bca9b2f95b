/* SPDX-License-Identifier: MIT */
/* A captured graph runs only when launched, as often as it is launched. */
#include "check.h"

/* Does not commute with twice. */
__global__ void add(int *a, int by) { a[threadIdx.x] += by; }
/* Does not commute with add. */
__global__ void twice(int *a) { a[threadIdx.x] *= 2; }

int main()
{
    int *d, *h, n = 8;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    size_t nodes = 0;
    OK(cudaStreamCreate(&stream));
    OK(cudaMalloc(&d, n * sizeof(int)));
    OK(cudaMallocHost(&h, n * sizeof(int)));
    OK(cudaMemset(d, 0, n * sizeof(int)));
    h[0] = -1;
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    add<<<1, n, 0, stream>>>(d, 3);
    twice<<<1, n, 0, stream>>>(d);
    OK(cudaMemcpyAsync(h, d, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaStreamSynchronize(stream));
    OK(cudaGraphGetNodes(graph, nullptr, &nodes));
    printf("%d, %zu nodes\n", h[0], nodes);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; i++) {
        OK(cudaGraphLaunch(exec, stream));
        OK(cudaStreamSynchronize(stream));
        printf("%d\n", h[n - 1]);
    }
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaFree(d));
    return 0;
}
