/* SPDX-License-Identifier: MIT */
/** @file
 *  Inline PTX: video instructions, on one word, two halves or four bytes.  Part
 *  of inline_ptx.h.
 */
#ifndef SOFTGPU_INLINE_PTX_VIDEO_H
#define SOFTGPU_INLINE_PTX_VIDEO_H

#include "inline_ptx.h"

namespace softgpu {
namespace ptx {

/** @cond Operations, documented by PTX's own manual. */
#define SOFTGPU_PTX_VIDEO(name, expression)                                   \
    struct video_##name {                                                     \
        static SOFTGPU_FN int64_t of(int64_t x, int64_t y)                    \
        {                                                                     \
            return expression;                                                \
        }                                                                     \
    };
SOFTGPU_PTX_VIDEO(add, x + y)
SOFTGPU_PTX_VIDEO(sub, x - y)
SOFTGPU_PTX_VIDEO(avrg, (x + y + (x + y >= 0)) >> 1)
SOFTGPU_PTX_VIDEO(absdiff, x < y ? y - x : x - y)
SOFTGPU_PTX_VIDEO(min, x < y ? x : y)
SOFTGPU_PTX_VIDEO(max, x < y ? y : x)
struct video_none {};
#undef SOFTGPU_PTX_VIDEO
/** @endcond */

/** Part i of a word, extended by T's sign. */
template <class T, int Parts>
SOFTGPU_FN int64_t video_part(uint32_t word, int i)
{
    constexpr int bits = 32 / Parts;
    const uint32_t raised = word << (32 - bits - i * bits);
    return std::is_signed<T>::value ? (int64_t)((int32_t)raised >> (32 - bits))
                                    : (int64_t)(raised >> (32 - bits));
}

/** The nearest number that a part of type T holds. */
template <class T, int Parts> SOFTGPU_FN int64_t video_saturate(int64_t x)
{
    constexpr int bits = 32 / Parts;
    constexpr int64_t top = std::is_signed<T>::value
                                ? ((int64_t)1 << (bits - 1)) - 1
                                : ((int64_t)1 << bits) - 1;
    constexpr int64_t bottom = std::is_signed<T>::value ? -top - 1 : 0;
    return x < bottom ? bottom : x > top ? top : x;
}

/** d = the parts of a and b combined; with a second operation: the sum of the
 *  parts and c, or for one part the minimum or maximum. */
template <class First, class Second, int Parts, bool Saturates, class D,
          class A, class B, class R, class X, class Y, class Z = int>
SOFTGPU_FN void video(R &d, X a, Y b, Z c = 0)
{
    int64_t sum = video_part<D, 1>(get<uint32_t>(c), 0);
    uint32_t merged = 0;

    for (int i = 0; i < Parts; i++) {
        int64_t x = First::of(video_part<A, Parts>(get<uint32_t>(a), i),
                              video_part<B, Parts>(get<uint32_t>(b), i));
        if (Saturates)
            x = video_saturate<D, Parts>(x);
        merged |= (uint32_t)(x & ~(uint32_t)0 >> (32 - 32 / Parts))
                  << i * (32 / Parts);
        if constexpr (!std::is_same<Second, video_none>::value)
            sum = Second::of(sum, x);
    }
    if constexpr (std::is_same<Second, video_none>::value)
        set<R, D>(d, (D)merged);
    else
        set<R, D>(d, (D)sum);
}

} // namespace ptx
} // namespace softgpu

#endif
