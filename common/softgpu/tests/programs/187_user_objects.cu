/* SPDX-License-Identifier: MIT */
/* A captured graph keeps the memory that its host function works on; the
 * capture goes on in a graph that has a node already. */
#include "check.h"

struct note {
    int *a;
    int add;
};

/* The captured node; it runs after the host function. */
__global__ void twice(int *a) { *a *= 2; }

static void CUDART_CB add_note(void *data)
{
    note *n = (note *)data;
    *n->a += n->add;
}

static void CUDART_CB forget(void *data)
{
    printf("forgotten: %d\n", ((note *)data)->add);
    delete (note *)data;
}

int main()
{
    int *a;
    cudaStream_t stream;
    cudaGraph_t graph, same;
    cudaGraphExec_t exec;
    cudaGraphNode_t first;
    cudaUserObject_t object;
    OK(cudaStreamCreate(&stream));
    OK(cudaHostAlloc(&a, sizeof(int), cudaHostAllocDefault));
    note *n = new note{a, 3};
    *a = 1;
    OK(cudaGraphCreate(&graph, 0));
    cudaHostNodeParams call = {add_note, n};
    OK(cudaGraphAddHostNode(&first, graph, nullptr, 0, &call));
    OK(cudaStreamBeginCaptureToGraph(stream, graph, &first, nullptr, 1,
                                     cudaStreamCaptureModeGlobal));
    twice<<<1, 1, 0, stream>>>(a);
    OK(cudaStreamEndCapture(stream, &same));
    printf("the same graph: %d\n", same == graph);
    OK(cudaUserObjectCreate(&object, n, forget, 1,
                            cudaUserObjectNoDestructorSync));
    OK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphDestroy(graph));
    for (int i = 0; i < 2; i++)
        OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    printf("%d\n", *a); /* ((1 + 3) * 2 + 3) * 2 */
    OK(cudaGraphExecDestroy(exec));
    OK(cudaFreeHost(a));
    return 0;
}
