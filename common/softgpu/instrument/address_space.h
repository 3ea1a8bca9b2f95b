/* SPDX-License-Identifier: MIT */
/** @file
 *  Memory of the runtime that kernels access.
 */
#ifndef SOFTGPU_ADDRESS_SPACE_H
#define SOFTGPU_ADDRESS_SPACE_H

#include <stdbool.h>

#include "common/softgpu/core/block.h"

enum { TLS_RANGE = 4096 }; /**< bytes around softgpu_tls that are TLS, too */

/** Is it one of the parameters of the kernel that runs?
 *  @param b  the running block */
static inline bool is_kernel_parameter(const struct softgpu_block *b,
                                uintptr_t address)
{
    const struct softgpu_grid *grid = b->worker->run->grid;

    return address - (uintptr_t)grid->closure < grid->closure_bytes;
}

/** Is it near the runtime's thread-local variables, threadIdx and the like? */
static inline bool is_thread_local(uintptr_t address)
{
    return address - ((uintptr_t)&softgpu_tls - TLS_RANGE) < 2 * TLS_RANGE;
}

/** Is it memory of the runtime that kernels read through inlined functions?
 *  These are thread-local variables (threadIdx and the like), results of warp
 *  functions, and the kernel parameters: on a card, registers and constants.
 *  @param b  the running block */
static inline bool is_runtime_memory(const struct softgpu_block *b,
                                     uintptr_t address)
{
    const size_t warps = (b->count + WARP_LANES - 1) / WARP_LANES;

    return is_thread_local(address)
           || address - (uintptr_t)b->warps < warps * sizeof *b->warps
           || is_kernel_parameter(b, address);
}

#endif
