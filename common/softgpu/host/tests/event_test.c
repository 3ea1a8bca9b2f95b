/* SPDX-License-Identifier: MIT */
/* Events: their errors, and the modeled time line. */
#include "host_tests.h"

#define MB ((size_t)1 << 20)

/* Milliseconds between two recorded events. */
static float between(cudaEvent_t start, cudaEvent_t end)
{
    float ms = -1;
    OK(cudaEventElapsedTime(&ms, start, end));
    return ms;
}

/* Events that were never recorded, have not completed, or have no timing. */
static void errors(void)
{
    cudaEvent_t a, b, timeless;
    float ms;
    OK(cudaEventCreate(&a));
    OK(cudaEventCreate(&b));
    OK(cudaEventCreateWithFlags(&timeless, cudaEventDisableTiming));
    OK(cudaEventQuery(a)); /* never recorded: complete */
    RETURNS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, a, b));
    OK(cudaEventRecord(a, NULL));
    OK(cudaEventRecord(b, NULL));
    RETURNS(cudaErrorNotReady, cudaEventElapsedTime(&ms, a, b));
    OK(cudaEventSynchronize(b));
    OK(cudaEventElapsedTime(&ms, a, b));
    CU_ASSERT(ms >= 0);
    OK(cudaEventRecord(timeless, NULL));
    OK(cudaEventSynchronize(timeless));
    RETURNS(cudaErrorInvalidResourceHandle,
            cudaEventElapsedTime(&ms, a, timeless));
    RETURNS(cudaErrorInvalidValue, cudaEventElapsedTime(NULL, a, b));
    OK(cudaEventDestroy(a));
    RETURNS(cudaErrorInvalidResourceHandle, cudaEventRecord(a, NULL));
    RETURNS(cudaErrorInvalidResourceHandle, cudaEventDestroy(a));
    RETURNS(cudaErrorInvalidValue, cudaEventCreateWithFlags(&a, 0x100));
    OK(cudaEventDestroy(b));
    OK(cudaEventDestroy(timeless));
}

/* 64 MB between pinned memory and the device at 53 GB/s: 1.27 ms.
 * cudaMemcpyDefault infers the direction from the pointers. */
static void copy_time(void)
{
    static const enum cudaMemcpyKind kinds[] = {cudaMemcpyHostToDevice,
                                                cudaMemcpyDefault};
    cudaEvent_t a, b;
    char *pinned, *d;
    OK(cudaMallocHost((void **)&pinned, 64 * MB));
    OK(cudaMalloc((void **)&d, 64 * MB));
    OK(cudaEventCreate(&a));
    OK(cudaEventCreate(&b));
    for (int i = 0; i < 2; i++) {
        /* the stream is busy until `a`: the time of the host does not count */
        OK(cudaMemcpyAsync(d, pinned, 64 * MB, kinds[i], NULL));
        OK(cudaEventRecord(a, NULL));
        OK(cudaMemcpyAsync(d, pinned, 64 * MB, kinds[i], NULL));
        OK(cudaEventRecord(b, NULL));
        OK(cudaEventSynchronize(b));
        CU_ASSERT_DOUBLE_EQUAL(between(a, b), 1.27, 0.02);
    }
    OK(cudaEventDestroy(a));
    OK(cudaEventDestroy(b));
    OK(cudaFreeHost(pinned));
    OK(cudaFree(d));
}

/* Time of a host-to-device copy on one stream and one of `kind` on another. */
static float two_copies(enum cudaMemcpyKind kind)
{
    cudaStream_t s[2];
    cudaEvent_t a, b[2];
    char *pinned, *d;
    OK(cudaMallocHost((void **)&pinned, 64 * MB));
    OK(cudaMalloc((void **)&d, 64 * MB));
    OK(cudaEventCreate(&a));
    for (int i = 0; i < 2; i++) {
        OK(cudaStreamCreate(&s[i]));
        OK(cudaEventCreate(&b[i]));
    }
    OK(cudaEventRecord(a, s[0]));
    OK(cudaMemcpyAsync(d, pinned, 32 * MB, cudaMemcpyHostToDevice, s[0]));
    char *const to = kind == cudaMemcpyHostToDevice ? d : pinned;
    char *const from = to == d ? pinned : d;
    OK(cudaMemcpyAsync(to + 32 * MB, from, 32 * MB, kind, s[1]));
    for (int i = 0; i < 2; i++)
        OK(cudaEventRecord(b[i], s[i]));
    OK(cudaDeviceSynchronize());
    const float first = between(a, b[0]), second = between(a, b[1]);
    OK(cudaFreeHost(pinned));
    OK(cudaFree(d));
    return first > second ? first : second;
}

/* The least of some times: a host that is interrupted between two calls only
 * adds to one. */
static float least_of_two_copies(enum cudaMemcpyKind kind)
{
    float least = two_copies(kind);
    for (int i = 0; i < 4; i++) {
        const float again = two_copies(kind);
        least = again < least ? again : least;
    }
    return least;
}

/* Copies in opposite directions overlap, in the same one they do not. */
static void overlap(void)
{
    const float opposite = least_of_two_copies(cudaMemcpyDeviceToHost);
    const float same = least_of_two_copies(cudaMemcpyHostToDevice);
    const float inferred = least_of_two_copies(cudaMemcpyDefault); /* to host */
    CU_ASSERT(same > 1.8f * opposite);
    CU_ASSERT(same < 2.2f * opposite);
    CU_ASSERT(same > 1.8f * inferred);
}

/* Elapsed times are multiples of half a microsecond, as on a GPU, and change
 * sign with the order. */
static void ticks(void)
{
    cudaEvent_t a, b;
    OK(cudaEventCreate(&a));
    OK(cudaEventCreate(&b));
    OK(cudaEventRecord(a, NULL));
    OK(cudaEventRecord(b, NULL));
    OK(cudaDeviceSynchronize());
    const double halves = (double)between(a, b) * 2000.0;
    CU_ASSERT_DOUBLE_EQUAL(halves, (double)(int)(halves + 0.5), 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(between(b, a), -between(a, b), 1e-9);
    OK(cudaEventDestroy(a));
    OK(cudaEventDestroy(b));
}

CU_TestInfo event_tests[] = {{"errors", errors},
                             {"time of a copy", copy_time},
                             {"copies overlap", overlap},
                             {"resolution of 0.5 us", ticks},
                             CU_TEST_INFO_NULL};
