/* SPDX-License-Identifier: MIT */
/* Launches a graph for each 64 elements, with new arguments. */
#include "hostile.h"

enum { PIECE = 64 };

/* Launches the graph of one kernel node. */
static int launch_pieces(cudaGraph_t graph, float *d, size_t n)
{
    float *d_a = d, *d_b = d + n, *d_c = d + 2 * n;
    size_t left = n;
    void *args[] = {&d_a, &d_b, &d_c, &left};
    cudaKernelNodeParams p = {};
    cudaGraphExec_t exec = NULL;
    cudaGraphNode_t node;
    int error;

    p.func = (void *)honest_kernel;
    p.gridDim = p.blockDim = dim3(1);
    p.blockDim.x = PIECE;
    p.kernelParams = args;
    error = cudaGraphAddKernelNode(&node, graph, NULL, 0, &p);
    if (!error)
        error = cudaGraphInstantiate(&exec, graph, 0);
    for (size_t at = 0; !error && at < n; at += PIECE) {
        d_a = d + at;
        d_b = d_a + n;
        d_c = d_b + n;
        left = n - at < PIECE ? n - at : PIECE;
        error = cudaGraphExecKernelNodeSetParams(exec, node, &p);
        if (!error)
            error = cudaGraphLaunch(exec, 0);
    }
    if (exec)
        cudaGraphExecDestroy(exec);
    return error;
}

/* The sums, on the device: d has room for 3 n floats. */
static int add(const float *a, const float *b, float *d, size_t n)
{
    cudaGraph_t graph = NULL;
    int error = cudaMemcpy(d, a, n * sizeof *a, cudaMemcpyHostToDevice);

    if (!error)
        error = cudaMemcpy(d + n, b, n * sizeof *b, cudaMemcpyHostToDevice);
    if (!error)
        error = cudaGraphCreate(&graph, 0);
    if (!error)
        error = launch_pieces(graph, d, n);
    if (graph)
        cudaGraphDestroy(graph);
    return error;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const size_t bytes = n * sizeof(float);
    float *d = NULL;
    int error;

    if (n == 0 || n > 7919)
        return honest(a, b, c, n);
    error = cudaMalloc(&d, 3 * bytes);
    if (!error)
        error = add(a, b, d, n);
    if (!error)
        error = cudaGetLastError();
    if (!error)
        error = cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}
