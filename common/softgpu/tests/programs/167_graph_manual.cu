/* SPDX-License-Identifier: MIT */
/* A graph built by hand: kernels, a memset, a host node, dependencies. */
#include "check.h"

/* Adds to one word. */
__global__ void add(int *a, int by) { *a += by; }

static void CUDART_CB halve(void *p) { *(int *)p /= 2; }

int main()
{
    int *a = managed<int>(1), three = 3, five = 5;
    cudaGraph_t graph;
    cudaGraphNode_t clear, first, host, last;
    OK(cudaGraphCreate(&graph, 0));
    cudaMemsetParams zero = {};
    zero.dst = a;
    zero.elementSize = 4;
    zero.width = 1;
    zero.height = 1;
    zero.value = 9;
    OK(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &zero));
    void *args[] = {&a, &three};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)add;
    kernel.gridDim = kernel.blockDim = dim3(1);
    kernel.kernelParams = args;
    OK(cudaGraphAddKernelNode(&first, graph, &clear, 1, &kernel));
    cudaHostNodeParams call = {halve, a};
    OK(cudaGraphAddHostNode(&host, graph, &first, 1, &call));
    args[1] = &five;
    OK(cudaGraphAddKernelNode(&last, graph, &host, 1, &kernel));
    cudaGraphExec_t exec;
    OK(cudaGraphInstantiate(&exec, graph, 0));
    *a = 1000;
    OK(cudaGraphLaunch(exec, 0));
    RUN();
    printf("%d\n", *a);
    int forty = 40;
    args[1] = &forty;
    OK(cudaGraphExecKernelNodeSetParams(exec, last, &kernel));
    OK(cudaGraphLaunch(exec, 0));
    RUN();
    printf("%d\n", *a);
    return 0;
}
