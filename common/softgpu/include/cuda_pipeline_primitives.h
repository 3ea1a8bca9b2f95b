/* SPDX-License-Identifier: MIT */
/** @file
 *  The pipeline primitives in C: copies of 4, 8 or 16 bytes by one thread,
 *  performed when it waits for their batch.
 */
#ifndef SOFTGPU_CUDA_PIPELINE_PRIMITIVES_H
#define SOFTGPU_CUDA_PIPELINE_PRIMITIVES_H

#include "softgpu/push_macros.h"
#include "softgpu/abi.h"
#include "softgpu/async_copy.h"
#include "softgpu/inline.h"

/** Copy `bytes` (4, 8 or 16) from global to shared memory; the last
 *  `zero_fill` of them become zero instead. */
SOFTGPU_FN void __pipeline_memcpy_async(void *to, const void *from,
                                        size_t bytes, size_t zero_fill = 0)
{
    size_t address = reinterpret_cast<size_t>(to)
                     | reinterpret_cast<size_t>(from);
    if (bytes != 4 && bytes != 8 && bytes != 16)
        softgpu_fail(716, "__pipeline_memcpy_async of %zu bytes: 4, 8 or 16",
                     bytes);
    if (address % bytes != 0)
        softgpu_fail(716, "__pipeline_memcpy_async: pointer not aligned to "
                     "%zu bytes", bytes);
    /* all or nothing apart: then the lengths are constants */
    if (zero_fill == 0) {
        softgpu_copy_async(NULL, to, from, bytes);
    } else if (zero_fill == bytes) {
        softgpu_copy_async(NULL, to, NULL, bytes);
    } else {
        softgpu_copy_async(NULL, to, from, bytes - zero_fill);
        softgpu_copy_async(NULL, static_cast<char *>(to) + bytes - zero_fill,
                           NULL, zero_fill);
    }
}

/** Close the batch. */
inline void __pipeline_commit() { softgpu_copy_commit(NULL); }

/** Wait for all batches but the last `keep`. */
inline void __pipeline_wait_prior(size_t keep)
{
    softgpu_copy_wait(NULL, static_cast<unsigned>(keep));
}

#include "softgpu/pop_macros.h"

#endif
