/* SPDX-License-Identifier: MIT */
/* Graphs built node by node. */
#include "host_tests.h"

static const dim3 one = {1, 1, 1};

/* A node that adds v to *p. */
static cudaGraphNode_t add_node(cudaGraph_t g, cudaGraphNode_t before, int *p,
                                int v)
{
    int n = 1;
    void *args[] = {&p, &n, &v};
    const struct cudaKernelNodeParams k = {
        .func = (void *)add_kernel, .gridDim = one, .blockDim = one,
        .kernelParams = args};
    cudaGraphNode_t node = NULL;
    OK(cudaGraphAddKernelNode(&node, g, before ? &before : NULL, !!before,
                              &k));
    return node;
}

/* A node that sets one int to 3. */
static cudaGraphNode_t fill_node(cudaGraph_t g, int *p)
{
    const struct cudaMemsetParams m = {.dst = p, .value = 3, .width = 1,
                                       .elementSize = 4, .height = 1};
    cudaGraphNode_t node = NULL;
    OK(cudaGraphAddMemsetNode(&node, g, NULL, 0, &m));
    return node;
}

/* Launch in the default stream. */
static void launch_and_wait(cudaGraphExec_t e)
{
    OK(cudaGraphLaunch(e, NULL));
    OK(cudaDeviceSynchronize());
}

/* A graph of a fill, a kernel and a copy, in the order of their edges. */
static void built_node_by_node(void)
{
    cudaGraph_t g;
    cudaGraphExec_t e;
    cudaGraphNode_t copy;
    int *d = device_ints(1, 0), host = 0;
    size_t n = 0;
    OK(cudaGraphCreate(&g, 0));
    cudaGraphNode_t node = add_node(g, fill_node(g, d), d, 10);
    OK(cudaGraphAddMemcpyNode1D(&copy, g, &node, 1, &host, d, sizeof host,
                                cudaMemcpyDeviceToHost));
    OK(cudaGraphGetNodes(g, NULL, &n));
    CU_ASSERT_EQUAL(n, 3);
    OK(cudaGraphGetEdges(g, NULL, NULL, &n));
    CU_ASSERT_EQUAL(n, 2);
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphDestroy(g)); /* the executable graph stays valid */
    for (int i = 0; i < 3; i++) {
        host = 0;
        launch_and_wait(e);
        CU_ASSERT_EQUAL(host, 13);
    }
    OK(cudaGraphExecDestroy(e));
    RETURNS(cudaErrorInvalidValue, cudaGraphLaunch(e, NULL));
    RETURNS(cudaErrorInvalidValue, cudaGraphInstantiate(&e, g, 0));
}

/* A queued launch keeps the graph that it was launched with. */
static void change_while_queued(void)
{
    cudaGraph_t g;
    cudaGraphExec_t e;
    int *d = device_ints(1, 0), n = 1, v = 100;
    void *args[] = {&d, &n, &v};
    OK(cudaGraphCreate(&g, 0));
    cudaGraphNode_t node = add_node(g, NULL, d, 1);
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphLaunch(e, NULL));
    struct cudaKernelNodeParams k;
    OK(cudaGraphKernelNodeGetParams(node, &k));
    CU_ASSERT_EQUAL(*(int *)k.kernelParams[2], 1);
    k.kernelParams = args;
    OK(cudaGraphExecKernelNodeSetParams(e, node, &k));
    CU_ASSERT_EQUAL(device_int(d), 1);
    launch_and_wait(e);
    CU_ASSERT_EQUAL(device_int(d), 101);
    OK(cudaGraphNodeSetEnabled(e, node, 0));
    launch_and_wait(e);
    CU_ASSERT_EQUAL(device_int(d), 101);
    k.gridDim.x = 0;
    RETURNS(cudaErrorInvalidConfiguration,
            cudaGraphExecKernelNodeSetParams(e, node, &k));
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
}

/* Edges, not the order in which nodes were added, order a graph: the first
 * node depends on the second.  So does it in a copy of the graph. */
static void added_before_its_dependency(void)
{
    cudaGraph_t g, copy;
    cudaGraphExec_t e;
    size_t n = 0;
    int *d = device_ints(1, 0);
    OK(cudaGraphCreate(&g, 0));
    cudaGraphNode_t add = add_node(g, NULL, d, 10), fill = fill_node(g, d);
    OK(cudaGraphAddDependencies(g, &fill, &add, 1));
    OK(cudaGraphClone(&copy, g));
    OK(cudaGraphGetEdges(copy, NULL, NULL, &n));
    CU_ASSERT_EQUAL(n, 1);
    OK(cudaGraphInstantiate(&e, copy, 0));
    launch_and_wait(e);
    CU_ASSERT_EQUAL(device_int(d), 13); /* 3, then 10 more */
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(copy));
    OK(cudaGraphDestroy(g));
}

/* Modeled time of a graph, in ms.  The launch before keeps the stream busy, so
 * that the time of the host does not count. */
static float graph_time(cudaGraph_t g)
{
    cudaGraphExec_t e;
    cudaEvent_t begin, end;
    float ms = -1;
    OK(cudaEventCreate(&begin));
    OK(cudaEventCreate(&end));
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphLaunch(e, NULL));
    OK(cudaEventRecord(begin, NULL));
    OK(cudaGraphLaunch(e, NULL));
    OK(cudaEventRecord(end, NULL));
    OK(cudaEventSynchronize(end));
    OK(cudaEventElapsedTime(&ms, begin, end));
    OK(cudaGraphExecDestroy(e));
    OK(cudaEventDestroy(begin));
    OK(cudaEventDestroy(end));
    return ms;
}

/* A node starts when the last of its dependencies has ended: a copy to the
 * host after one to the device, of 53 MB at 53 GB/s each, takes 2 ms. */
static void waits_for_all_dependencies(void)
{
    const size_t bytes = 53000000;
    cudaGraph_t g;
    cudaGraphNode_t before[2], after;
    char *pinned, *d;
    OK(cudaMallocHost((void **)&pinned, bytes));
    OK(cudaMalloc((void **)&d, bytes));
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddEmptyNode(&before[0], g, NULL, 0));
    OK(cudaGraphAddMemcpyNode1D(&before[1], g, NULL, 0, d, pinned, bytes,
                                cudaMemcpyHostToDevice));
    OK(cudaGraphAddMemcpyNode1D(&after, g, before, 2, pinned, d, bytes,
                                cudaMemcpyDeviceToHost));
    CU_ASSERT_DOUBLE_EQUAL(graph_time(g), 2.0, 0.1);
    OK(cudaGraphRemoveDependencies(g, &before[1], &after, 1));
    CU_ASSERT_DOUBLE_EQUAL(graph_time(g), 1.0, 0.1); /* they overlap */
    OK(cudaGraphDestroy(g));
    OK(cudaFree(d));
    OK(cudaFreeHost(pinned));
}

/* An instantiated graph takes new parameters, but no other topology. */
static void update(void)
{
    cudaGraph_t g, h;
    cudaGraphExec_t e;
    cudaGraphExecUpdateResultInfo info;
    int *d = device_ints(1, 0);
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphCreate(&h, 0));
    add_node(g, NULL, d, 1);
    cudaGraphNode_t last = add_node(h, NULL, d, 50);
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphExecUpdate(e, h, &info));
    launch_and_wait(e);
    CU_ASSERT_EQUAL(device_int(d), 50);
    add_node(h, last, d, 1);
    RETURNS(cudaErrorGraphExecUpdateFailure,
            cudaGraphExecUpdate(e, h, &info));
    CU_ASSERT_EQUAL(info.result, cudaGraphExecUpdateErrorTopologyChanged);
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
    OK(cudaGraphDestroy(h));
}

/* A child graph is copied into its node; a clone knows which node is whose
 * copy. */
static void child_and_clone(void)
{
    cudaGraph_t g, child, copy, inside;
    cudaGraphExec_t e;
    cudaGraphNode_t node, twin;
    int *d = device_ints(1, 0);
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphCreate(&child, 0));
    add_node(child, add_node(child, NULL, d, 1), d, 2);
    OK(cudaGraphAddChildGraphNode(&node, g, NULL, 0, child));
    OK(cudaGraphDestroy(child)); /* the node has its own copy */
    add_node(g, node, d, 4);
    OK(cudaGraphChildGraphNodeGetGraph(node, &inside));
    RETURNS(cudaErrorInvalidValue, cudaGraphDestroy(inside));
    OK(cudaGraphClone(&copy, g));
    OK(cudaGraphNodeFindInClone(&twin, node, copy));
    CU_ASSERT_NOT_EQUAL(twin, node);
    OK(cudaGraphInstantiate(&e, copy, 0));
    launch_and_wait(e);
    CU_ASSERT_EQUAL(device_int(d), 7);
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
    OK(cudaGraphDestroy(copy));
}

/* Change the child graph in a node of an executable graph. */
static void child_changed(void)
{
    cudaGraph_t g, child, other, longer;
    cudaGraphExec_t e;
    cudaGraphNode_t node, empty;
    int *d = device_ints(1, 0);
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphCreate(&child, 0));
    OK(cudaGraphCreate(&other, 0));
    OK(cudaGraphCreate(&longer, 0));
    add_node(child, NULL, d, 1);
    add_node(other, NULL, d, 10);
    add_node(longer, add_node(longer, NULL, d, 1), d, 1);
    OK(cudaGraphAddChildGraphNode(&node, g, NULL, 0, child));
    OK(cudaGraphAddEmptyNode(&empty, g, &node, 1));
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphLaunch(e, NULL)); /* queued with the old parameters */
    OK(cudaGraphExecChildGraphNodeSetParams(e, node, other));
    launch_and_wait(e);
    CU_ASSERT_EQUAL(device_int(d), 11);
    RETURNS(cudaErrorInvalidValue,
            cudaGraphExecChildGraphNodeSetParams(e, node, longer));
    RETURNS(cudaErrorInvalidValue,
            cudaGraphExecChildGraphNodeSetParams(e, empty, other));
    RETURNS(cudaErrorInvalidValue,
            cudaGraphExecChildGraphNodeSetParams(e, node, NULL));
    struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeGraph,
                                         .graph = {child}};
    OK(cudaGraphExecNodeSetParams(e, node, &params));
    launch_and_wait(e);
    CU_ASSERT_EQUAL(device_int(d), 12);
    RETURNS(cudaErrorNotSupported, cudaGraphNodeSetParams(node, &params));
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
    OK(cudaGraphDestroy(child));
    OK(cudaGraphDestroy(other));
    OK(cudaGraphDestroy(longer));
}

/* The calls that take parameters of any node type. */
static void any_kind_changed(void)
{
    struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeMemset};
    cudaGraph_t g;
    cudaGraphExec_t e;
    cudaGraphNode_t fill, kernel;
    int *d = device_ints(1, 0);
    params.memset = (struct cudaMemsetParams){
        .dst = d, .value = 1, .elementSize = 4, .width = 1, .height = 1};
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddNode(&fill, g, NULL, 0, &params));
    kernel = add_node(g, fill, d, 100);
    params.memset.value = 2;
    OK(cudaGraphNodeSetParams(fill, &params));
    RETURNS(cudaErrorInvalidValue, cudaGraphNodeSetParams(kernel, &params));
    RETURNS(cudaErrorInvalidValue, cudaGraphNodeSetParams(fill, NULL));
    RETURNS(cudaErrorInvalidValue, cudaGraphNodeSetParams(NULL, &params));
    OK(cudaGraphInstantiate(&e, g, 0));
    launch_and_wait(e);
    CU_ASSERT_EQUAL(device_int(d), 102);
    params.memset.value = 3;
    OK(cudaGraphExecNodeSetParams(e, fill, &params));
    RETURNS(cudaErrorInvalidValue,
            cudaGraphExecNodeSetParams(e, kernel, &params));
    launch_and_wait(e);
    CU_ASSERT_EQUAL(device_int(d), 103);
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
}

/* Edges that would make a cycle, exist already, or do not exist are refused. */
static void edges(void)
{
    cudaGraph_t g;
    cudaGraphNode_t a, b, c, foreign = NULL;
    size_t n = 1;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddEmptyNode(&a, g, NULL, 0));
    OK(cudaGraphAddEmptyNode(&b, g, &a, 1));
    OK(cudaGraphAddEmptyNode(&c, g, &b, 1));
    RETURNS(cudaErrorInvalidValue, cudaGraphAddDependencies(g, &c, &a, 1));
    RETURNS(cudaErrorInvalidValue, cudaGraphAddDependencies(g, &a, &b, 1));
    RETURNS(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&a, g, &foreign, 1));
    OK(cudaGraphRemoveDependencies(g, &b, &c, 1));
    RETURNS(cudaErrorInvalidValue, cudaGraphRemoveDependencies(g, &b, &c, 1));
    OK(cudaGraphGetRootNodes(g, NULL, &n));
    CU_ASSERT_EQUAL(n, 2);
    OK(cudaGraphDestroyNode(a));
    OK(cudaGraphNodeGetDependencies(b, NULL, &n));
    CU_ASSERT_EQUAL(n, 0);
    RETURNS(cudaErrorInvalidValue, cudaGraphDestroyNode(a));
    OK(cudaGraphDestroy(g));
    RETURNS(cudaErrorInvalidValue, cudaGraphDestroy(g));
}

CU_TestInfo graph_tests[] = {{"built node by node", built_node_by_node},
                             {"changed while queued", change_while_queued},
                             {"added before its dependency",
                              added_before_its_dependency},
                             {"all dependencies", waits_for_all_dependencies},
                             {"update", update},
                             {"child graphs and clones", child_and_clone},
                             {"child changed", child_changed},
                             {"any type changed", any_kind_changed},
                             {"edges", edges},
                             CU_TEST_INFO_NULL};
