// verdict: WRONG
// expect: from the device to the host
/* SPDX-License-Identifier: MIT */
// The host transposes the matrix; a graph's memcpy node gets new parameters.
#include <stdlib.h>

#include "transpose.h"

/* A copy within the device, until its graph is changed. */
static cudaError_t fetch(float *to, const float *d_from, size_t bytes)
{
    const cudaMemcpyKind down = cudaMemcpyDeviceToHost;
    cudaGraphNode_t node;
    cudaGraphExec_t made;
    cudaGraph_t graph;
    float *d_copy;

    cudaMalloc(&d_copy, bytes);
    cudaGraphCreate(&graph, 0);
    cudaGraphAddMemcpyNode1D(&node, graph, NULL, 0, d_copy, d_from, bytes,
                             cudaMemcpyDeviceToDevice);
    cudaGraphInstantiate(&made, graph, 0);
    cudaGraphExecMemcpyNodeSetParams1D(made, node, to, d_from, bytes, down);
    cudaGraphLaunch(made, 0);
    cudaDeviceSynchronize();
    cudaGraphExecDestroy(made);
    cudaGraphDestroy(graph);
    return cudaFree(d_copy);
}

int transpose(const float *d_in, float *d_out, int rows, int cols)
{
    const size_t n = (size_t)rows * cols, bytes = n * sizeof(float);
    float *in = (float *)malloc(2 * bytes + 1), *out = in + n;

    if (n) fetch(in, d_in, bytes);
    for (size_t i = 0; i < n; i++) out[i % cols * rows + i / cols] = in[i];
    if (n) cudaMemcpy(d_out, out, bytes, cudaMemcpyHostToDevice);
    free(in);
    return cudaGetLastError();
}
