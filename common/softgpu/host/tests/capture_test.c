/* SPDX-License-Identifier: MIT */
/* Stream capture. */
#include "host_tests.h"

static const dim3 one = {1, 1, 1};

/* Global mode forbids unsafe calls of any thread during the capture. */
static void begin(cudaStream_t s)
{
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
}

/* Launch a graph twice, so that what it leaves behind shows, and destroy it. */
static void run(cudaGraph_t g)
{
    cudaGraphExec_t e;
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphLaunch(e, NULL));
    OK(cudaGraphLaunch(e, NULL));
    OK(cudaDeviceSynchronize());
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
}

/* Captured work runs when the graph is launched, never before. */
static void one_stream(void)
{
    cudaStream_t s;
    cudaGraph_t g;
    enum cudaStreamCaptureStatus status;
    int *d = device_ints(2, 0), host = -1;
    size_t n;
    OK(cudaStreamCreate(&s));
    begin(s);
    OK(cudaStreamIsCapturing(s, &status));
    CU_ASSERT_EQUAL(status, cudaStreamCaptureStatusActive);
    LAUNCH(one, one, 0, s, add_kernel(d, 1, 5));
    OK(cudaMemcpyAsync(d + 1, d, sizeof *d, cudaMemcpyDeviceToDevice, s));
    OK(cudaMemcpyAsync(&host, d, sizeof *d, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamEndCapture(s, &g));
    CU_ASSERT_EQUAL(host, -1); /* capture runs nothing */
    OK(cudaGraphGetNodes(g, NULL, &n));
    CU_ASSERT_EQUAL(n, 3);
    run(g);
    CU_ASSERT_EQUAL(host, 10);
    CU_ASSERT_EQUAL(device_int(d + 1), 10);
    OK(cudaStreamDestroy(s));
}

/* A second stream joins the capture by an event and is joined by another. */
static void forked(void)
{
    cudaStream_t s, t;
    cudaEvent_t fork, join;
    cudaGraph_t g;
    int *d = device_ints(1, 0);
    size_t n;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreate(&t));
    OK(cudaEventCreate(&fork));
    OK(cudaEventCreate(&join));
    begin(s);
    OK(cudaEventRecord(fork, s));
    OK(cudaStreamWaitEvent(t, fork, 0));
    LAUNCH(one, one, 0, s, add_kernel(d, 1, 1));
    LAUNCH(one, one, 0, t, add_kernel(d, 1, 2));
    OK(cudaEventRecord(join, t));
    RETURNS(cudaErrorCapturedEvent, cudaEventQuery(join));
    OK(cudaStreamWaitEvent(s, join, 0));
    LAUNCH(one, one, 0, s, add_kernel(d, 1, 4));
    RETURNS(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(t, &g));
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphGetEdges(g, NULL, NULL, &n));
    CU_ASSERT_EQUAL(n, 2);
    run(g);
    CU_ASSERT_EQUAL(device_int(d), 14);
    OK(cudaEventDestroy(fork));
    OK(cudaEventDestroy(join));
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(t));
}

/* A capture may not end while a second stream is still part of it. */
static void unjoined(void)
{
    cudaStream_t s, t;
    cudaEvent_t fork;
    cudaGraph_t g = (cudaGraph_t)&g;
    int *d = device_ints(1, 0);
    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreate(&t));
    OK(cudaEventCreate(&fork));
    begin(s);
    OK(cudaEventRecord(fork, s));
    OK(cudaStreamWaitEvent(t, fork, 0));
    LAUNCH(one, one, 0, t, add_kernel(d, 1, 2));
    RETURNS(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(s, &g));
    CU_ASSERT_PTR_NULL(g);
    LAUNCH(one, one, 0, t, add_kernel(d, 1, 2)); /* no capture */
    OK(cudaStreamSynchronize(t));
    OK(cudaEventDestroy(fork));
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(t));
}

/* Fails the test if it is ever called. */
static void no_callback(cudaStream_t s, cudaError_t status, void *data)
{
    (void)s;
    (void)status;
    (void)data;
    CU_FAIL("a captured callback has run");
}

/* cudaLaunchHostFunc() is captured as a node; cudaStreamAddCallback() is not
 * supported, and invalidates the capture. */
static void callback_captured(void)
{
    cudaStream_t s;
    cudaGraph_t g;
    OK(cudaStreamCreate(&s));
    begin(s);
    RETURNS(cudaErrorStreamCaptureUnsupported,
            cudaStreamAddCallback(s, no_callback, NULL, 0));
    RETURNS(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &g));
    OK(cudaStreamSynchronize(s));
    OK(cudaStreamDestroy(s));
}

/* Each call that would wait for captured work ends the capture. */
static void forbidden(void)
{
    cudaStream_t s;
    cudaGraph_t g;
    int *d = device_ints(1, 0), host;
    OK(cudaStreamCreate(&s));
    begin(s);
    RETURNS(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(s));
    RETURNS(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &g));
    begin(s);
    RETURNS(cudaErrorStreamCaptureUnsupported, cudaDeviceSynchronize());
    RETURNS(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &g));
    begin(s);
    RETURNS(cudaErrorStreamCaptureImplicit,
            cudaMemcpy(&host, d, sizeof host, cudaMemcpyDeviceToHost));
    RETURNS(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &g));
    RETURNS(cudaErrorIllegalState, cudaStreamEndCapture(s, &g));
    RETURNS(cudaErrorStreamCaptureUnsupported,
            cudaStreamBeginCapture(NULL, cudaStreamCaptureModeGlobal));
    begin(s);
    RETURNS(cudaErrorIllegalState,
            cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphDestroy(g));
    OK(cudaStreamDestroy(s));
}

/* Capture into a graph that has a node: the captured nodes depend on it. */
static void into_a_graph(void)
{
    const cudaGraphEdgeData odd = {.type = 1};
    const enum cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    struct cudaMemsetParams fill = {.value = 7, .elementSize = 4, .width = 1,
                                    .height = 1};
    cudaStream_t s;
    cudaGraph_t g, made;
    cudaGraphNode_t first, roots[2];
    int *d = device_ints(1, 0), *other = device_ints(1, 0);
    size_t n = 2;
    fill.dst = d;
    OK(cudaStreamCreate(&s));
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddMemsetNode(&first, g, NULL, 0, &fill));
    OK(cudaStreamBeginCaptureToGraph(s, g, &first, NULL, 1, mode));
    LAUNCH(one, one, 0, s, add_kernel(d, 1, 5));
    OK(cudaStreamEndCapture(s, &made));
    CU_ASSERT_PTR_EQUAL(made, g);
    OK(cudaGraphGetRootNodes(g, roots, &n));
    CU_ASSERT_EQUAL(n, 1);
    CU_ASSERT_PTR_EQUAL(roots[0], first);
    /* a second capture, without dependencies */
    OK(cudaStreamBeginCaptureToGraph(s, g, NULL, NULL, 0, mode));
    LAUNCH(one, one, 0, s, count_kernel(other));
    OK(cudaStreamEndCapture(s, &made));
    OK(cudaGraphGetRootNodes(g, NULL, &n));
    CU_ASSERT_EQUAL(n, 2);
    RETURNS(cudaErrorNotSupported,
            cudaStreamBeginCaptureToGraph(s, g, &first, &odd, 1, mode));
    run(g);
    CU_ASSERT_EQUAL(device_int(d), 12); /* filled anew by each launch */
    OK(cudaStreamDestroy(s));
}

/* An existing graph stays valid when the capture into it fails. */
static void failed_into_a_graph(void)
{
    const enum cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    cudaStream_t s;
    cudaGraph_t g, other, made = NULL;
    cudaGraphNode_t foreign;
    OK(cudaStreamCreate(&s));
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphCreate(&other, 0));
    OK(cudaGraphAddEmptyNode(&foreign, other, NULL, 0));
    RETURNS(cudaErrorInvalidValue,
            cudaStreamBeginCaptureToGraph(s, NULL, NULL, NULL, 0, mode));
    RETURNS(cudaErrorInvalidValue,
            cudaStreamBeginCaptureToGraph(s, g, NULL, NULL, 1, mode));
    RETURNS(cudaErrorInvalidValue,
            cudaStreamBeginCaptureToGraph(s, g, &foreign, NULL, 1, mode));
    RETURNS(cudaErrorStreamCaptureUnsupported,
            cudaStreamBeginCaptureToGraph(NULL, g, NULL, NULL, 0, mode));
    OK(cudaStreamBeginCaptureToGraph(s, g, NULL, NULL, 0, mode));
    RETURNS(cudaErrorIllegalState,
            cudaStreamBeginCaptureToGraph(s, other, NULL, NULL, 0, mode));
    RETURNS(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(s));
    RETURNS(cudaErrorStreamCaptureInvalidated,
            cudaStreamEndCapture(s, &made));
    CU_ASSERT_PTR_NULL(made);
    OK(cudaGraphDestroy(g));
    OK(cudaGraphDestroy(other));
    OK(cudaStreamDestroy(s));
}

/* Only nodes of the capture's own graph can be its dependencies. */
static void update_dependencies(void)
{
    const unsigned set = cudaStreamSetCaptureDependencies;
    const unsigned add = cudaStreamAddCaptureDependencies;
    int *d = device_ints(1, 0);
    cudaStream_t s;
    cudaGraph_t other, graph, made = NULL;
    cudaGraphNode_t foreign, none = NULL;
    const cudaGraphNode_t *nodes;
    enum cudaStreamCaptureStatus status;
    size_t n;
    OK(cudaStreamCreate(&s));
    OK(cudaGraphCreate(&other, 0));
    OK(cudaGraphAddEmptyNode(&foreign, other, NULL, 0));
    RETURNS(cudaErrorIllegalState,
            cudaStreamUpdateCaptureDependencies(s, &foreign, 1, set));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    LAUNCH(one, one, 0, s, count_kernel(d));
    RETURNS(cudaErrorInvalidValue,
            cudaStreamUpdateCaptureDependencies(s, &foreign, 1, set));
    RETURNS(cudaErrorInvalidValue,
            cudaStreamUpdateCaptureDependencies(s, &none, 1, add));
    OK(cudaStreamGetCaptureInfo_v2(s, &status, NULL, &graph, &nodes, &n));
    CU_ASSERT_EQUAL(n, 1); /* the refused calls changed nothing */
    OK(cudaStreamUpdateCaptureDependencies(s, (cudaGraphNode_t *)nodes, 1,
                                           add));
    OK(cudaStreamUpdateCaptureDependencies(s, NULL, 0, set));
    LAUNCH(one, one, 0, s, count_kernel(d));
    OK(cudaStreamEndCapture(s, &made));
    OK(cudaGraphGetRootNodes(made, NULL, &n));
    CU_ASSERT_EQUAL(n, 2);
    OK(cudaGraphDestroy(made));
    OK(cudaGraphDestroy(other));
    OK(cudaStreamDestroy(s));
}

CU_TestInfo capture_tests[] = {
    {"one stream", one_stream},
    {"fork and join", forked},
    {"fork without join", unjoined},
    {"calls that capture does not permit", forbidden},
    {"a callback is not captured", callback_captured},
    {"dependencies that a program sets", update_dependencies},
    {"into an existing graph", into_a_graph},
    {"failed, into an existing graph", failed_into_a_graph},
    CU_TEST_INFO_NULL};
