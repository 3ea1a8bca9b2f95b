/* SPDX-License-Identifier: MIT */
/** @file
 *  What every group is made of: a kind, a rank and a size, and for groups
 *  inside one warp the mask of its lanes.
 */
#ifndef SOFTGPU_GROUPS_GROUP_H
#define SOFTGPU_GROUPS_GROUP_H

#include <cstring>

#include "softgpu/abi.h"

namespace cooperative_groups {
namespace details {

/** Which barrier a group's sync() is. */
enum class kind : unsigned char { lanes, warps, block, grid };

/** Index of this thread in its block, x fastest. */
inline unsigned block_rank()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

/** Threads of a block. */
inline unsigned block_threads() { return blockDim.x * blockDim.y * blockDim.z; }

/** Lane of this thread in its warp. */
inline unsigned lane() { return softgpu_lane_id(); }

/** Number of 8-byte words of a T. */
template <class T> constexpr unsigned words = (sizeof(T) + 7) / 8;

/** The value of lane `source` of the mask; any trivially copyable type. */
template <class T> T shuffle(unsigned mask, const T &value, unsigned source)
{
    uint64_t word[words<T>] = {};
    std::memcpy(word, &value, sizeof(T));
    for (uint64_t &w : word)
        w = softgpu_warp_shuffle(mask, w, static_cast<int>(source));
    T result = value;
    std::memcpy(static_cast<void *>(&result), word, sizeof(T));
    return result;
}

/** Uninitialized memory for one T of each lane. */
template <class T> struct lane_values {
    alignas(T) unsigned char bytes[32 * sizeof(T)];

    T &operator[](unsigned i) { return reinterpret_cast<T *>(bytes)[i]; }
};

/** Gather the values of the mask's participating lanes, in lane order.
 *  @return their number */
template <class T>
unsigned gather(unsigned mask, const T &value, lane_values<T> &all)
{
    uint64_t word[words<T>] = {};
    unsigned n = 0;
    std::memcpy(word, &value, sizeof(T));
    for (unsigned w = 0; w < words<T>; w++) {
        const uint64_t *lanes = softgpu_warp_gather(mask, word[w]);
        size_t bytes = sizeof(T) - 8 * w < 8 ? sizeof(T) - 8 * w : 8;
        unsigned left = mask
                        & static_cast<unsigned>(lanes[SOFTGPU_LANE_MASK_ENTRY]);
        for (n = 0; left; left &= left - 1, n++)
            std::memcpy(all.bytes + n * sizeof(T) + 8 * w,
                        lanes + __builtin_ctz(left), bytes);
    }
    return n;
}

/** The barrier of tiles of several warps.  It is set when such a tile is
 *  constructed, so that a program without them needs no shared memory for it.
 *  The prefix of the name excludes it from the program's variables
 *  (watch/symbol.c). */
inline void (*softgpu_sync_warps)(unsigned first_warp, unsigned threads);

} // namespace details

/** Any group, by value: its barrier and its ranks. */
class thread_group {
public:
    thread_group() = default;

    /** Wait for all threads of the group; orders their memory accesses. */
    void sync() const
    {
        switch (kind_) {
        case details::kind::block: return softgpu_barrier();
        case details::kind::grid: return softgpu_grid_barrier();
        case details::kind::warps:
            return details::softgpu_sync_warps(mask_, size_);
        default: return softgpu_warp_sync(mask_);
        }
    }

    unsigned size() const { return size_; }
    unsigned num_threads() const { return size_; }
    unsigned thread_rank() const { return rank_; }
    bool is_valid() const { return size_ != 0; }

    /** Lanes of the group in its warp (softgpu only). */
    unsigned softgpu_mask() const { return mask_; }
    /** The barrier it uses (softgpu only). */
    details::kind softgpu_kind() const { return kind_; }

protected:
    thread_group(details::kind kind, unsigned mask, unsigned rank,
                 unsigned size)
        : kind_(kind), mask_(mask), rank_(rank), size_(size)
    {
    }

    details::kind kind_ = details::kind::lanes;
    unsigned mask_ = 0; /* of lanes; first warp of a wide tile */
    unsigned rank_ = 0;
    unsigned size_ = 0;
};

/** @copydoc thread_group::sync */
template <class Group> void sync(const Group &group) { group.sync(); }

/** The thread's rank in the group. */
template <class Group> auto thread_rank(const Group &group)
{
    return group.thread_rank();
}

/** How many threads the group has. */
template <class Group> auto group_size(const Group &group)
{
    return group.size();
}

} // namespace cooperative_groups

#endif
