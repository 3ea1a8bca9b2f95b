/* SPDX-License-Identifier: MIT */
/** @file
 *  CUDA's occupancy API; the rules are in cards/occupancy.c.
 */
#include "common/softgpu/cards/occupancy.h"

#include "call.h"
#include "device.h"
#include "launch.h"

#define WARP 32
#define MAX_THREADS 1024

static int min_int(int a, int b)
{
    return a < b ? a : b;
}

/* Store the resident blocks per SM of a kernel in *blocks. */
static cudaError_t active_blocks(int *blocks, const void *func, int size,
                                 size_t dynamic)
{
    const struct softgpu_kernel *kernel = softgpu_find_kernel_of(func);
    if (!blocks || size < 1)
        return cudaErrorInvalidValue;
    if (!kernel)
        return cudaErrorInvalidDeviceFunction;
    const struct softgpu_block_resources needs = {
        size, SOFTGPU_ASSUMED_REGISTERS,
        softgpu_static_shared(kernel) + dynamic};
    const int bound = kernel->max_threads ? (int)kernel->max_threads
                                          : MAX_THREADS;
    *blocks = size <= bound && dynamic <= softgpu_dynamic_limit(kernel)
                  ? softgpu_blocks_per_sm(softgpu_card(), &needs)
                  : 0;
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                          const void *func,
                                                          int blockSize,
                                                          size_t dynamicBytes)
{
    SOFTGPU_CALL(active_blocks(blocks, func, blockSize, dynamicBytes));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *func, int blockSize, size_t dynamicBytes,
    unsigned int flags)
{
    SOFTGPU_CALL(flags > cudaOccupancyDisableCachingOverride
                     ? cudaErrorInvalidValue
                     : active_blocks(blocks, func, blockSize, dynamicBytes));
}

static cudaError_t available(size_t *bytes, const void *func, int blocks,
                             int size)
{
    const struct softgpu_kernel *kernel = softgpu_find_kernel_of(func);
    int fit = 0;
    const cudaError_t error = active_blocks(&fit, func, size, 0);
    if (error || !bytes || blocks < 1)
        return error ? error : cudaErrorInvalidValue;
    if (fit < blocks)
        return cudaErrorInvalidValue;
    *bytes = softgpu_max_dynamic_shared(softgpu_card(), blocks,
                                  softgpu_static_shared(kernel));
    return cudaSuccess;
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes,
                                                      const void *func,
                                                      int blocks,
                                                      int blockSize)
{
    SOFTGPU_CALL(available(bytes, func, blocks, blockSize));
}

/* Ask the program's own function, which may call the runtime: without the
 * lock. */
static size_t dynamic_of(const struct softgpu_occupancy_query *question,
                         int threads)
{
    pthread_mutex_unlock(&softgpu_lock);
    const size_t bytes = question->dynamic(question->context, threads);
    pthread_mutex_lock(&softgpu_lock);
    return bytes;
}

/* The largest block size, in whole warps, with the most threads per SM. */
static cudaError_t best_block(int *grid, int *block,
                              const struct softgpu_occupancy_query *question)
{
    const struct softgpu_kernel *kernel =
        softgpu_find_kernel_of(question->func);
    if (!grid || !block)
        return cudaErrorInvalidValue;
    if (!kernel)
        return cudaErrorInvalidDeviceFunction;
    int most = kernel->max_threads ? (int)kernel->max_threads : MAX_THREADS;
    if (question->limit > 0)
        most = min_int(most, question->limit);
    int best_threads = 0, blocks = 0;
    *block = *grid = 0;
    for (int size = (most + WARP - 1) / WARP * WARP; size > 0; size -= WARP) {
        const int threads = min_int(size, most);
        const size_t dynamic = dynamic_of(question, threads);
        active_blocks(&blocks, question->func, threads, dynamic);
        if (blocks * threads > best_threads) {
            best_threads = blocks * threads;
            *block = threads;
            *grid = blocks * softgpu_card()->sms;
        }
    }
    return cudaSuccess;
}

cudaError_t softgpu_max_potential_block(
    int *grid, int *block, const struct softgpu_occupancy_query *question)
{
    SOFTGPU_CALL(best_block(grid, block, question));
}
