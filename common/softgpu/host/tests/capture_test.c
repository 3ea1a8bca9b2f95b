/* SPDX-License-Identifier: MIT */
/* Capturing streams. */
#include "host_tests.h"

static const dim3 one = {1, 1, 1};

static void begin(cudaStream_t s)
{
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
}

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

static void straight(void)
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
    CU_ASSERT_EQUAL(host, -1); /* capturing does nothing */
    OK(cudaGraphGetNodes(g, NULL, &n));
    CU_ASSERT_EQUAL(n, 3);
    run(g);
    CU_ASSERT_EQUAL(host, 10);
    CU_ASSERT_EQUAL(device_int(d + 1), 10);
    OK(cudaStreamDestroy(s));
}

/* A second stream joins by an event and comes back by another. */
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
    LAUNCH(one, one, 0, t, add_kernel(d, 1, 2)); /* t is free again */
    OK(cudaStreamSynchronize(t));
    OK(cudaEventDestroy(fork));
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(t));
}

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

CU_TestInfo capture_tests[] = {{"one stream", straight},
                               {"forked and joined", forked},
                               {"forked and not joined", unjoined},
                               {"what a capture forbids", forbidden},
                               CU_TEST_INFO_NULL};
