/* SPDX-License-Identifier: MIT */
/** @file
 *  Warp functions: shuffles, votes, matches, reductions.
 *
 *  Each returns when every lane of the mask that has not returned from the
 *  kernel has made the same call.  Values are of any trivially copyable type of
 *  at most 8 bytes.
 */
#ifndef SOFTGPU_WARP_H
#define SOFTGPU_WARP_H

#include <cstring>
#include <type_traits>

#include "sync.h"

namespace softgpu {

/** The mask of all lanes. */
constexpr unsigned ALL_LANES = 0xffffffffu;

/** The bits of a value, as exchanged between lanes. */
template <class T> SOFTGPU_FN uint64_t to_bits(T value)
{
    static_assert(sizeof(T) <= 8, "a warp function takes at most 8 bytes");
    /* Vectors of instrumented builds have a copy constructor. */
    static_assert(std::is_trivially_destructible<T>::value,
                  "a warp function takes plain data");
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}

/** The value of lane `source`. */
template <class T> SOFTGPU_FN T shuffle(unsigned mask, T value, unsigned source)
{
    const uint64_t bits = softgpu_warp_shuffle(mask, to_bits(value),
                                               static_cast<int>(source));
    std::memcpy(static_cast<void *>(&value), &bits, sizeof value);
    return value;
}

/** First lane of the segment of `width` lanes (a power of two). */
SOFTGPU_FN unsigned segment_start(unsigned lane, int width)
{
    return lane & ~(static_cast<unsigned>(width) - 1);
}
/** Last lane of the segment. */
SOFTGPU_FN unsigned segment_end(unsigned lane, int width)
{
    return lane | (static_cast<unsigned>(width) - 1);
}

/** Reduce the values of all participating lanes. */
template <class T, class Op>
SOFTGPU_FN auto reduce(unsigned mask, T value, Op op)
{
    const uint64_t *values = softgpu_warp_gather(mask,
                                                 static_cast<unsigned>(value));
    const unsigned self = 1u << softgpu_lane_id();
    const auto lanes = static_cast<unsigned>(values[SOFTGPU_LANE_MASK_ENTRY]);
    for (unsigned left = lanes & ~self; left; left &= left - 1)
        value = op(value, static_cast<T>(values[__builtin_ctz(left)]));
    return value;
}

} // namespace softgpu

/** Barrier and memory fence of the lanes of the mask. */
SOFTGPU_FN void __syncwarp(unsigned mask = softgpu::ALL_LANES)
{
    softgpu_warp_sync(mask);
}

/** The value of lane `source` in the caller's segment of `width` lanes. */
template <class T>
SOFTGPU_FN T __shfl_sync(unsigned mask, T value, int source, int width = 32)
{
    const unsigned in_segment = static_cast<unsigned>(source)
                                & (static_cast<unsigned>(width) - 1);
    return softgpu::shuffle(mask, value,
                            softgpu::segment_start(softgpu_lane_id(), width)
                                | in_segment);
}
/** The value of the lane `delta` below; the caller's own below the segment. */
template <class T>
SOFTGPU_FN T __shfl_up_sync(unsigned mask, T value, unsigned delta,
                            int width = 32)
{
    const unsigned lane = softgpu_lane_id();
    const int from = static_cast<int>(lane - (delta & 31));
    const bool in_segment = from >= static_cast<int>(
                                softgpu::segment_start(lane, width));
    return softgpu::shuffle(mask, value,
                            in_segment ? static_cast<unsigned>(from) : lane);
}
/** The value of the lane `delta` above; the caller's own above the segment. */
template <class T>
SOFTGPU_FN T __shfl_down_sync(unsigned mask, T value, unsigned delta,
                              int width = 32)
{
    const unsigned lane = softgpu_lane_id(), from = lane + (delta & 31);
    const bool in_segment = from <= softgpu::segment_end(lane, width);
    return softgpu::shuffle(mask, value, in_segment ? from : lane);
}
/** The value of the lane whose number is the caller's xor `lane_mask`; the
 *  caller's own if that lane is above the segment. */
template <class T>
SOFTGPU_FN T __shfl_xor_sync(unsigned mask, T value, int lane_mask,
                             int width = 32)
{
    const unsigned lane = softgpu_lane_id();
    const unsigned from = lane ^ (static_cast<unsigned>(lane_mask) & 31);
    const bool in_segment = from <= softgpu::segment_end(lane, width);
    return softgpu::shuffle(mask, value, in_segment ? from : lane);
}

/** The mask of lanes whose predicate is not 0. */
SOFTGPU_FN unsigned __ballot_sync(unsigned mask, int predicate)
{
    return softgpu_warp_ballot(mask, predicate);
}
/** Is the predicate not 0 for any lane of the mask? */
SOFTGPU_FN int __any_sync(unsigned mask, int predicate)
{
    return softgpu_warp_ballot(mask, predicate) != 0;
}
/** Is the predicate not 0 for all lanes of the mask? */
SOFTGPU_FN int __all_sync(unsigned mask, int predicate)
{
    return softgpu_warp_ballot(mask, !predicate) == 0;
}
/** Have all lanes of the mask the same predicate, 0 or not 0? */
SOFTGPU_FN int __uni_sync(unsigned mask, int predicate)
{
    const unsigned ballot_mask = softgpu_warp_ballot(mask, predicate);
    return __all_sync(mask, predicate ? 1 : ballot_mask == 0);
}
/** The mask of lanes of the warp that execute this call together. */
SOFTGPU_FN unsigned __activemask() { return softgpu_active_mask(); }

/** The mask of lanes with the same value as the caller. */
template <class T> SOFTGPU_FN unsigned __match_any_sync(unsigned mask, T value)
{
    const uint64_t bits = softgpu::to_bits(value);
    const uint64_t *values = softgpu_warp_gather(mask, bits);
    unsigned same = 0;
    for (auto left = static_cast<unsigned>(values[SOFTGPU_LANE_MASK_ENTRY]);
         left; left &= left - 1)
        same |= static_cast<unsigned>(values[__builtin_ctz(left)] == bits)
                << __builtin_ctz(left);
    return same;
}
/** The mask of the participating lanes if all have the same value, else 0.
 *  @param[out] all  1 if all have the same value, else 0 */
template <class T>
SOFTGPU_FN unsigned __match_all_sync(unsigned mask, T value, int *all)
{
    const uint64_t bits = softgpu::to_bits(value);
    const uint64_t *values = softgpu_warp_gather(mask, bits);
    const auto lanes = static_cast<unsigned>(values[SOFTGPU_LANE_MASK_ENTRY]);
    *all = 1;
    for (unsigned left = lanes; left; left &= left - 1)
        *all &= values[__builtin_ctz(left)] == bits;
    return *all ? lanes : 0;
}

/** @cond the six reductions for unsigned, and for int where it differs */
#define SOFTGPU_REDUCE(name, T, expression)                         \
    SOFTGPU_FN T __reduce_##name##_sync(unsigned mask, T value)     \
    {                                                               \
        return softgpu::reduce(mask, value,                         \
                               [](T a, T b) { return expression; }); \
    }
SOFTGPU_REDUCE(add, unsigned, a + b)
SOFTGPU_REDUCE(min, unsigned, b < a ? b : a)
SOFTGPU_REDUCE(max, unsigned, b > a ? b : a)
SOFTGPU_REDUCE(and, unsigned, a &b)
SOFTGPU_REDUCE(or, unsigned, a | b)
SOFTGPU_REDUCE(xor, unsigned, a ^ b)
SOFTGPU_REDUCE(add, int, static_cast<int>(a + 0u + b))
SOFTGPU_REDUCE(min, int, b < a ? b : a)
SOFTGPU_REDUCE(max, int, b > a ? b : a)
#undef SOFTGPU_REDUCE
/** @endcond */

#endif
