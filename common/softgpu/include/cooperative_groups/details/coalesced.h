/* SPDX-License-Identifier: MIT */
/** @file
 *  Groups of any lanes of a warp: those that execute together, and partitions
 *  by a predicate or a label.
 */
#ifndef SOFTGPU_GROUPS_COALESCED_H
#define SOFTGPU_GROUPS_COALESCED_H

#include "cooperative_groups/details/lanes.h"
#include "cooperative_groups/details/tile.h"

namespace cooperative_groups {

/** Some lanes of one warp, ranked by lane. */
class coalesced_group : public details::lane_group<coalesced_group> {
public:
    coalesced_group() = default;

    /** The group of the lanes of `mask`, part `rank` of `parts` (softgpu
     *  only; the caller's lane must be in the mask). */
    explicit coalesced_group(unsigned mask, unsigned rank = 0,
                             unsigned parts = 1)
        : lane_group(details::kind::lanes, mask, below(mask),
                     static_cast<unsigned>(__builtin_popcount(mask)))
    {
        meta_rank_ = rank;
        meta_size_ = parts;
    }

    unsigned lane_of(unsigned rank) const
    {
        return details::nth_lane(mask_, rank);
    }
    unsigned packed(unsigned bits) const { return details::pack(mask_, bits); }
    unsigned wrap(int source) const
    {
        return static_cast<unsigned>(source) % size_;
    }

private:
    /** Number of lanes of the mask below the caller's. */
    static unsigned below(unsigned mask)
    {
        unsigned lower = (1u << details::lane()) - 1;
        return static_cast<unsigned>(__builtin_popcount(mask & lower));
    }
};

/** The lanes of the warp that execute this call together. */
inline coalesced_group coalesced_threads()
{
    return coalesced_group(softgpu_active_mask());
}

/** Partition a coalesced group into tiles of `size` ranks; the last one can be
 *  smaller. */
inline coalesced_group tiled_partition(const coalesced_group &parent,
                                       unsigned size)
{
    unsigned part = parent.thread_rank() / size, mask = 0;
    unsigned end = (part + 1) * size;
    if (end > parent.size())
        end = parent.size();
    for (unsigned rank = part * size; rank < end; rank++)
        mask |= 1u << parent.lane_of(rank);
    return coalesced_group(mask, part, (parent.size() + size - 1) / size);
}

/** Partition a coalesced group into tiles of Size ranks. */
template <auto Size>
coalesced_group tiled_partition(const coalesced_group &parent)
{
    return tiled_partition(parent, static_cast<unsigned>(Size));
}

/** The threads of the group with the caller's label. */
template <class Group, class Label>
coalesced_group labeled_partition(const Group &group, Label label)
{
    details::lane_values<Label> all;
    unsigned n = details::gather(group.softgpu_mask(), label, all);
    unsigned mask = 0, parts = 0, rank = 0;
    for (unsigned i = 0; i < n; i++) {
        bool first = true, mine = all[i] == label;
        for (unsigned j = 0; j < i && first; j++)
            first = !(all[j] == all[i]);
        if (mine)
            mask |= 1u << details::nth_lane(group.softgpu_mask(), i);
        if (mine && first)
            rank = parts;
        parts += first;
    }
    return coalesced_group(mask, rank, parts);
}

/** The threads of the group with the caller's predicate. */
template <class Group>
coalesced_group binary_partition(const Group &group, bool predicate)
{
    unsigned mask = group.softgpu_mask();
    unsigned votes = softgpu_warp_ballot(mask, predicate);
    return coalesced_group(predicate ? votes : mask & ~votes, predicate, 2);
}

} // namespace cooperative_groups

#endif
