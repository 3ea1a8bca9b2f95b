/* SPDX-License-Identifier: MIT */
/** @file
 *  cooperative_groups::memcpy_async: copies by a group, of which each thread
 *  copies a part.  They are performed when the group waits, so that a program
 *  without the wait loads the old bytes.
 */
#ifndef SOFTGPU_GROUPS_MEMCPY_ASYNC_H
#define SOFTGPU_GROUPS_MEMCPY_ASYNC_H

#include "softgpu/push_macros.h"
#include "cooperative_groups.h"
#include "softgpu/cuda_memcpy_async.h"

namespace cooperative_groups {
namespace details {

/** Enqueue the calling thread's part, as a batch of its own. */
template <class Group>
SOFTGPU_FN void copy_batch(const Group &group, void *to, const void *from,
                           size_t bytes)
{
    cuda::details::copy_part(NULL, group, to, from, bytes);
    softgpu_copy_commit(NULL);
}

} // namespace details

/** Copy `bytes` bytes; called by all threads of the group with the same
 *  arguments. */
template <class Group, class To, class From>
SOFTGPU_FN void memcpy_async(const Group &group, To *to, const From *from,
                             size_t bytes)
{
    details::copy_batch(group, to, from, bytes);
}

/** The same; the size has an alignment. */
template <class Group, class To, class From, size_t Alignment>
SOFTGPU_FN void memcpy_async(const Group &group, To *to, const From *from,
                             const cuda::aligned_size_t<Alignment> &bytes)
{
    details::copy_batch(group, to, from, bytes);
}

/** Copy the smaller count of elements of the two layouts. */
template <class Group, class T>
SOFTGPU_FN void memcpy_async(const Group &group, T *to, size_t to_count,
                             const T *from, size_t from_count)
{
    size_t count = to_count < from_count ? to_count : from_count;
    details::copy_batch(group, to, from, count * sizeof(T));
}

/** Wait for all but the last N copies, then for the group. */
template <unsigned N, class Group> void wait_prior(const Group &group)
{
    softgpu_copy_wait(NULL, N);
    group.sync();
}

/** Wait for all copies, then for the group. */
template <class Group> void wait(const Group &group)
{
    softgpu_copy_wait(NULL, 0);
    group.sync();
}

} // namespace cooperative_groups

#include "softgpu/pop_macros.h"

#endif
