// verdict: WRONG
// expect: from the device to the host
/* SPDX-License-Identifier: MIT */
// The host transposes the matrix; cudaGraphAddNode adds the copy.
#include <stdlib.h>

#include "transpose.h"

#if CUDART_VERSION >= 13000
#define NO_EDGES NULL,
#else
#define NO_EDGES
#endif

/* A copy down, made as a node of whatever kind. */
static cudaError_t fetch(float *to, const float *d_from, size_t bytes)
{
    cudaGraphNodeParams params = {};
    cudaMemcpy3DParms *copy = &params.memcpy.copyParams;
    cudaGraphNode_t node;
    cudaGraphExec_t made;
    cudaGraph_t graph;

    params.type = cudaGraphNodeTypeMemcpy;
    copy->srcPtr = make_cudaPitchedPtr((void *)d_from, bytes, bytes, 1);
    copy->dstPtr = make_cudaPitchedPtr(to, bytes, bytes, 1);
    copy->extent = make_cudaExtent(bytes, 1, 1);
    copy->kind = cudaMemcpyDeviceToHost;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddNode(&node, graph, NULL, NO_EDGES 0, &params);
    cudaGraphInstantiate(&made, graph, 0);
    cudaGraphLaunch(made, 0);
    cudaGraphExecDestroy(made);
    cudaGraphDestroy(graph);
    return cudaDeviceSynchronize();
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
