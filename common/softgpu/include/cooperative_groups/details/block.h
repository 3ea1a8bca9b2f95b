/* SPDX-License-Identifier: MIT */
/** @file
 *  The two groups that a launch makes: the thread's block and the whole grid.
 */
#ifndef SOFTGPU_GROUPS_BLOCK_H
#define SOFTGPU_GROUPS_BLOCK_H

#include "cooperative_groups/details/group.h"

namespace cooperative_groups {

/** Scratch memory that tiles of several warps need in CUDA; unused here. */
template <unsigned MaxBlockSize = 1024> struct block_tile_memory {
    alignas(16) unsigned char unused[16];
};

/** All threads of a block. */
class thread_block : public thread_group {
public:
    thread_block()
        : thread_group(details::kind::block, 0, details::block_rank(),
                       details::block_threads())
    {
    }

    /** Token of an arrival, for barrier_wait(). */
    struct arrival_token {};

    static void sync() { softgpu_barrier(); }
    /** Does nothing: barrier_wait() is the whole barrier. */
    arrival_token barrier_arrive() const { return {}; }
    void barrier_wait(arrival_token &&) const { softgpu_barrier(); }

    static unsigned size() { return details::block_threads(); }
    static unsigned num_threads() { return details::block_threads(); }
    static unsigned thread_rank() { return details::block_rank(); }
    static dim3 group_index()
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    static dim3 thread_index()
    {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }
};

/** The block of the calling thread. */
inline thread_block this_thread_block() { return {}; }

/** The same; the scratch memory is not used. */
template <unsigned N> thread_block this_thread_block(block_tile_memory<N> &)
{
    return {};
}

/** All threads of a cooperative launch. */
class grid_group : public thread_group {
public:
    grid_group()
        : thread_group(details::kind::grid, 0,
                       static_cast<unsigned>(thread_rank()),
                       static_cast<unsigned>(size()))
    {
    }

    /** Token of an arrival, for barrier_wait(). */
    struct arrival_token {};

    /** Whether sync() may be called: 1 in a cooperative launch only. */
    bool is_valid() const { return softgpu_is_cooperative() != 0; }
    void sync() const { softgpu_grid_barrier(); }
    arrival_token barrier_arrive() const { return {}; }
    void barrier_wait(arrival_token &&) const { softgpu_grid_barrier(); }

    static unsigned long long num_blocks()
    {
        return 1ull * gridDim.x * gridDim.y * gridDim.z;
    }
    static unsigned long long block_rank()
    {
        return blockIdx.x
               + 1ull * gridDim.x
                     * (blockIdx.y + 1ull * gridDim.y * blockIdx.z);
    }
    static unsigned long long size()
    {
        return num_blocks() * details::block_threads();
    }
    static unsigned long long num_threads() { return size(); }
    static unsigned long long thread_rank()
    {
        return block_rank() * details::block_threads() + details::block_rank();
    }
    static dim3 dim_blocks() { return gridDim; }
    static dim3 group_dim() { return gridDim; }
    static dim3 block_index()
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
};

/** The grid of the calling thread. */
inline grid_group this_grid() { return {}; }

} // namespace cooperative_groups

#endif
