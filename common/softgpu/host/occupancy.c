/* SPDX-License-Identifier: MIT */
/** @file
 *  CUDA's calls about occupancy; the rules are in cards/occupancy.c.
 */
#include "../cards/occupancy.h"

#include "call.h"
#include "device.h"
#include "launch.h"

#define WARP 32
#define MAX_THREADS 1024

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Blocks of a kernel an SM; *blocks is written. */
static cudaError_t active(int *blocks, const void *func, int size,
                          size_t dynamic)
{
    const struct softgpu_kernel *kernel = softgpu_kernel_at(func);
    if (!blocks || size < 1)
        return cudaErrorInvalidValue;
    if (!kernel)
        return cudaErrorInvalidDeviceFunction;
    const struct softgpu_block_needs needs = {
        size, SOFTGPU_DECLARED_REGISTERS,
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
    SOFTGPU_CALL(active(blocks, func, blockSize, dynamicBytes));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *func, int blockSize, size_t dynamicBytes,
    unsigned int flags)
{
    SOFTGPU_CALL(flags > cudaOccupancyDisableCachingOverride
                     ? cudaErrorInvalidValue
                     : active(blocks, func, blockSize, dynamicBytes));
}

static cudaError_t available(size_t *bytes, const void *func, int blocks,
                             int size)
{
    const struct softgpu_kernel *kernel = softgpu_kernel_at(func);
    int fit = 0;
    const cudaError_t error = active(&fit, func, size, 0);
    if (error || !bytes || blocks < 1)
        return error ? error : cudaErrorInvalidValue;
    if (fit < blocks)
        return cudaErrorInvalidValue;
    *bytes = softgpu_dynamic_room(softgpu_card(), blocks,
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

/* The largest block size, in whole warps, with the most threads an SM. */
static cudaError_t best_block(int *grid, int *block,
                              const struct softgpu_potential *question)
{
    const struct softgpu_kernel *kernel = softgpu_kernel_at(question->func);
    if (!grid || !block)
        return cudaErrorInvalidValue;
    if (!kernel)
        return cudaErrorInvalidDeviceFunction;
    int most = kernel->max_threads ? (int)kernel->max_threads : MAX_THREADS;
    if (question->limit > 0)
        most = least(most, question->limit);
    int best_threads = 0, blocks = 0;
    *block = *grid = 0;
    for (int size = (most + WARP - 1) / WARP * WARP; size > 0; size -= WARP) {
        const int threads = least(size, most);
        const size_t dynamic = question->dynamic(question->context, threads);
        active(&blocks, question->func, threads, dynamic);
        if (blocks * threads > best_threads) {
            best_threads = blocks * threads;
            *block = threads;
            *grid = blocks * softgpu_card()->sms;
        }
    }
    return cudaSuccess;
}

cudaError_t softgpu_potential_block(int *grid, int *block,
                                    const struct softgpu_potential *question)
{
    SOFTGPU_CALL(best_block(grid, block, question));
}
