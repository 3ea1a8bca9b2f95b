/* SPDX-License-Identifier: MIT */
/** @file
 *  Tiles: parts of a block of a power-of-two size known at compile time (or,
 *  as a plain thread_group, at run time).
 */
#ifndef SOFTGPU_GROUPS_TILE_H
#define SOFTGPU_GROUPS_TILE_H

#include <type_traits>

#include "cooperative_groups/details/block.h"
#include "cooperative_groups/details/lanes.h"
#include "cooperative_groups/details/wide_tile.h"

namespace cooperative_groups {
namespace details {

/** Mask of the `size` lanes around the calling thread's. */
inline unsigned tile_mask(unsigned size)
{
    unsigned first = lane() & ~(size - 1);
    return (size == 32 ? ~0u : (1u << size) - 1) << first;
}

/** A tile within one warp. */
template <unsigned Size> class tile : public lane_group<tile<Size>> {
public:
    tile() = default;
    tile(unsigned parent_rank, unsigned parent_size)
        : lane_group<tile>(kind::lanes, tile_mask(Size), block_rank() % Size,
                           Size)
    {
        this->meta_rank_ = parent_rank / Size;
        this->meta_size_ = (parent_size + Size - 1) / Size;
    }

    /** The value of the thread whose rank differs in these bits. */
    template <class T> T shfl_xor(const T &value, unsigned bits) const
    {
        return shuffle(this->mask_, value, lane_of(this->rank_ ^ bits));
    }

    static constexpr unsigned size() { return Size; }
    static constexpr unsigned num_threads() { return Size; }
    static constexpr unsigned wrap(int source)
    {
        return static_cast<unsigned>(source) % Size;
    }
    unsigned lane_of(unsigned rank) const { return first() + rank; }
    unsigned packed(unsigned bits) const
    {
        return (bits & this->mask_) >> first();
    }

private:
    unsigned first() const
    {
        return static_cast<unsigned>(__builtin_ctz(this->mask_));
    }
};

template <unsigned Size, bool Wide> struct choose_tile;
template <unsigned Size> struct choose_tile<Size, false> {
    using type = tile<Size>;
};
template <unsigned Size> struct choose_tile<Size, true> {
    using type = wide_tile<Size>;
};

/** Implementation of thread_block_tile<Size>. */
template <size_t Size>
using tile_core = typename choose_tile<unsigned(Size), (Size > 32)>::type;

} // namespace details

template <auto Size, class Parent = void> class thread_block_tile;

namespace details {

/** The next base of a tile: see thread_block_tile. */
template <auto Size, class Parent, class Type = decltype(Size)>
struct tile_base {
    using type = thread_block_tile<int(Size), void>;
};
template <auto Size> struct tile_base<Size, void, int> {
    using type = thread_block_tile<unsigned(Size), void>;
};
template <auto Size> struct tile_base<Size, void, unsigned> {
    using type = thread_block_tile<size_t(Size), void>;
};
template <auto Size> struct tile_base<Size, void, size_t> {
    using type = tile_core<Size>;
};

} // namespace details

/** A tile of Size threads of a Parent.
 *
 *  Programs deduce Size as an int, an unsigned or a size_t, which are different
 *  types of tiles in C++.  So each is the base of the next, and a tile is
 *  always constructed as the most derived of them.
 */
template <auto Size, class Parent>
class thread_block_tile : public details::tile_base<Size, Parent>::type {
public:
    thread_block_tile() = default;
    thread_block_tile(const details::tile_core<size_t(Size)> &tile)
        : details::tile_base<Size, Parent>::type(tile)
    {
    }
};

/** Partition a block or a tile; called by all threads of the parent. */
template <auto Size, class Parent>
thread_block_tile<int(Size), Parent> tiled_partition(const Parent &parent)
{
    static_assert(Size > 0 && Size <= 1024 && (Size & (Size - 1)) == 0,
                  "a tile's size is a power of two, at most 1024");
    if constexpr (Size > 32 && std::is_same<Parent, thread_block>::value)
        details::init_tile_barriers();
    return details::tile_core<size_t(Size)>(
        static_cast<unsigned>(parent.thread_rank()),
        static_cast<unsigned>(parent.size()));
}

/** Partition a block, or such a tile, into tiles of up to 32 threads. */
inline thread_group tiled_partition(const thread_group &parent, unsigned size)
{
    unsigned rank = parent.thread_rank(), count = parent.size();
    switch (size) {
    case 1: return details::tile<1>(rank, count);
    case 2: return details::tile<2>(rank, count);
    case 4: return details::tile<4>(rank, count);
    case 8: return details::tile<8>(rank, count);
    case 16: return details::tile<16>(rank, count);
    case 32: return details::tile<32>(rank, count);
    default: return {};
    }
}

} // namespace cooperative_groups

#endif
