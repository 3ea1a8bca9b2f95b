/* SPDX-License-Identifier: MIT */
/* Streams: order, lazy execution, the default stream, host functions. */
#include <pthread.h>

#include "host_tests.h"

static const dim3 one = {1, 1, 1};

/* Launch a kernel that writes the number of its launch. */
static void count_on(cudaStream_t s, int *p)
{
    LAUNCH(one, one, 0, s, count_kernel(p));
    OK(cudaPeekAtLastError());
}

static void runs_only_when_waited(void)
{
    cudaStream_t a, b;
    int *seen;
    OK(cudaMallocManaged((void **)&seen, 2 * sizeof *seen, 1));
    seen[0] = seen[1] = 0;
    OK(cudaStreamCreate(&a));
    OK(cudaStreamCreate(&b));
    count_on(a, &seen[0]);
    count_on(b, &seen[1]);
    CU_ASSERT_EQUAL(seen[0], 0); /* no wait yet */
    OK(cudaStreamSynchronize(b));
    CU_ASSERT_EQUAL(seen[0], 0); /* none for this stream */
    CU_ASSERT_NOT_EQUAL(seen[1], 0);
    OK(cudaDeviceSynchronize());
    CU_ASSERT(seen[0] > seen[1]);
    OK(cudaStreamDestroy(a));
    OK(cudaStreamDestroy(b));
    RETURNS(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(b));
}

static void event_order(void)
{
    cudaStream_t a, b;
    cudaEvent_t e;
    int *seen;
    OK(cudaMallocManaged((void **)&seen, 2 * sizeof *seen, 1));
    OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    OK(cudaEventCreate(&e));
    count_on(a, &seen[0]);
    OK(cudaEventRecord(e, a));
    OK(cudaStreamWaitEvent(b, e, 0));
    count_on(b, &seen[1]);
    OK(cudaStreamSynchronize(b));
    CU_ASSERT(seen[0] > 0 && seen[0] < seen[1]);
    OK(cudaEventDestroy(e));
    OK(cudaStreamDestroy(a));
    OK(cudaStreamDestroy(b));
}

/* Kernels in a blocking stream, the default stream, and the first again run in
 * this order; a non-blocking stream is independent. */
static void default_stream(void)
{
    cudaStream_t blocking, free_one;
    int *seen;
    OK(cudaMallocManaged((void **)&seen, 4 * sizeof *seen, 1));
    seen[3] = 0;
    OK(cudaStreamCreate(&blocking));
    OK(cudaStreamCreateWithFlags(&free_one, cudaStreamNonBlocking));
    count_on(free_one, &seen[3]);
    count_on(blocking, &seen[0]);
    count_on(NULL, &seen[1]);
    count_on(blocking, &seen[2]);
    OK(cudaStreamSynchronize(blocking));
    CU_ASSERT(seen[0] < seen[1] && seen[1] < seen[2]);
    CU_ASSERT_EQUAL(seen[3], 0);
    OK(cudaDeviceSynchronize());
    CU_ASSERT_NOT_EQUAL(seen[3], 0);
    seen[0] = seen[1] = seen[3] = 0;
    count_on(NULL, &seen[1]);
    count_on(blocking, &seen[0]);
    count_on(free_one, &seen[3]);
    OK(cudaStreamSynchronize(free_one));
    CU_ASSERT_NOT_EQUAL(seen[3], 0);
    CU_ASSERT_EQUAL(seen[0] + seen[1], 0); /* it waits for neither */
    OK(cudaStreamDestroy(blocking));
    OK(cudaStreamDestroy(free_one));
}

/* The commands of a destroyed stream run; a new stream is another one. */
static void destroyed_with_commands(void)
{
    cudaStream_t s, t;
    int *seen;
    OK(cudaMallocManaged((void **)&seen, sizeof *seen, 1));
    *seen = 0;
    OK(cudaStreamCreate(&s));
    count_on(s, seen);
    OK(cudaStreamDestroy(s));
    OK(cudaStreamCreate(&t));
    OK(cudaStreamSynchronize(t));
    OK(cudaDeviceSynchronize());
    CU_ASSERT_NOT_EQUAL(*seen, 0);
    OK(cudaStreamDestroy(t));
    OK(cudaFree(seen));
}

static void query(void)
{
    cudaStream_t s;
    int *d = device_ints(1, 0);
    OK(cudaStreamCreate(&s));
    OK(cudaStreamQuery(s));
    count_on(s, d);
    count_on(s, d);
    RETURNS(cudaErrorNotReady, cudaStreamQuery(s));
    int tries = 0;
    while (cudaStreamQuery(s) == cudaErrorNotReady && tries < 10)
        tries++;
    CU_ASSERT_EQUAL(tries, 1); /* a query runs one command */
    cudaGetLastError();
    OK(cudaStreamDestroy(s));
}

static int called;
static cudaError_t inner;
static void host_function(void *data)
{
    called = *(int *)data;
    inner = cudaDeviceSynchronize();
}
static void callback(cudaStream_t s, cudaError_t status, void *data)
{
    (void)s;
    called = status == cudaSuccess ? *(int *)data : -1;
}

static void host_functions(void)
{
    int *p;
    OK(cudaMallocManaged((void **)&p, sizeof *p, 1));
    *p = 40;
    LAUNCH(one, one, 0, NULL, add_kernel(p, 1, 2));
    OK(cudaLaunchHostFunc(NULL, host_function, p));
    CU_ASSERT_EQUAL(called, 0);
    OK(cudaDeviceSynchronize());
    CU_ASSERT_EQUAL(called, 42);
    CU_ASSERT_EQUAL(inner, cudaErrorNotPermitted);
    cudaGetLastError();
    *p = 5;
    OK(cudaStreamAddCallback(NULL, callback, p, 0));
    OK(cudaStreamSynchronize(NULL));
    CU_ASSERT_EQUAL(called, 5);
    RETURNS(cudaErrorInvalidValue, cudaLaunchHostFunc(NULL, NULL, p));
    RETURNS(cudaErrorInvalidValue, cudaStreamAddCallback(NULL, callback, p, 1));
}

/* A full queue: the next call runs the oldest command. */
static void full_queue(void)
{
    int *p;
    OK(cudaMallocManaged((void **)&p, sizeof *p, 1));
    *p = 0;
    for (int i = 0; i < 1500; i++)
        LAUNCH(one, one, 0, NULL, add_kernel(p, 1, 1));
    CU_ASSERT(*p > 0 && *p < 1500);
    OK(cudaDeviceSynchronize());
    CU_ASSERT_EQUAL(*p, 1500);
}

enum { ROUNDS = 200 };

/* One host thread with a stream of its own. */
static void *host_thread(void *p)
{
    cudaStream_t s;
    cudaError_t error = cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    for (int i = 0; i < ROUNDS && !error; i++) {
        LAUNCH(one, one, 0, s, add_kernel(p, 1, 1));
        LAUNCH(one, one, 0, s, add_kernel(p, 1, 1));
        error = cudaStreamSynchronize(s);
    }
    cudaStreamDestroy(s);
    return error ? NULL : p;
}

static void host_threads(void)
{
    pthread_t threads[3];
    int *p = device_ints(3, 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, host_thread, p + i);
    for (int i = 0; i < 3; i++) {
        void *result;
        pthread_join(threads[i], &result);
        CU_ASSERT_PTR_NOT_NULL(result);
        CU_ASSERT_EQUAL(device_int(p + i), 2 * ROUNDS);
    }
}

static void properties(void)
{
    cudaStream_t s;
    int least, greatest, priority;
    unsigned flags;
    unsigned long long id, other;
    OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    OK(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, -100));
    OK(cudaStreamGetPriority(s, &priority));
    CU_ASSERT_EQUAL(priority, greatest);
    OK(cudaStreamGetFlags(s, &flags));
    CU_ASSERT_EQUAL(flags, cudaStreamNonBlocking);
    OK(cudaStreamGetId(s, &id));
    OK(cudaStreamGetId(NULL, &other));
    CU_ASSERT_NOT_EQUAL(id, other);
    RETURNS(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&s, 2));
    RETURNS(cudaErrorInvalidValue, cudaStreamCreate(NULL));
    RETURNS(cudaErrorInvalidResourceHandle, cudaStreamDestroy(NULL));
    RETURNS(cudaErrorInvalidResourceHandle,
            cudaStreamQuery((cudaStream_t)&least));
    OK(cudaStreamDestroy(s));
}

CU_TestInfo stream_tests[] = {
    {"commands run at a wait", runs_only_when_waited},
    {"events order streams", event_order},
    {"the default stream", default_stream},
    {"a destroyed stream", destroyed_with_commands},
    {"query makes progress", query},
    {"host functions", host_functions},
    {"a full queue", full_queue},
    {"three host threads", host_threads},
    {"properties and bad handles", properties},
    CU_TEST_INFO_NULL};
