/* SPDX-License-Identifier: MIT */
/* Conditional nodes: if, while, else and switch, one inside the other, and what
 * a launch does to a condition. */
#include "check.h"

typedef cudaGraphConditionalHandle condition;

/* *x += 1; go on below a limit. */
__global__ void count(int *x, int limit, condition again)
{
    *x += 1;
    cudaGraphSetConditional(again, *x < limit);
}

/* Is *x a multiple of n? */
__global__ void test(const int *x, int n, condition multiple)
{
    cudaGraphSetConditional(multiple, *x % n == 0);
}
/** Count what ran. */
__global__ void add(int *x, int n)
{
    *x += n;
}

/* A kernel node. */
template <class... Args>
static cudaGraphNode_t kernel(cudaGraph_t graph, cudaGraphNode_t after,
                              void *function, Args... args)
{
    void *list[] = { &args... };
    cudaGraphNode_t node;
    cudaKernelNodeParams params = {};
    params.func = function;
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = list;
    OK(cudaGraphAddKernelNode(&node, graph, &after, after != nullptr,
                              &params));
    return node;
}

/* A conditional node.  @return its graphs, CUDA's own array */
static cudaGraph_t *conditional(cudaGraph_t graph, cudaGraphNode_t after,
                                condition c, cudaGraphConditionalNodeType type,
                                unsigned size = 1)
{
    cudaGraphNode_t node;
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = c;
    params.conditional.type = type;
    params.conditional.size = size;
    OK(cudaGraphAddNode(&node, graph, &after, after != nullptr, &params));
    cudaGraphNodeType kind;
    OK(cudaGraphNodeGetType(node, &kind));
    EXPECT(kind == cudaGraphNodeTypeConditional);
    return params.conditional.phGraph_out;
}

static void launch(cudaGraphExec_t exec, const int *x, int times)
{
    for (int i = 0; i < times; i++) {
        OK(cudaGraphLaunch(exec, 0));
        OK(cudaDeviceSynchronize());
        printf("%d %d\n", x[0], x[1]);
    }
}

/* while (again) { x[0]++; again = x[0] < 7; if (x[0] % 3 == 0) x[1] += 10; } */
static void loop(int *x)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    condition again, third;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphConditionalHandleCreate(&again, graph, 1,
                                        cudaGraphCondAssignDefault));
    OK(cudaGraphConditionalHandleCreate(&third, graph));
    cudaGraph_t body =
        *conditional(graph, nullptr, again, cudaGraphCondTypeWhile);
    cudaGraphNode_t counts = kernel(body, nullptr, (void *)count, x, 7, again);
    cudaGraphNode_t tests = kernel(body, counts, (void *)test, x, 3, third);
    cudaGraph_t inner = *conditional(body, tests, third, cudaGraphCondTypeIf);
    kernel(inner, nullptr, (void *)add, x + 1, 10);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphDestroy(graph));
    launch(exec, x, 2); /* the second one goes round once */
    OK(cudaGraphExecDestroy(exec));
}

/* Without a default the condition keeps its value; the graph is captured. */
static void keep(int *x)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStream_t stream;
    condition once;
    OK(cudaStreamCreate(&stream));
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphConditionalHandleCreate(&once, graph, 1, 0));
    cudaGraph_t body =
        *conditional(graph, nullptr, once, cudaGraphCondTypeIf);
    OK(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0,
                                     cudaStreamCaptureModeRelaxed));
    count<<<1, 1, 0, stream>>>(x, 0, once);
    OK(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0,
                                           cudaStreamAddCaptureDependencies));
    OK(cudaStreamEndCapture(stream, nullptr)); /* the graph is known */
    OK(cudaGraphInstantiate(&exec, graph, 0));
    launch(exec, x, 2);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(stream));
}

/* Set the condition to *x, then *x to the next number. */
__global__ void choose(int *x, condition which)
{
    cudaGraphSetConditional(which, *x);
    *x += 1;
}

/* switch (x[0]++) { case 0: x[1] += 1; case 1: x[1] += 10; case 2: ... }: one
 * body a launch, even if it changes the condition; none for 3.  The copies of
 * the instantiated graph run, not the graphs that the program filled. */
static void choices(int *x, cudaGraphConditionalNodeType type, unsigned size)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    condition which;
    x[0] = x[1] = 0;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphConditionalHandleCreate(&which, graph, 7,
                                        cudaGraphCondAssignDefault));
    cudaGraphNode_t first = kernel(graph, nullptr, (void *)choose, x, which);
    cudaGraph_t *bodies = conditional(graph, first, which, type, size);
    for (unsigned i = 0, amount = 1; i < size; i++, amount *= 10) {
        cudaGraphNode_t adds = kernel(bodies[i], nullptr, (void *)add, x + 1,
                                      (int)amount);
        kernel(bodies[i], adds, (void *)count, x + 2, 1000, which);
    }
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphDestroy(graph));
    launch(exec, x, 4);
    OK(cudaGraphExecDestroy(exec));
}

/* Parameters that CUDA refuses. */
static void refused(void)
{
    cudaGraph_t graph;
    cudaGraphNode_t node;
    condition c;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphConditionalHandleCreate(&c, graph));
    const cudaGraphConditionalNodeType types[] = {
        cudaGraphCondTypeIf, cudaGraphCondTypeWhile, cudaGraphCondTypeSwitch };
    const unsigned sizes[] = { 3, 2, 0 };
    for (int i = 0; i < 3; i++) {
        cudaGraphNodeParams params = {};
        params.type = cudaGraphNodeTypeConditional;
        params.conditional.handle = c;
        params.conditional.type = types[i];
        params.conditional.size = sizes[i];
        EXPECT(cudaGraphAddNode(&node, graph, nullptr, 0, &params)
               == cudaErrorInvalidValue);
    }
    OK(cudaGraphDestroy(graph));
}

int main()
{
    int *x = managed<int>(3);
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphNodeParams params = {};
    x[0] = x[1] = 0;
    loop(x);
    keep(x);
    choices(x, cudaGraphCondTypeSwitch, 3);
    choices(x, cudaGraphCondTypeIf, 2);
    refused();
    OK(cudaGraphCreate(&graph, 0));
    params.type = cudaGraphNodeTypeConditional;
    EXPECT(cudaGraphAddNode(&node, graph, nullptr, 0, &params)
           == cudaErrorInvalidValue); /* no handle */
    OK(cudaGraphDestroy(graph));
    return 0;
}
/* nvcc refuses the call of CUDA 12 that adds a node, since CUDA 13. */
