/* SPDX-License-Identifier: MIT */
/** @file
 *  Cooperative groups on the software GPU: blocks, tiles, coalesced lanes and
 *  the grid.  reduce.h, scan.h and memcpy_async.h add the collectives.
 *
 *  Not supported: clusters and multi-device grids.  A group does not wait for
 *  threads that have returned, as in a barrier.
 */
#ifndef SOFTGPU_COOPERATIVE_GROUPS_H
#define SOFTGPU_COOPERATIVE_GROUPS_H
#define _COOPERATIVE_GROUPS_H_ /* programs ask for it */

#include "softgpu/push_macros.h"
#include "cooperative_groups/details/block.h"
#include "cooperative_groups/details/coalesced.h"
#include "cooperative_groups/details/group.h"
#include "cooperative_groups/details/tile.h"

namespace cooperative_groups {

/** One thread of the group calls f; invoked by all its threads. */
template <class Group, class F, class... Args>
void invoke_one(const Group &group, F &&f, Args &&...args)
{
    if (group.thread_rank() == 0)
        f(static_cast<Args &&>(args)...);
}

/** As invoke_one(); every thread gets the return value of f. */
template <class Group, class F, class... Args>
auto invoke_one_broadcast(const Group &group, F &&f, Args &&...args)
{
    decltype(f(static_cast<Args &&>(args)...)) result{};
    if (group.thread_rank() == 0)
        result = f(static_cast<Args &&>(args)...);
    return group.shfl(result, 0);
}

} // namespace cooperative_groups

#include "softgpu/pop_macros.h"

#endif
