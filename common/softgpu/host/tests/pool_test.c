/* SPDX-License-Identifier: MIT */
/* The stream-ordered allocator and memory pools. */
#include "host_tests.h"

static uint64_t used(cudaMemPool_t pool)
{
    uint64_t bytes = 12345;
    OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &bytes));
    return bytes;
}

static void in_order(void)
{
    cudaStream_t s;
    cudaMemPool_t pool;
    char *p;
    OK(cudaStreamCreate(&s));
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    OK(cudaMallocAsync((void **)&p, 1000, s));
    OK(cudaMemsetAsync(p, 1, 1000, s));
    CU_ASSERT_EQUAL(used(pool), 1000);
    OK(cudaFreeAsync(p, s));
    RETURNS(cudaErrorInvalidValue, cudaFreeAsync(p, s));
    RETURNS(cudaErrorInvalidValue, cudaFree(p));
    OK(cudaStreamSynchronize(s));
    CU_ASSERT_EQUAL(used(pool), 0);
    OK(cudaFreeAsync(NULL, s));
    OK(cudaMallocAsync((void **)&p, 10, s));
    OK(cudaFree(p)); /* allowed; it synchronizes */
    CU_ASSERT_EQUAL(used(pool), 0);
    OK(cudaStreamDestroy(s));
}

/* Queued frees run when an allocation finds no memory. */
static void reuse(void)
{
    size_t free_bytes, total;
    void *p;
    OK(cudaMemGetInfo(&free_bytes, &total));
    for (int i = 0; i < 5; i++) {
        OK(cudaMallocAsync(&p, free_bytes / 2, NULL));
        OK(cudaFreeAsync(p, NULL));
    }
    OK(cudaDeviceSynchronize());
}

static void explicit_pool(void)
{
    struct cudaMemPoolProps props = {
        .allocType = cudaMemAllocationTypePinned,
        .location = {cudaMemLocationTypeDevice, 0}, .maxSize = 4096};
    cudaMemPool_t pool, found;
    void *p, *q;
    uint64_t threshold = 1 << 20, zero = 0;
    OK(cudaMemPoolCreate(&pool, &props));
    OK(cudaDeviceSetMemPool(0, pool));
    OK(cudaDeviceGetMemPool(&found, 0));
    CU_ASSERT_PTR_EQUAL(found, pool);
    OK(cudaMallocAsync(&p, 4096, NULL));
    RETURNS(cudaErrorMemoryAllocation, cudaMallocAsync(&q, 1, NULL));
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold,
                               &threshold));
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
    RETURNS(cudaErrorInvalidValue,
            cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent,
                                    &zero));
    OK(cudaMemPoolDestroy(pool)); /* its allocations stay valid */
    OK(cudaFreeAsync(p, NULL));
    OK(cudaDeviceSynchronize());
    RETURNS(cudaErrorInvalidValue, cudaMemPoolDestroy(pool));
    OK(cudaDeviceGetDefaultMemPool(&found, 0));
    RETURNS(cudaErrorInvalidValue, cudaMemPoolDestroy(found));
    RETURNS(cudaErrorInvalidDevice, cudaDeviceGetDefaultMemPool(&found, 7));
    props.location.id = 9;
    RETURNS(cudaErrorInvalidDevice, cudaMemPoolCreate(&pool, &props));
}

static uint64_t attribute(cudaMemPool_t pool, enum cudaMemPoolAttr name)
{
    uint64_t bytes = 12345;
    OK(cudaMemPoolGetAttribute(pool, name, &bytes));
    return bytes;
}

/* The marks stay up; memory above the threshold is released. */
static void high_water_marks(void)
{
    const struct cudaMemPoolProps props = {
        .allocType = cudaMemAllocationTypePinned,
        .location = {cudaMemLocationTypeDevice, 0}};
    cudaMemPool_t pool, found, first;
    void *p, *q;
    uint64_t threshold = 3000;
    OK(cudaDeviceGetDefaultMemPool(&first, 0));
    OK(cudaMemPoolCreate(&pool, &props));
    OK(cudaDeviceSetMemPool(0, pool));
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold,
                               &threshold));
    OK(cudaMallocAsync(&p, 4000, NULL));
    OK(cudaMallocAsync(&q, 1000, NULL));
    OK(cudaFreeAsync(p, NULL));
    OK(cudaFreeAsync(q, NULL));
    OK(cudaDeviceSynchronize());
    CU_ASSERT_EQUAL(attribute(pool, cudaMemPoolAttrUsedMemHigh), 5000);
    CU_ASSERT_EQUAL(attribute(pool, cudaMemPoolAttrReservedMemHigh), 5000);
    CU_ASSERT_EQUAL(attribute(pool, cudaMemPoolAttrReservedMemCurrent), 3000);
    OK(cudaMemPoolDestroy(pool));
    OK(cudaDeviceGetMemPool(&found, 0));
    CU_ASSERT_PTR_EQUAL(found, first);
}

CU_TestInfo pool_tests[] = {{"in stream order", in_order},
                            {"queued frees are reused", reuse},
                            {"explicit pool", explicit_pool},
                            {"high-water marks", high_water_marks},
                            CU_TEST_INFO_NULL};
