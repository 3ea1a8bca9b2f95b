/* SPDX-License-Identifier: MIT */
/** @file
 *  Tiles of 64 to 1024 threads.  They synchronize by counters in shared memory
 *  and exchange one value for each warp through a table beside them.
 */
#ifndef SOFTGPU_GROUPS_WIDE_TILE_H
#define SOFTGPU_GROUPS_WIDE_TILE_H

#include "cooperative_groups/details/group.h"
#include "softgpu/shared.h"

namespace cooperative_groups {
namespace details {

/** Largest type that wide tiles can exchange. */
constexpr unsigned exchange_bytes = 32;

/** The barrier of a wide tile. */
struct tile_barrier {
    unsigned arrived, epoch;
};

/** The barriers of a block's wide tiles, by size (64 to 1024) and first warp:
 *  a tile and a part of it can synchronize at the same time. */
struct tile_barriers {
    tile_barrier at[5][32];
    alignas(16) unsigned char values[32][exchange_bytes];
};

struct tile_barriers_tag {
    using kernel = void;
};

template <class Slot = tile_barriers_tag> tile_barriers &block_tile_barriers()
{
    return softgpu::shared<Slot, tile_barriers>("cooperative_groups");
}

/** Initialize all barriers; called by all threads of the block. */
template <class Slot = tile_barriers_tag> void init_tile_barriers()
{
    tile_barriers &all = block_tile_barriers<Slot>();
    softgpu_barrier();
    if (details::block_rank() == 0)
        std::memset(all.at, 0, sizeof all.at);
    softgpu_barrier();
}

/** Barrier of the tile that begins at `first_warp`. */
template <class Slot> void sync_tile(unsigned first_warp, unsigned threads)
{
    unsigned level = static_cast<unsigned>(__builtin_ctz(threads)) - 6;
    tile_barrier &place = block_tile_barriers<Slot>().at[level][first_warp];
    unsigned epoch = __atomic_load_n(&place.epoch, __ATOMIC_ACQUIRE);
    softgpu_ordered(SOFTGPU_RELEASES, &place, epoch);
    if (__atomic_add_fetch(&place.arrived, 1, __ATOMIC_ACQ_REL) == threads) {
        __atomic_store_n(&place.arrived, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&place.epoch, epoch + 1, __ATOMIC_RELEASE);
    }
    while (__atomic_load_n(&place.epoch, __ATOMIC_ACQUIRE) == epoch)
        softgpu_yield();
    softgpu_ordered(SOFTGPU_ACQUIRES, &place, epoch);
}

/** A tile of several warps. */
template <unsigned Size> class wide_tile : public thread_group {
public:
    wide_tile() = default;
    wide_tile(unsigned parent_rank, unsigned parent_size)
        : thread_group(kind::warps, details::block_rank() / Size * (Size / 32),
                       details::block_rank() % Size, Size),
          meta_rank_(parent_rank / Size),
          meta_size_((parent_size + Size - 1) / Size)
    {
        softgpu_sync_warps = sync_tile<tile_barriers_tag>;
    }

    static constexpr unsigned size() { return Size; }
    static constexpr unsigned num_threads() { return Size; }
    unsigned long long meta_group_rank() const { return meta_rank_; }
    unsigned long long meta_group_size() const { return meta_size_; }

    /** The value of one rank, the same for all. */
    template <class T> T shfl(const T &value, int source) const
    {
        static_assert(sizeof(T) <= exchange_bytes, "type too large to shuffle");
        T result = value;
        unsigned from = static_cast<unsigned>(source);
        if (rank_ == from)
            std::memcpy(exchange_slot(from / 32), &value, sizeof(T));
        sync();
        std::memcpy(static_cast<void *>(&result), exchange_slot(from / 32),
                    sizeof(T));
        sync();
        return result;
    }
    int any(int predicate) const { return count(predicate) != 0; }
    int all(int predicate) const { return count(!predicate) == 0; }

    /** Table entry of warp `w` of the tile. */
    unsigned char *exchange_slot(unsigned w) const
    {
        return block_tile_barriers().values[mask_ + w];
    }

private:
    unsigned meta_rank_ = 0, meta_size_ = 1;

    /** Number of warps in which a predicate is not 0. */
    unsigned count(int predicate) const
    {
        unsigned votes = softgpu_warp_ballot(~0u, predicate), total = 0;
        exchange_slot(rank_ / 32)[0] = votes != 0;
        sync();
        for (unsigned w = 0; w < Size / 32; w++)
            total += exchange_slot(w)[0];
        sync();
        return total;
    }
};

} // namespace details
} // namespace cooperative_groups

#endif
