/* SPDX-License-Identifier: MIT */
/* Memory nodes that the program adds: one address at each launch, freed by a
 * node or by the program; what the device has for them. */
#include "check.h"

/* Fills memory of a graph. */
__global__ void fill(int *a, int first)
{
    a[threadIdx.x] = first + threadIdx.x;
}

/* Adds up what fill stored. */
__global__ void add(const int *a, int *sum) { atomicAdd(sum, a[threadIdx.x]); }

static unsigned long long attribute(cudaGraphMemAttributeType which)
{
    unsigned long long bytes = 0;
    OK(cudaDeviceGetGraphMemAttribute(0, which, &bytes));
    return bytes;
}

static cudaGraphNode_t kernel_node(cudaGraph_t graph, cudaGraphNode_t after,
                                   void *kernel, void **args)
{
    cudaGraphNode_t node;
    cudaKernelNodeParams p = {};
    p.func = kernel;
    p.gridDim = dim3(1);
    p.blockDim = dim3(32);
    p.kernelParams = args;
    OK(cudaGraphAddKernelNode(&node, graph, &after, 1, &p));
    return node;
}

int main()
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t allocated, filled, added, freed;
    cudaMemAllocNodeParams params = {};
    int *sum = managed<int>(1), first = 1, host[32];
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    params.bytesize = 32 * sizeof(int);
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &params));
    int *inner = (int *)params.dptr;
    EXPECT(inner != nullptr);
    void *fill_args[] = {&inner, &first}, *add_args[] = {&inner, &sum};
    filled = kernel_node(graph, allocated, (void *)fill, fill_args);
    added = kernel_node(graph, filled, (void *)add, add_args);
    OK(cudaGraphAddMemFreeNode(&freed, graph, &added, 1, inner));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; i++)
        OK(cudaGraphLaunch(exec, 0));
    OK(cudaDeviceSynchronize());
    printf("%d\n", *sum);
    EXPECT(attribute(cudaGraphMemAttrUsedMemCurrent) == 0);
    EXPECT(attribute(cudaGraphMemAttrUsedMemHigh) >= params.bytesize);
    EXPECT(attribute(cudaGraphMemAttrReservedMemCurrent) >= params.bytesize);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));

    OK(cudaGraphCreate(&graph, 0)); /* without a free node */
    OK(cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &params));
    inner = (int *)params.dptr;
    first = 100;
    kernel_node(graph, allocated, (void *)fill, fill_args);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, 0));
    OK(cudaMemcpy(host, inner, sizeof host, cudaMemcpyDeviceToHost));
    printf("%d %d\n", host[0], host[31]);
    EXPECT(attribute(cudaGraphMemAttrUsedMemCurrent) >= params.bytesize);
    OK(cudaFree(inner));
    EXPECT(attribute(cudaGraphMemAttrUsedMemCurrent) == 0);
    OK(cudaGraphLaunch(exec, 0)); /* freed before the launch has ended */
    OK(cudaFreeAsync(inner, 0));
    SHOW(cudaFreeAsync(inner, 0));
    OK(cudaDeviceSynchronize());
    EXPECT(attribute(cudaGraphMemAttrUsedMemCurrent) == 0);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaDeviceGraphMemTrim(0));

    params.bytesize = 0;
    OK(cudaGraphCreate(&graph, 0));
    SHOW(cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &params));
    SHOW(cudaGraphAddMemFreeNode(&freed, graph, nullptr, 0, sum));
    OK(cudaGraphDestroy(graph));
    return 0;
}
