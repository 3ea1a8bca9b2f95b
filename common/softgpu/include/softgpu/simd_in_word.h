/* SPDX-License-Identifier: MIT */
/** @file
 *  SIMD within a word: CUDA's __vadd2(), __vadd4() and so on work on the two
 *  halfwords or the four bytes of an unsigned int.
 *
 *  In the names: s, u signed or unsigned elements; ss, us saturating.
 */
#ifndef SOFTGPU_SIMD_IN_WORD_H
#define SOFTGPU_SIMD_IN_WORD_H

#include <stdint.h>

#include "inline.h"

namespace softgpu {

/** v, saturated to the range of T. */
template <typename T> SOFTGPU_FN auto clamp_to(int v)
{
    constexpr bool is_signed = T(-1) < T(0);
    constexpr int width = 8 * sizeof(T) - is_signed;
    constexpr int high = (1 << width) - 1, low = is_signed ? -high - 1 : 0;
    return v < low ? low : v > high ? high : v;
}

/** Apply op to the elements of type T of two words; the results are packed. */
template <typename T, typename F>
SOFTGPU_FN auto lanewise(unsigned int a, unsigned int b, F op)
{
    constexpr unsigned int width = 8 * sizeof(T), mask = (1u << width) - 1;
    unsigned int result = 0;
    for (unsigned int at = 0; at < 32; at += width) {
        int r = op((int)(T)(a >> at), (int)(T)(b >> at));
        result |= ((unsigned int)r & mask) << at;
    }
    return result;
}

/** Sum over the elements of |a - b|. */
template <typename T>
SOFTGPU_FN auto sum_of_differences(unsigned int a, unsigned int b)
{
    unsigned int sum = 0;
    for (unsigned int at = 0; at < 32; at += 8 * sizeof(T)) {
        int d = (int)(T)(a >> at) - (int)(T)(b >> at);
        sum += (unsigned int)(d < 0 ? -d : d);
    }
    return sum;
}

} // namespace softgpu

/** @cond: the element type is `lane` in the expressions */
#define SOFTGPU_LANES(name, T, parameters, b, expr)                       \
    SOFTGPU_FN unsigned int name parameters                               \
    {                                                                     \
        typedef T lane;                                                   \
        return softgpu::lanewise<lane>(                                   \
            a, b, [](int x, int y) { (void)y; return (int)(expr); });     \
    }
#define SOFTGPU_AB (unsigned int a, unsigned int b)
#define SOFTGPU_A (unsigned int a)
/* Two operands, one operand, a comparison: each for halfwords and bytes. */
#define SOFTGPU_V2(name, sign, expr)                                      \
    SOFTGPU_LANES(__v##name##2, sign##16_t, SOFTGPU_AB, b, expr)          \
    SOFTGPU_LANES(__v##name##4, sign##8_t, SOFTGPU_AB, b, expr)
#define SOFTGPU_V1(name, expr)                                            \
    SOFTGPU_LANES(__v##name##2, int16_t, SOFTGPU_A, 0, expr)              \
    SOFTGPU_LANES(__v##name##4, int8_t, SOFTGPU_A, 0, expr)
#define SOFTGPU_VCMP(name, sign, op)                                      \
    SOFTGPU_V2(cmp##name, sign, x op y ? -1 : 0)                          \
    SOFTGPU_V2(set##name, sign, x op y ? 1 : 0)

SOFTGPU_V1(abs, x < 0 ? -x : x)
SOFTGPU_V1(absss, softgpu::clamp_to<lane>(x < 0 ? -x : x))
SOFTGPU_V1(neg, -x)
SOFTGPU_V1(negss, softgpu::clamp_to<lane>(-x))
SOFTGPU_V2(add, uint, x + y)
SOFTGPU_V2(addss, int, softgpu::clamp_to<lane>(x + y))
SOFTGPU_V2(addus, uint, softgpu::clamp_to<lane>(x + y))
SOFTGPU_V2(sub, uint, x - y)
SOFTGPU_V2(subss, int, softgpu::clamp_to<lane>(x - y))
SOFTGPU_V2(subus, uint, softgpu::clamp_to<lane>(x - y))
SOFTGPU_V2(absdiffs, int, x > y ? x - y : y - x)
SOFTGPU_V2(absdiffu, uint, x > y ? x - y : y - x)
SOFTGPU_V2(avgs, int, (x + y + (x + y >= 0)) >> 1)
SOFTGPU_V2(avgu, uint, (x + y + 1) >> 1)
SOFTGPU_V2(haddu, uint, (x + y) >> 1)
SOFTGPU_V2(maxs, int, x > y ? x : y)
SOFTGPU_V2(maxu, uint, x > y ? x : y)
SOFTGPU_V2(mins, int, x < y ? x : y)
SOFTGPU_V2(minu, uint, x < y ? x : y)
SOFTGPU_VCMP(eq, uint, ==)
SOFTGPU_VCMP(ne, uint, !=)
SOFTGPU_VCMP(ges, int, >=)
SOFTGPU_VCMP(geu, uint, >=)
SOFTGPU_VCMP(gts, int, >)
SOFTGPU_VCMP(gtu, uint, >)
SOFTGPU_VCMP(les, int, <=)
SOFTGPU_VCMP(leu, uint, <=)
SOFTGPU_VCMP(lts, int, <)
SOFTGPU_VCMP(ltu, uint, <)

#define SOFTGPU_VSAD(name, T)                                             \
    SOFTGPU_FN unsigned int __vsad##name(unsigned int a, unsigned int b)  \
    {                                                                     \
        return softgpu::sum_of_differences<T>(a, b);                      \
    }
SOFTGPU_VSAD(s2, int16_t)
SOFTGPU_VSAD(s4, int8_t)
SOFTGPU_VSAD(u2, uint16_t)
SOFTGPU_VSAD(u4, uint8_t)

#undef SOFTGPU_VSAD
#undef SOFTGPU_VCMP
#undef SOFTGPU_V1
#undef SOFTGPU_V2
#undef SOFTGPU_A
#undef SOFTGPU_AB
#undef SOFTGPU_LANES
/** @endcond */

#endif
