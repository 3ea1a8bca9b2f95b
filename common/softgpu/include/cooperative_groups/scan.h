/* SPDX-License-Identifier: MIT */
/** @file
 *  cooperative_groups::inclusive_scan and exclusive_scan over the ranks of a
 *  tile or a coalesced group.
 */
#ifndef SOFTGPU_GROUPS_SCAN_H
#define SOFTGPU_GROUPS_SCAN_H

#include "softgpu/push_macros.h"
#include <type_traits>

#include "cooperative_groups.h"
#include "cooperative_groups/details/operators.h"

namespace cooperative_groups {
namespace details {

/** Combine the values of the first `count` ranks; T{} for none. */
template <class Group, class T, class Op>
T scan(const Group &group, const T &value, Op &op, unsigned count)
{
    lane_values<T> all;
    gather(group.softgpu_mask(), value, all);
    if (count == 0)
        return T{};
    T total = all[0];
    for (unsigned i = 1; i < count; i++)
        total = op(total, all[i]);
    return total;
}

/** The last rank updates the atomic.  @return its old value, in all ranks */
template <class Group, class Atomic, class T, class Op>
T fetch_update(const Group &group, Atomic &to, const T &total, Op &op)
{
    unsigned last = group.size() - 1;
    T previous{};
    if (group.thread_rank() == last) {
        previous = to.load();
        while (!to.compare_exchange_weak(previous, op(previous, total)))
            continue;
    }
    return group.shfl(previous, static_cast<int>(last));
}

} // namespace details

/** op over the values of ranks 0 to the caller's. */
template <class Group, class T, class Op>
auto inclusive_scan(const Group &group, T &&value, Op &&op)
{
    const std::decay_t<T> mine = value;
    return details::scan(group, mine, op, group.thread_rank() + 1);
}

/** The running sum, the caller's value included. */
template <class Group, class T>
auto inclusive_scan(const Group &group, T &&value)
{
    return inclusive_scan(group, value, plus<std::decay_t<T>>());
}

/** op over the values of the ranks below the caller's; T{} in rank 0. */
template <class Group, class T, class Op>
auto exclusive_scan(const Group &group, T &&value, Op &&op)
{
    const std::decay_t<T> mine = value;
    return details::scan(group, mine, op, group.thread_rank());
}

/** The running sum without the caller's value. */
template <class Group, class T>
auto exclusive_scan(const Group &group, T &&value)
{
    return exclusive_scan(group, value, plus<std::decay_t<T>>());
}

/** An inclusive scan that begins with the value of an atomic. */
template <class Group, class Atomic, class T, class Op>
auto inclusive_scan_update(const Group &group, Atomic &to, T &&value, Op &&op)
{
    auto mine = inclusive_scan(group, value, op);
    return op(details::fetch_update(group, to, mine, op), mine);
}

/** An exclusive scan that begins with the value of an atomic. */
template <class Group, class Atomic, class T, class Op>
auto exclusive_scan_update(const Group &group, Atomic &to, T &&value, Op &&op)
{
    auto mine = inclusive_scan(group, value, op);
    auto previous = details::fetch_update(group, to, mine, op);
    auto below = exclusive_scan(group, value, op);
    return group.thread_rank() == 0 ? previous : op(previous, below);
}

} // namespace cooperative_groups

#include "softgpu/pop_macros.h"

#endif
