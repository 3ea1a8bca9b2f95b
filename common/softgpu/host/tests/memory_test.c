/* SPDX-License-Identifier: MIT */
/* Allocation, freeing, and pointer attributes. */
#include <stdint.h>
#include <stdlib.h>

#include "host_tests.h"

/* Alignment of 256 bytes; double frees and inner pointers are errors. */
static void device_memory(void)
{
    char *p = NULL, *q = NULL;
    OK(cudaMalloc((void **)&p, 1));
    OK(cudaMalloc((void **)&q, 1000));
    CU_ASSERT_EQUAL((uintptr_t)p % 256, 0);
    CU_ASSERT_EQUAL((uintptr_t)q % 256, 0);
    CU_ASSERT_NOT_EQUAL(p, q);
    OK(cudaFree(q));
    RETURNS(cudaErrorInvalidValue, cudaFree(q));
    RETURNS(cudaErrorInvalidValue, cudaFree(p + 1));
    OK(cudaFree(p));
    OK(cudaFree(NULL));
    OK(cudaMalloc((void **)&p, 0));
    CU_ASSERT_PTR_NULL(p);
}

/* Each kind of memory has its own function to free it. */
static void wrong_frees(void)
{
    int local;
    void *pinned, *device, *plain = malloc(16);
    OK(cudaMallocHost(&pinned, 16));
    OK(cudaMalloc(&device, 16));
    RETURNS(cudaErrorInvalidValue, cudaFree(&local));
    RETURNS(cudaErrorInvalidValue, cudaFree(plain));
    RETURNS(cudaErrorInvalidValue, cudaFree(pinned));
    RETURNS(cudaErrorInvalidValue, cudaFreeHost(device));
    OK(cudaFreeHost(pinned));
    OK(cudaFree(device));
    free(plain);
}

/* More than there is fails; memory that is never accessed costs nothing. */
static void out_of_memory(void)
{
    void *p = &p;
    size_t free_bytes, total;
    OK(cudaMemGetInfo(&free_bytes, &total));
    CU_ASSERT(free_bytes <= total);
    RETURNS(cudaErrorMemoryAllocation, cudaMalloc(&p, total + 1));
    RETURNS(cudaErrorMemoryAllocation, cudaMalloc(&p, SIZE_MAX));
    RETURNS(cudaErrorMemoryAllocation, cudaMalloc(&p, free_bytes + 1));
    CU_ASSERT_PTR_NULL(p);
    OK(cudaMalloc(&p, free_bytes / 2)); /* never accessed: not committed */
    size_t left;
    OK(cudaMemGetInfo(&left, &total));
    CU_ASSERT(left <= free_bytes - free_bytes / 2);
    OK(cudaFree(p));
    RETURNS(cudaErrorMemoryAllocation, cudaGetLastError());
}

/* Sizes of all magnitudes, freed and allocated again in another order. */
static void many(void)
{
    enum { N = 500 };
    static void *p[N];
    for (int i = 0; i < N; i++)
        OK(cudaMalloc(&p[i], (size_t)(i * 7919 % 70001) + 1));
    for (int i = 0; i < N; i += 2)
        OK(cudaFree(p[i]));
    for (int i = 0; i < N; i += 2)
        OK(cudaMalloc(&p[i], (size_t)i + 1));
    for (int i = 0; i < N; i++)
        OK(cudaMemset(p[i], i, (size_t)i / 2 * 2 == (size_t)i ? 1u : 2u));
    for (int i = 0; i < N; i++)
        OK(cudaFree(p[i]));
}

/* Pinned memory has the same address on the device. */
static void host_memory(void)
{
    void *p, *d;
    unsigned flags;
    int local;
    OK(cudaHostAlloc(&p, 100, cudaHostAllocMapped));
    OK(cudaHostGetDevicePointer(&d, p, 0));
    CU_ASSERT_PTR_EQUAL(d, p);
    OK(cudaHostGetFlags(&flags, p));
    CU_ASSERT(flags & cudaHostAllocMapped);
    RETURNS(cudaErrorInvalidValue, cudaHostGetDevicePointer(&d, &local, 0));
    RETURNS(cudaErrorInvalidValue, cudaHostAlloc(&p, 100, 0x80));
    OK(cudaFreeHost(p));
}

/* malloc()'s memory can be pinned, but not twice. */
static void registered(void)
{
    char *p = malloc(100);
    OK(cudaHostRegister(p, 100, cudaHostRegisterDefault));
    RETURNS(cudaErrorHostMemoryAlreadyRegistered,
            cudaHostRegister(p + 50, 10, 0));
    RETURNS(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(p + 1));
    OK(cudaHostUnregister(p));
    RETURNS(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(p));
    RETURNS(cudaErrorInvalidValue, cudaHostRegister(NULL, 10, 0));
    /* a negative int as a number of bytes, and one that ends in no memory */
    RETURNS(cudaErrorInvalidValue, cudaHostRegister(p, (size_t)-8000, 0));
    RETURNS(cudaErrorInvalidValue, cudaHostRegister(p, (size_t)1 << 46, 0));
    free(p);
}

/* The kind of memory that a pointer points to. */
static enum cudaMemoryType type_of(const void *p)
{
    struct cudaPointerAttributes a;
    OK(cudaPointerGetAttributes(&a, p));
    return a.type;
}

/* The byte after an allocation belongs to none. */
static void attributes(void)
{
    int local;
    char *device;
    void *pinned, *managed;
    OK(cudaMalloc((void **)&device, 10));
    OK(cudaMallocHost(&pinned, 10));
    OK(cudaMallocManaged(&managed, 10, cudaMemAttachGlobal));
    CU_ASSERT_EQUAL(type_of(&local), cudaMemoryTypeUnregistered);
    CU_ASSERT_EQUAL(type_of(device + 9), cudaMemoryTypeDevice);
    CU_ASSERT_EQUAL(type_of(device + 10), cudaMemoryTypeUnregistered);
    CU_ASSERT_EQUAL(type_of(pinned), cudaMemoryTypeHost);
    CU_ASSERT_EQUAL(type_of(managed), cudaMemoryTypeManaged);
    RETURNS(cudaErrorInvalidValue, cudaPointerGetAttributes(NULL, device));
    OK(cudaFree(device));
    OK(cudaFreeHost(pinned));
    OK(cudaFree(managed));
}

/* Prefetches and advice take managed memory only, and whole ranges. */
static void managed_hints(void)
{
    char *p, *device;
    int answer[2];
    OK(cudaMallocManaged((void **)&p, 100, cudaMemAttachGlobal));
    OK(cudaMalloc((void **)&device, 100));
    p[99] = 5; /* by the host */
    OK(cudaMemPrefetchAsync(p, 100, 0, NULL));
    RETURNS(cudaErrorInvalidDevice, cudaMemPrefetchAsync(p, 100, 9, NULL));
    RETURNS(cudaErrorInvalidValue, cudaMemPrefetchAsync(p, 101, 0, NULL));
    RETURNS(cudaErrorInvalidValue, cudaMemPrefetchAsync(device, 9, 0, NULL));
    OK(cudaMemAdvise(p, 100, cudaMemAdviseSetAccessedBy, 1));
    OK(cudaMemRangeGetAttribute(answer, sizeof answer,
                                cudaMemRangeAttributeAccessedBy, p, 100));
    CU_ASSERT_EQUAL(answer[0], 1);
    CU_ASSERT_EQUAL(answer[1], cudaInvalidDeviceId);
    RETURNS(cudaErrorInvalidValue, cudaMallocManaged((void **)&p, 0, 1));
    RETURNS(cudaErrorInvalidValue, cudaMallocManaged((void **)&p, 1, 7));
}

/* Rows are padded to 512 bytes; sizes that overflow are refused. */
static void pitched(void)
{
    void *p;
    size_t pitch;
    OK(cudaMallocPitch(&p, &pitch, 513, 3));
    CU_ASSERT_EQUAL(pitch, 1024);
    OK(cudaFree(p));
    RETURNS(cudaErrorMemoryAllocation,
            cudaMallocPitch(&p, &pitch, 512, SIZE_MAX / 256));
    RETURNS(cudaErrorInvalidValue, cudaMallocPitch(&p, NULL, 512, 1));
    struct cudaPitchedPtr box;
    OK(cudaMalloc3D(&box, make_cudaExtent(10, 3, 2)));
    CU_ASSERT_EQUAL(box.ysize, 3);
    OK(cudaFree(box.ptr));
}

CU_TestInfo memory_tests[] = {{"device memory", device_memory},
                              {"wrong frees", wrong_frees},
                              {"out of memory", out_of_memory},
                              {"many allocations", many},
                              {"pinned memory", host_memory},
                              {"registered memory", registered},
                              {"pointer attributes", attributes},
                              {"managed memory", managed_hints},
                              {"pitched memory", pitched},
                              CU_TEST_INFO_NULL};
