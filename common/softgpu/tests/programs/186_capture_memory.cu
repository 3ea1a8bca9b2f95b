/* SPDX-License-Identifier: MIT */
/* Memory that is allocated while a stream is captured belongs to the graph:
 * one address at each launch, freed by a node or by the program. */
#include "check.h"

/* Fills the allocated memory. */
__global__ void fill(int *a, int first)
{
    a[threadIdx.x] = first + threadIdx.x;
}

/* Adds up what fill stored. */
__global__ void add(const int *a, int *sum) { atomicAdd(sum, a[threadIdx.x]); }

static void count_types(cudaGraph_t graph)
{
    cudaGraphNode_t nodes[8];
    size_t count = 8;
    int allocations = 0, frees = 0;
    OK(cudaGraphGetNodes(graph, nodes, &count));
    for (size_t i = 0; i < count; i++) {
        cudaGraphNodeType type;
        OK(cudaGraphNodeGetType(nodes[i], &type));
        allocations += type == cudaGraphNodeTypeMemAlloc;
        frees += type == cudaGraphNodeTypeMemFree;
    }
    printf("%zu nodes: %d allocate, %d free\n", count, allocations, frees);
}

int main()
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int *inner, *kept, *sum = managed<int>(1), h[32];
    OK(cudaStreamCreate(&stream));

    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    OK(cudaMallocAsync(&inner, 32 * sizeof(int), stream));
    fill<<<1, 32, 0, stream>>>(inner, 1);
    add<<<1, 32, 0, stream>>>(inner, sum);
    OK(cudaFreeAsync(inner, stream));
    OK(cudaStreamEndCapture(stream, &graph));
    count_types(graph);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphDestroy(graph));
    for (int i = 0; i < 3; i++)
        OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    printf("%d\n", *sum);
    SHOW(cudaFree(inner));
    OK(cudaGraphExecDestroy(exec));

    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    OK(cudaMallocAsync(&kept, sizeof h, stream));
    fill<<<1, 32, 0, stream>>>(kept, 100);
    OK(cudaStreamEndCapture(stream, &graph));
    count_types(graph);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph)); /* the program still has the memory */
    OK(cudaMemcpy(h, kept, sizeof h, cudaMemcpyDeviceToHost));
    printf("%d %d\n", h[0], h[31]);
    SHOW(cudaFree(kept));
    SHOW(cudaFree(kept));
    return 0;
}
