/* SPDX-License-Identifier: MIT */
/** @file
 *  Occupancy by the rules of the card.
 *
 *  Registers are given out to warps in units of 256, and the warps of an SM
 *  are divided over 4 partitions with a quarter of the registers each.  Shared
 *  memory is given out in units of 128 bytes (256 before cc 8.0), with the
 *  system's own part, 1 KB since cc 8.0, added to each block.
 */
#include "occupancy.h"

#include "call.h"
#include "device.h"
#include "launch.h"

#define WARP 32
#define PARTITIONS 4
#define REGISTER_UNIT 256
#define MAX_THREADS 1024

static size_t up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

static size_t shared_unit(const struct softgpu_card *card)
{
    return card->major >= 8 ? 128 : 256;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int by_registers(const struct softgpu_card *card, int warps,
                        int registers)
{
    const int a_warp = (int)up((size_t)registers * WARP, REGISTER_UNIT);
    const int warps_sm = SOFTGPU_REGISTERS / PARTITIONS / a_warp * PARTITIONS;
    (void)card;
    return warps_sm / warps;
}

int softgpu_blocks_per_sm(const struct softgpu_card *card,
                          const struct softgpu_block_needs *needs)
{
    const int warps = (needs->threads + WARP - 1) / WARP;
    if (needs->threads < 1 || needs->threads > MAX_THREADS
        || needs->shared > card->shared_optin)
        return 0;
    int blocks = least(card->blocks_sm, card->threads_sm / WARP / warps);
    if (needs->registers)
        blocks = least(blocks, by_registers(card, warps, needs->registers));
    const size_t shared =
        up(needs->shared + card->shared_reserved, shared_unit(card));
    if (shared)
        blocks = least(blocks, (int)(card->shared_sm / shared));
    return blocks;
}

size_t softgpu_dynamic_room(const struct softgpu_card *card, int blocks,
                            size_t fixed)
{
    const size_t unit = shared_unit(card);
    const size_t each = card->shared_sm / (size_t)blocks / unit * unit;
    const size_t taken = fixed + card->shared_reserved;
    const size_t room = each > taken ? each - taken : 0;
    const size_t most = card->shared_optin - fixed;
    return room < most ? room : most;
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
    for (int size = (int)up((size_t)most, WARP); size > 0; size -= WARP) {
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
