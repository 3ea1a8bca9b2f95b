/* SPDX-License-Identifier: MIT */
/* A graph: a host node adds, a copy node takes the sums to the device, a kernel
 * node copies them. */
#include "hostile.h"

struct vectors {
    const float *a, *b;
    float *sum;
    size_t n;
};

static void add(void *data)
{
    vectors *v = (vectors *)data;

    for (size_t i = 0; i < v->n; i++)
        v->sum[i] = v->a[i] + v->b[i];
}

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
    float *d = NULL;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t up, host;
    int error;

    if (n == 0)
        return 0;
    if ((error = cudaMalloc(&d, 3 * bytes)))
        return error;
    vectors v = {a, b, (float *)malloc(bytes), n};
    cudaHostNodeParams call = {add, &v};
    cudaMemcpy(d, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d + n, b, bytes, cudaMemcpyHostToDevice);
    cudaGraphCreate(&graph, 0);
    cudaGraphAddHostNode(&host, graph, NULL, 0, &call);
    cudaGraphAddMemcpyNode1D(&up, graph, &host, 1, d, v.sum, bytes,
                             cudaMemcpyHostToDevice);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, 0);
    copy_kernel<<<(n + 255) / 256, 256>>>(d, d + 2 * n, n);
    error = cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaFree(d);
    free(v.sum);
    return error;
}
