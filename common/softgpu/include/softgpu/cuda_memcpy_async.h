/* SPDX-License-Identifier: MIT */
/** @file
 *  Asynchronous copies of cuda::barrier, cuda::pipeline and cooperative groups:
 *  sizes with an alignment, and copies by a group.
 */
#ifndef SOFTGPU_CUDA_MEMCPY_ASYNC_H
#define SOFTGPU_CUDA_MEMCPY_ASYNC_H

#include <stddef.h>

#include "softgpu/async_copy.h"
#include "softgpu/inline.h"

namespace cuda {

/** A number of bytes, and the alignment of both pointers. */
template <size_t Alignment> struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;

    explicit constexpr aligned_size_t(size_t bytes) : value(bytes) {}
    constexpr operator size_t() const { return value; }
};

namespace details {

/** Enqueue the calling thread's part of a copy by the whole group: at least 16
 *  bytes each, in the order of ranks. */
template <class Group>
SOFTGPU_FN void copy_part(const void *owner, const Group &group, void *to,
                          const void *from, size_t bytes)
{
    size_t n = group.size(), rank = group.thread_rank();
    size_t part = ((bytes + n - 1) / n + 15) / 16 * 16;
    size_t first = part * rank;
    if (first >= bytes)
        return;
    softgpu_copy_async(owner, static_cast<char *>(to) + first,
                       static_cast<const char *>(from) + first,
                       bytes - first < part ? bytes - first : part);
}

} // namespace details
} // namespace cuda

#endif
