/* SPDX-License-Identifier: MIT */
/** @file
 *  Tiles of 64 to 1024 threads.  They meet at counters in shared memory and
 *  exchange one value a warp through a small table beside them.
 */
#ifndef SOFTGPU_GROUPS_WIDE_TILE_H
#define SOFTGPU_GROUPS_WIDE_TILE_H

#include "cooperative_groups/details/group.h"
#include "softgpu/shared.h"

namespace cooperative_groups {
namespace details {

/** Largest type that wide tiles can exchange. */
constexpr unsigned exchange_bytes = 32;

/** A wide tile's meeting place. */
struct meeting {
    unsigned arrived, epoch;
};

/** What the block's wide tiles share: places by size (64 to 1024) and first
 *  warp, since a tile and a part of it may meet at the same time. */
struct meetings {
    meeting at[5][32];
    alignas(16) unsigned char values[32][exchange_bytes];
};

struct meetings_slot {
    using kernel = void;
};

template <class Slot = meetings_slot> meetings &block_meetings()
{
    return softgpu::shared<Slot, meetings>("cooperative_groups");
}

/** Set all places up; all threads of the block must call. */
template <class Slot = meetings_slot> void open_meetings()
{
    meetings &all = block_meetings<Slot>();
    softgpu_barrier();
    if (details::block_rank() == 0)
        std::memset(all.at, 0, sizeof all.at);
    softgpu_barrier();
}

/** Wait until all threads of the tile that begins at `first_warp` came. */
template <class Slot> void meet(unsigned first_warp, unsigned threads)
{
    unsigned level = static_cast<unsigned>(__builtin_ctz(threads)) - 6;
    meeting &place = block_meetings<Slot>().at[level][first_warp];
    unsigned epoch = __atomic_load_n(&place.epoch, __ATOMIC_ACQUIRE);
    if (__atomic_add_fetch(&place.arrived, 1, __ATOMIC_ACQ_REL) == threads) {
        __atomic_store_n(&place.arrived, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&place.epoch, epoch + 1, __ATOMIC_RELEASE);
        return;
    }
    while (__atomic_load_n(&place.epoch, __ATOMIC_ACQUIRE) == epoch)
        softgpu_yield();
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
        softgpu_sync_warps = meet<meetings_slot>;
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
            std::memcpy(row(from / 32), &value, sizeof(T));
        sync();
        std::memcpy(static_cast<void *>(&result), row(from / 32), sizeof(T));
        sync();
        return result;
    }
    int any(int predicate) const { return count(predicate) != 0; }
    int all(int predicate) const { return count(!predicate) == 0; }

    /** Where warp `w` of the tile leaves its value. */
    unsigned char *row(unsigned w) const
    {
        return block_meetings().values[mask_ + w];
    }

private:
    unsigned meta_rank_ = 0, meta_size_ = 1;

    /** How many warps have a thread that says yes. */
    unsigned count(int predicate) const
    {
        unsigned yes = softgpu_warp_ballot(~0u, predicate), total = 0;
        row(rank_ / 32)[0] = yes != 0;
        sync();
        for (unsigned w = 0; w < Size / 32; w++)
            total += row(w)[0];
        sync();
        return total;
    }
};

} // namespace details
} // namespace cooperative_groups

#endif
