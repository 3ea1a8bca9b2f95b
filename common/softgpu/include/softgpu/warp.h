/* SPDX-License-Identifier: MIT */
/** @file
 *  The calls that the lanes of a warp make together: shuffles, votes, matches,
 *  reductions.
 *
 *  Each waits until every lane of the mask that has not returned has made the
 *  same call.  Values are any type of at most 8 bytes that may be copied bit
 *  by bit.
 */
#ifndef SOFTGPU_WARP_H
#define SOFTGPU_WARP_H

#include <cstring>
#include <type_traits>

#include "sync.h"

namespace softgpu {

/** Every lane. */
constexpr unsigned ALL_LANES = 0xffffffffu;

/** The bits of a value as a warp call carries them. */
template <class T> SOFTGPU_FN uint64_t to_bits(T value)
{
    static_assert(sizeof(T) <= 8, "a warp call carries at most 8 bytes");
    /* A watched build's vectors copy themselves, in one access. */
    static_assert(std::is_trivially_destructible<T>::value,
                  "a warp call carries plain data");
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}

/** The value that lane `source` gave. */
template <class T>
SOFTGPU_FN T shuffle(unsigned mask, T value, unsigned source)
{
    const uint64_t bits = softgpu_warp_shuffle(mask, to_bits(value),
                                               static_cast<int>(source));
    std::memcpy(static_cast<void *>(&value), &bits, sizeof value);
    return value;
}

/** First lane of the segment of `width` lanes (a power of two). */
SOFTGPU_FN unsigned segment(unsigned lane, int width)
{
    return lane & ~(static_cast<unsigned>(width) - 1);
}
/** Last lane of the segment. */
SOFTGPU_FN unsigned segment_end(unsigned lane, int width)
{
    return lane | (static_cast<unsigned>(width) - 1);
}

/** op over the values of all lanes that took part. */
template <class T, class Op>
SOFTGPU_FN T reduce(unsigned mask, T value, Op op)
{
    const uint64_t *values =
        softgpu_warp_gather(mask, static_cast<unsigned>(value));
    const unsigned self = 1u << softgpu_lane();
    const auto lanes = static_cast<unsigned>(values[SOFTGPU_LANES_AT]);
    for (unsigned left = lanes & ~self; left; left &= left - 1)
        value = op(value, static_cast<T>(values[__builtin_ctz(left)]));
    return value;
}

} // namespace softgpu

/** Wait for the lanes of the mask; orders memory among them. */
SOFTGPU_FN void __syncwarp(unsigned mask = softgpu::ALL_LANES)
{
    softgpu_warp_sync(mask);
}

/** The value of lane `source` of the own segment of `width` lanes. */
template <class T>
SOFTGPU_FN T __shfl_sync(unsigned mask, T value, int source, int width = 32)
{
    const unsigned inside =
        static_cast<unsigned>(source) & (static_cast<unsigned>(width) - 1);
    return softgpu::shuffle(mask, value,
                            softgpu::segment(softgpu_lane(), width) | inside);
}
/** The value of the lane `delta` below; the own one at the segment's start. */
template <class T>
SOFTGPU_FN T __shfl_up_sync(unsigned mask, T value, unsigned delta,
                            int width = 32)
{
    const unsigned lane = softgpu_lane();
    const int from = static_cast<int>(lane - (delta & 31));
    const bool inside = from >= static_cast<int>(softgpu::segment(lane, width));
    return softgpu::shuffle(mask, value,
                            inside ? static_cast<unsigned>(from) : lane);
}
/** The value of the lane `delta` above; the own one at the segment's end. */
template <class T>
SOFTGPU_FN T __shfl_down_sync(unsigned mask, T value, unsigned delta,
                              int width = 32)
{
    const unsigned lane = softgpu_lane(), from = lane + (delta & 31);
    const bool inside = from <= softgpu::segment_end(lane, width);
    return softgpu::shuffle(mask, value, inside ? from : lane);
}
/** The value of the lane whose number is `lane_mask` xor the own one; the own
 *  one if that lies above the segment. */
template <class T>
SOFTGPU_FN T __shfl_xor_sync(unsigned mask, T value, int lane_mask,
                             int width = 32)
{
    const unsigned lane = softgpu_lane();
    const unsigned from = lane ^ (static_cast<unsigned>(lane_mask) & 31);
    const bool inside = from <= softgpu::segment_end(lane, width);
    return softgpu::shuffle(mask, value, inside ? from : lane);
}

/** Lanes of the mask whose predicate is not 0. */
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
/** Is the predicate's truth the same for all lanes of the mask? */
SOFTGPU_FN int __uni_sync(unsigned mask, int predicate)
{
    const unsigned ayes = softgpu_warp_ballot(mask, predicate);
    return __all_sync(mask, predicate ? 1 : ayes == 0);
}
/** Lanes of the warp that make this call together. */
SOFTGPU_FN unsigned __activemask() { return softgpu_active_mask(); }

/** Lanes of the mask that gave the same value as this one. */
template <class T> SOFTGPU_FN unsigned __match_any_sync(unsigned mask, T value)
{
    const uint64_t bits = softgpu::to_bits(value);
    const uint64_t *values = softgpu_warp_gather(mask, bits);
    unsigned same = 0;
    for (auto left = static_cast<unsigned>(values[SOFTGPU_LANES_AT]); left;
         left &= left - 1)
        same |= static_cast<unsigned>(values[__builtin_ctz(left)] == bits)
                << __builtin_ctz(left);
    return same;
}
/** The lanes that took part if all gave the same value, else 0; *all says
 *  which. */
template <class T>
SOFTGPU_FN unsigned __match_all_sync(unsigned mask, T value, int *all)
{
    const uint64_t bits = softgpu::to_bits(value);
    const uint64_t *values = softgpu_warp_gather(mask, bits);
    const auto lanes = static_cast<unsigned>(values[SOFTGPU_LANES_AT]);
    *all = 1;
    for (unsigned left = lanes; left; left &= left - 1)
        *all &= values[__builtin_ctz(left)] == bits;
    return *all ? lanes : 0;
}

/** @cond the six reductions, of unsigned and where it differs of int */
#define SOFTGPU_REDUCE(name, T, expression)                         \
    SOFTGPU_FN T __reduce_##name##_sync(unsigned mask, T value)     \
    {                                                               \
        return softgpu::reduce(mask, value,                         \
                               [](T a, T b) { return expression; }); \
    }
SOFTGPU_REDUCE(add, unsigned, a + b)
SOFTGPU_REDUCE(min, unsigned, b < a ? b : a)
SOFTGPU_REDUCE(max, unsigned, b > a ? b : a)
SOFTGPU_REDUCE(and, unsigned, a & b)
SOFTGPU_REDUCE(or, unsigned, a | b)
SOFTGPU_REDUCE(xor, unsigned, a ^ b)
SOFTGPU_REDUCE(add, int, static_cast<int>(a + 0u + b))
SOFTGPU_REDUCE(min, int, b < a ? b : a)
SOFTGPU_REDUCE(max, int, b > a ? b : a)
#undef SOFTGPU_REDUCE
/** @endcond */

#endif
