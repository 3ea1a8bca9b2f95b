/* SPDX-License-Identifier: MIT */
/** @file
 *  Base of tiles and coalesced groups: shuffles, votes and matches among the
 *  lanes of one warp, by rank.
 */
#ifndef SOFTGPU_GROUPS_LANES_H
#define SOFTGPU_GROUPS_LANES_H

#include "cooperative_groups/details/group.h"

namespace cooperative_groups {
namespace details {

/** Extract the bits of `bits` that `mask` selects, packed (PEXT). */
inline unsigned pack(unsigned mask, unsigned bits)
{
    unsigned packed = 0;
    for (unsigned n = 0; mask; mask &= mask - 1, n++)
        packed |= (bits >> __builtin_ctz(mask) & 1u) << n;
    return packed;
}

/** Lane of the n-th member of the mask; n below its population. */
inline unsigned nth_lane(unsigned mask, unsigned n)
{
    for (; n; n--)
        mask &= mask - 1;
    return mask ? static_cast<unsigned>(__builtin_ctz(mask)) : 0;
}

/** A group of lanes.  Self maps a rank to a lane (lane_of), a ballot to ranks
 *  (packed) and a source to a rank (wrap). */
template <class Self> class lane_group : public thread_group {
public:
    using thread_group::thread_group;

    /** The value of the thread of that rank. */
    template <class T> T shfl(const T &value, int source) const
    {
        return shuffle(mask_, value, self().lane_of(self().wrap(source)));
    }
    /** The value `delta` ranks below; the caller's own if there is none. */
    template <class T> T shfl_up(const T &value, unsigned delta) const
    {
        unsigned from = rank_ >= delta ? rank_ - delta : rank_;
        return shuffle(mask_, value, self().lane_of(from));
    }
    /** The value `delta` ranks above; the caller's own if there is none. */
    template <class T> T shfl_down(const T &value, unsigned delta) const
    {
        unsigned from = delta < size_ - rank_ ? rank_ + delta : rank_;
        return shuffle(mask_, value, self().lane_of(from));
    }

    int any(int predicate) const
    {
        return softgpu_warp_ballot(mask_, predicate) != 0;
    }
    int all(int predicate) const
    {
        return softgpu_warp_ballot(mask_, !predicate) == 0;
    }
    /** Bit r: the predicate of rank r. */
    unsigned ballot(int predicate) const
    {
        return self().packed(softgpu_warp_ballot(mask_, predicate));
    }
    /** Mask of the ranks with the caller's value. */
    template <class T> unsigned match_any(const T &value) const
    {
        lane_values<T> all;
        unsigned n = gather(mask_, value, all), same = 0;
        for (unsigned i = 0; i < n; i++)
            same |= unsigned(all[i] == value) << i;
        return same;
    }
    /** Mask of all ranks if all values are the same, else 0.
     *  @param[out] same  1 if all are the same, else 0 */
    template <class T> unsigned match_all(const T &value, int &same) const
    {
        unsigned found = match_any(value);
        same = found == self().packed(mask_);
        return same ? found : 0;
    }

    unsigned long long meta_group_rank() const { return meta_rank_; }
    unsigned long long meta_group_size() const { return meta_size_; }

protected:
    unsigned meta_rank_ = 0, meta_size_ = 1;

private:
    const Self &self() const { return static_cast<const Self &>(*this); }
};

} // namespace details
} // namespace cooperative_groups

#endif
