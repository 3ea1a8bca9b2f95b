/* SPDX-License-Identifier: MIT */
/** @file
 *  Cooperative groups on the software GPU: blocks, tiles, coalesced lanes and
 *  the grid.  reduce.h, scan.h and memcpy_async.h add the collectives.
 *
 *  Left out: clusters and multi-device grids.  A thread that returned early is
 *  counted by no group, as in a plain barrier.
 */
#ifndef SOFTGPU_COOPERATIVE_GROUPS_H
#define SOFTGPU_COOPERATIVE_GROUPS_H

#include "softgpu/names_hide.h"
#include "cooperative_groups/details/block.h"
#include "cooperative_groups/details/coalesced.h"
#include "cooperative_groups/details/group.h"
#include "cooperative_groups/details/tile.h"

namespace cooperative_groups {

/** Let one thread of the group call f; all live threads of it must be here. */
template <class Group, class F, class... Args>
void invoke_one(const Group &group, F &&f, Args &&...args)
{
    if (group.thread_rank() == 0)
        f(static_cast<Args &&>(args)...);
}

/** Like invoke_one(); every thread gets the value that f returned. */
template <class Group, class F, class... Args>
auto invoke_one_broadcast(const Group &group, F &&f, Args &&...args)
{
    decltype(f(static_cast<Args &&>(args)...)) result{};
    if (group.thread_rank() == 0)
        result = f(static_cast<Args &&>(args)...);
    return group.shfl(result, 0);
}

} // namespace cooperative_groups

#include "softgpu/names_show.h"

#endif
