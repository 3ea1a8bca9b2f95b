/* SPDX-License-Identifier: MIT */
/* Devices: properties, limits, peers, contexts. */
#include <string.h>

#include "host_tests.h"

/* Properties and attributes agree with each other and with the card's data
 * sheet. */
static void properties(void)
{
    struct cudaDeviceProp p;
    int value;
    OK(cudaGetDeviceProperties(&p, 0));
    CU_ASSERT_STRING_EQUAL(p.name, "NVIDIA H200");
    CU_ASSERT_EQUAL(p.major, 9);
    CU_ASSERT_EQUAL(p.sharedMemPerBlockOptin, 232448);
    CU_ASSERT_EQUAL(p.maxThreadsDim[2], 64);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    CU_ASSERT_EQUAL(value, p.multiProcessorCount);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, 1));
    CU_ASSERT_EQUAL(value, p.clockRate);
    RETURNS(cudaErrorInvalidDevice, cudaGetDeviceProperties(&p, 2));
    RETURNS(cudaErrorInvalidValue, cudaGetDeviceProperties(NULL, 0));
    RETURNS(cudaErrorInvalidDevice,
            cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, -1));
    RETURNS(cudaErrorInvalidValue,
            cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)0, 0));
}

/* A refused cudaSetDevice() leaves the current device as it is. */
static void current(void)
{
    int d = -1;
    OK(cudaSetDevice(1));
    OK(cudaGetDevice(&d));
    CU_ASSERT_EQUAL(d, 1);
    RETURNS(cudaErrorInvalidDevice, cudaSetDevice(2));
    OK(cudaGetDevice(&d));
    CU_ASSERT_EQUAL(d, 1);
    OK(cudaSetDevice(0));
}

/* A device is found again by its PCI bus id. */
static void bus_ids(void)
{
    char id[20];
    int d = -1;
    OK(cudaDeviceGetPCIBusId(id, sizeof id, 1));
    OK(cudaDeviceGetByPCIBusId(&d, id));
    CU_ASSERT_EQUAL(d, 1);
    RETURNS(cudaErrorInvalidDevice,
            cudaDeviceGetByPCIBusId(&d, "0000:7f:00.0"));
    RETURNS(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(&d, "the first"));
}

/* Kernels may wait for kernels as deep as they may launch them. */
static void limits(void)
{
    size_t value = 0;
    OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
    OK(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize));
    CU_ASSERT_EQUAL(value, 1 << 20);
    OK(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 24));
    RETURNS(cudaErrorInvalidValue,
            cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 25));
    OK(cudaDeviceGetLimit(&value, cudaLimitDevRuntimeSyncDepth));
    CU_ASSERT_EQUAL(value, 24);
    RETURNS(cudaErrorInvalidValue,
            cudaDeviceGetLimit(&value, (enum cudaLimit)99));
}

/* Access to a peer is enabled once a direction, and never to oneself. */
static void peers(void)
{
    int can, *a, *b, value = 9;
    OK(cudaDeviceCanAccessPeer(&can, 0, 1));
    CU_ASSERT_EQUAL(can, 1);
    OK(cudaDeviceCanAccessPeer(&can, 0, 0));
    CU_ASSERT_EQUAL(can, 0);
    OK(cudaDeviceEnablePeerAccess(1, 0));
    RETURNS(cudaErrorPeerAccessAlreadyEnabled,
            cudaDeviceEnablePeerAccess(1, 0));
    RETURNS(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(0, 0));
    a = device_ints(1, 21);
    OK(cudaSetDevice(1));
    RETURNS(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0));
    b = device_ints(1, 0);
    OK(cudaMemcpyPeer(b, 1, a, 0, sizeof *a));
    RETURNS(cudaErrorInvalidValue, cudaMemcpyPeer(b, 0, a, 1, sizeof *a));
    RETURNS(cudaErrorInvalidDevice, cudaMemcpyPeer(b, 5, a, 0, sizeof *a));
    OK(cudaMemcpy(&value, b, sizeof value, cudaMemcpyDeviceToHost));
    CU_ASSERT_EQUAL(value, 21);
    OK(cudaSetDevice(0));
}

/* A stream belongs to the device it was created on. */
static void foreign_stream(void)
{
    const dim3 one = {1, 1, 1};
    cudaStream_t s;
    cudaEvent_t e;
    int *d = device_ints(1, 0);
    OK(cudaSetDevice(1));
    OK(cudaStreamCreate(&s));
    OK(cudaSetDevice(0));
    OK(cudaEventCreate(&e));
    LAUNCH(one, one, 0, s, add_kernel(d, 1, 1));
    RETURNS(cudaErrorInvalidResourceHandle, cudaGetLastError());
    RETURNS(cudaErrorInvalidResourceHandle, cudaEventRecord(e, s));
    OK(cudaStreamWaitEvent(s, e, 0)); /* waits across devices are allowed */
    OK(cudaStreamDestroy(s));
    OK(cudaEventDestroy(e));
}

/* The runtime version is that of the headers. */
static void versions(void)
{
    int v;
    OK(cudaRuntimeGetVersion(&v));
    CU_ASSERT_EQUAL(v, CUDART_VERSION);
    RETURNS(cudaErrorInvalidValue, cudaDriverGetVersion(NULL));
    cudaGetLastError();
}

CU_TestInfo device_tests[] = {{"properties", properties},
                              {"current device", current},
                              {"bus ids", bus_ids},
                              {"limits", limits},
                              {"peers", peers},
                              {"another device's stream", foreign_stream},
                              {"versions", versions},
                              CU_TEST_INFO_NULL};
