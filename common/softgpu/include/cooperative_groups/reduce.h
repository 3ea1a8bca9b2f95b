/* SPDX-License-Identifier: MIT */
/** @file
 *  cooperative_groups::reduce over a tile or a coalesced group; every thread
 *  gets the result.
 *
 *  Values are combined in butterfly order: rank r with rank r + n/2 first.  The
 *  result is the same in every thread and in every run.
 */
#ifndef SOFTGPU_GROUPS_REDUCE_H
#define SOFTGPU_GROUPS_REDUCE_H

#include "softgpu/push_macros.h"
#include <type_traits>

#include "cooperative_groups.h"
#include "cooperative_groups/details/operators.h"

namespace cooperative_groups {
namespace details {

/** Reduce n values in place; the result is the first. */
template <class T, class Op>
T tree_reduce(lane_values<T> &all, unsigned n, Op &op)
{
    while (n > 1) {
        unsigned half = (n + 1) / 2;
        for (unsigned i = 0; i + half < n; i++)
            all[i] = op(all[i], all[i + half]);
        n = half;
    }
    return all[0];
}

/** Reduce among the lanes of a mask. */
template <class T, class Op>
T reduce_lanes(unsigned mask, const T &value, Op &op)
{
    lane_values<T> all;
    unsigned n = gather(mask, value, all);
    return tree_reduce(all, n, op);
}

/** Reduce among warps: each stores its result, all reduce the table. */
template <unsigned Size, class T, class Op>
T reduce_warps(const wide_tile<Size> &group, const T &value, Op &op)
{
    static_assert(sizeof(T) <= exchange_bytes, "type too large to reduce");
    T mine = reduce_lanes(~0u, value, op);
    lane_values<T> all;
    if (group.thread_rank() % 32 == 0)
        std::memcpy(group.exchange_slot(group.thread_rank() / 32), &mine,
                    sizeof(T));
    group.sync();
    for (unsigned w = 0; w < Size / 32; w++)
        std::memcpy(static_cast<void *>(&all[w]), group.exchange_slot(w),
                    sizeof(T));
    group.sync();
    return tree_reduce(all, Size / 32, op);
}

template <unsigned Size, class T, class Op>
T reduce_any(const wide_tile<Size> *group, const T &value, Op &op)
{
    return reduce_warps(*group, value, op);
}
template <class T, class Op>
T reduce_any(const thread_group *group, const T &value, Op &op)
{
    return reduce_lanes(group->softgpu_mask(), value, op);
}

} // namespace details

/** Combine the value of all threads of the group with op(T, T). */
template <class Group, class T, class Op>
auto reduce(const Group &group, T &&value, Op &&op)
{
    using Value = std::decay_t<T>;
    const Value mine = value;
    return Value(details::reduce_any(&group, mine, op));
}

/** Store the result at *to, by one thread. */
template <class Group, class To, class T, class Op>
void reduce_store_async(const Group &group, To *to, T &&value, Op &&op)
{
    auto total = reduce(group, value, op);
    if (group.thread_rank() == 0)
        *to = total;
}

/** Update an atomic with the result, by one thread. */
template <class Group, class Atomic, class T, class Op>
void reduce_update_async(const Group &group, Atomic &to, T &&value, Op &&op)
{
    auto total = reduce(group, value, op);
    if (group.thread_rank() == 0) {
        auto old = to.load();
        while (!to.compare_exchange_weak(old, op(old, total)))
            continue;
    }
}

} // namespace cooperative_groups

#include "softgpu/pop_macros.h"

#endif
