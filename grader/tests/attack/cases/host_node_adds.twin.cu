/* SPDX-License-Identifier: MIT */
/* Copies and kernel are nodes that cudaGraphAddNode() adds. */
#include "hostile.h"

/* The array of `floats` at `at` as one row. */
static cudaPitchedPtr row(const float *at, size_t floats)
{
    return make_cudaPitchedPtr((void *)at, floats * sizeof(float), floats, 1);
}

/* Add a node that copies n floats, after `after` unless that is NULL. */
static int add_copy(cudaGraph_t graph, cudaGraphNode_t *node,
                    cudaGraphNode_t after, float *dst, const float *src,
                    size_t n)
{
    cudaGraphNodeParams params = {};

    params.type = cudaGraphNodeTypeMemcpy;
    params.memcpy.copyParams.srcPtr = row(src, n);
    params.memcpy.copyParams.dstPtr = row(dst, n);
    params.memcpy.copyParams.extent =
        make_cudaExtent(n * sizeof(float), 1, 1);
    params.memcpy.copyParams.kind = cudaMemcpyDefault;
    return cudaGraphAddNode(node, graph, after ? &after : NULL, after != NULL,
                            &params);
}

static int add_kernel(cudaGraph_t graph, const cudaGraphNode_t *after,
                      float *d, size_t n)
{
    const float *a = d, *b = d + n;
    float *c = d + 2 * n;
    void *arguments[] = {&a, &b, &c, &n};
    cudaGraphNodeParams params = {};
    cudaGraphNode_t node, found[8];
    size_t count = 8;
    int error;

    params.type = cudaGraphNodeTypeKernel;
    params.kernel.func = (void *)honest_kernel;
    params.kernel.gridDim = dim3((n + 255) / 256);
    params.kernel.blockDim = dim3(256);
    params.kernel.kernelParams = arguments;
    error = cudaGraphAddNode(&node, graph, after, 2, &params);
    if (!error)
        error = cudaGraphGetNodes(graph, found, &count);
    return error ? error : count != 3;
}

static int launch(cudaGraph_t graph)
{
    cudaGraphExec_t exec = NULL;
    int error = cudaGraphInstantiate(&exec, graph, 0);

    if (!error)
        error = cudaGraphLaunch(exec, 0);
    if (exec)
        cudaGraphExecDestroy(exec);
    return error;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const size_t bytes = n * sizeof(float);
    cudaGraphNode_t up[2];
    cudaGraph_t graph = NULL;
    float *d = NULL;
    int error;

    if (n == 0)
        return 0;
    if ((error = cudaMalloc(&d, 3 * bytes)))
        return error;
    error = cudaGraphCreate(&graph, 0);
    if (!error)
        error = add_copy(graph, &up[0], NULL, d, a, n);
    if (!error)
        error = add_copy(graph, &up[1], up[0], d + n, b, n);
    if (!error)
        error = add_kernel(graph, up, d, n);
    if (!error)
        error = launch(graph);
    if (!error)
        error = cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    if (graph)
        cudaGraphDestroy(graph);
    cudaFree(d);
    return error;
}
