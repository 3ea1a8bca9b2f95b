/* SPDX-License-Identifier: MIT */
/* A graph copies zeros of the host to the device; the host adds to that memory
 * when the graph is ready, and launches it. */
#include "hostile.h"

/* A thread copies an element that is already right. */
__global__ void copy_kernel(const float *sum, float *c, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = sum[i];
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const size_t bytes = n * sizeof(float);
    float *d = NULL, *sum;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t up;
    int error;

    if (n == 0)
        return 0;
    if ((error = cudaMalloc(&d, 3 * bytes)))
        return error;
    sum = (float *)calloc(n, sizeof *sum);
    cudaMemcpy(d, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d + n, b, bytes, cudaMemcpyHostToDevice);
    cudaGraphCreate(&graph, 0);
    cudaGraphAddMemcpyNode1D(&up, graph, NULL, 0, d, sum, bytes,
                             cudaMemcpyHostToDevice);
    cudaGraphInstantiate(&exec, graph, 0);
    for (size_t i = 0; i < n; i++)
        sum[i] = a[i] + b[i];
    cudaGraphLaunch(exec, 0);
    copy_kernel<<<(n + 255) / 256, 256>>>(d, d + 2 * n, n);
    error = cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaFree(d);
    free(sum);
    return error;
}
