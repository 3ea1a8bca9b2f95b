/* SPDX-License-Identifier: MIT */
/* Occupancy, against numbers computed by hand from NVIDIA's tables. */
#include "common/softgpu/cards/occupancy.h"
#include "host_tests.h"

/* Resident blocks per SM of a card. */
static int fit(const char *card, int threads, int registers, size_t shared)
{
    const struct softgpu_block_resources needs = {threads, registers, shared};
    return softgpu_blocks_per_sm(softgpu_find_card(card), &needs);
}

/* Blocks per multiprocessor, worked out by hand for four cards. */
static void blocks_per_sm(void)
{
    CU_ASSERT_EQUAL(fit("h200", 256, 32, 0), 8);   /* 2048 threads */
    CU_ASSERT_EQUAL(fit("h200", 32, 32, 0), 32);   /* 32 blocks */
    CU_ASSERT_EQUAL(fit("h200", 33, 32, 0), 32);   /* two warps per block */
    CU_ASSERT_EQUAL(fit("h200", 256, 64, 0), 4);   /* 8 warps of 2048 regs */
    CU_ASSERT_EQUAL(fit("h200", 256, 33, 0), 6);   /* 40 after rounding */
    CU_ASSERT_EQUAL(fit("h200", 1024, 65, 0), 0);  /* registers */
    CU_ASSERT_EQUAL(fit("h200", 256, 32, 48 * 1024), 4); /* 49 of 228 KB */
    CU_ASSERT_EQUAL(fit("h200", 256, 32, 227 * 1024), 1);
    CU_ASSERT_EQUAL(fit("h200", 256, 32, 228 * 1024), 0);
    CU_ASSERT_EQUAL(fit("rtx3060", 256, 32, 0), 6); /* 1536 threads */
    CU_ASSERT_EQUAL(fit("rtx3060", 64, 32, 0), 16); /* 16 blocks */
    CU_ASSERT_EQUAL(fit("t4", 1024, 32, 0), 1);
    CU_ASSERT_EQUAL(fit("t4", 128, 32, 32 * 1024), 2); /* no reserved memory */
    CU_ASSERT_EQUAL(fit("v100", 256, 32, 48 * 1024), 2);
    CU_ASSERT_EQUAL(fit("h200", 0, 32, 0), 0);
    CU_ASSERT_EQUAL(fit("h200", 1025, 32, 0), 0);
}

/* The limit of a block on the H200. */
static enum occupancy_limit limit(int threads, int registers, size_t shared)
{
    const struct softgpu_block_resources needs = {threads, registers, shared};
    enum occupancy_limit limit;
    softgpu_occupancy(softgpu_find_card("h200"), &needs, &limit);
    return limit;
}

/* Which resource limits the blocks. */
static void limits(void)
{
    CU_ASSERT_EQUAL(limit(256, 32, 0), BY_THREADS);
    CU_ASSERT_EQUAL(limit(32, 32, 0), BY_BLOCKS);
    CU_ASSERT_EQUAL(limit(256, 40, 0), BY_REGISTERS);
    CU_ASSERT_EQUAL(limit(256, 32, 48 * 1024), BY_SHARED);
    CU_ASSERT_EQUAL(limit(256, 32, 228 * 1024), BY_SHARED);
    CU_ASSERT_EQUAL(limit(1024, 65, 0), BY_REGISTERS);
}

/* The smallest carveout of shared memory that holds the blocks. */
static void carveouts(void)
{
    const struct softgpu_card *h200 = softgpu_find_card("h200");
    const struct softgpu_card *t4 = softgpu_find_card("t4");
    CU_ASSERT_EQUAL(softgpu_carveout(h200, 8, 0), 0);
    CU_ASSERT_EQUAL(softgpu_carveout(h200, 1, 1), 8 * 1024);
    CU_ASSERT_EQUAL(softgpu_carveout(h200, 8, 4224), 64 * 1024);
    CU_ASSERT_EQUAL(softgpu_carveout(h200, 2, 40 * 1024), 100 * 1024);
    CU_ASSERT_EQUAL(softgpu_carveout(t4, 1, 0), 32 * 1024);
    CU_ASSERT_EQUAL(softgpu_carveout(t4, 2, 32 * 1024), 64 * 1024);
}

static void calls(void)
{
    int blocks = -1;
    size_t bytes = 0;
    const void *f = (const void *)add_kernel;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 512, 0));
    CU_ASSERT_EQUAL(blocks, 4);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, (const void *)bounded_kernel, 65, 0));
    CU_ASSERT_EQUAL(blocks, 0);
    OK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, f, 4, 512));
    CU_ASSERT_EQUAL(bytes, 228 * 1024 / 4 - 1024);
    RETURNS(cudaErrorInvalidDeviceFunction,
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &blocks,
                                                          32, 0));
    RETURNS(cudaErrorInvalidValue,
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(NULL, f, 32, 0));
}

static size_t a_word_a_thread(void *context, int threads)
{
    (void)context;
    return 4u * (unsigned)threads;
}

static void potential(void)
{
    int grid = 0, block = 0;
    struct softgpu_occupancy_query q = {(const void *)add_kernel,
                                        a_word_a_thread, NULL, 0};
    OK(softgpu_max_potential_block(&grid, &block, &q));
    CU_ASSERT_EQUAL(block, 1024);
    CU_ASSERT_EQUAL(grid, 2 * 132);
    q.limit = 100;
    OK(softgpu_max_potential_block(&grid, &block, &q));
    CU_ASSERT(block <= 100);
    q.func = NULL;
    RETURNS(cudaErrorInvalidDeviceFunction,
            softgpu_max_potential_block(&grid, &block, &q));
}

static void attributes(void)
{
    struct cudaFuncAttributes a;
    OK(cudaFuncGetAttributes(&a, (const void *)shared_kernel));
    CU_ASSERT_EQUAL(a.sharedSizeBytes, 40 * 1024);
    CU_ASSERT_EQUAL(a.maxDynamicSharedSizeBytes, 8 * 1024);
    CU_ASSERT_EQUAL(a.binaryVersion, 90);
    OK(cudaFuncGetAttributes(&a, (const void *)bounded_kernel));
    CU_ASSERT_EQUAL(a.maxThreadsPerBlock, 64);
    RETURNS(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&a, &a));
    RETURNS(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&a, NULL));
}

CU_TestInfo occupancy_tests[] = {{"computed by hand", blocks_per_sm},
                                 {"limiting resource", limits},
                                 {"carveouts", carveouts},
                                 {"calls", calls},
                                 {"potential block size", potential},
                                 {"kernel attributes", attributes},
                                 CU_TEST_INFO_NULL};
