/* SPDX-License-Identifier: MIT */
/** @file
 *  Comparisons of a 16-bit float and of pairs; included once for each type, see
 *  small/type.h.  With a NaN the plain forms are false and the u forms true.
 */
/** @cond: __heq, __hequ; of pairs __heq2 (1 or 0), _mask (all bits), __hb
 *  (both) */

#define SOFTGPU_COMPARISON(name, expr)                                    \
    SOFTGPU_FN bool __h##name(SOFTGPU_T a, SOFTGPU_T b)                   \
    {                                                                     \
        float p = a, q = b;                                               \
        return expr;                                                      \
    }                                                                     \
    SOFTGPU_FN SOFTGPU_T2 __h##name##2(SOFTGPU_T2 a, SOFTGPU_T2 b)        \
    {                                                                     \
        return {SOFTGPU_T(__h##name(a.x, b.x) ? 1.0f : 0.0f),             \
                SOFTGPU_T(__h##name(a.y, b.y) ? 1.0f : 0.0f)};            \
    }                                                                     \
    SOFTGPU_FN unsigned int __h##name##2_mask(SOFTGPU_T2 a, SOFTGPU_T2 b) \
    {                                                                     \
        return (__h##name(a.x, b.x) ? 0xFFFFu : 0u)                       \
               | (__h##name(a.y, b.y) ? 0xFFFF0000u : 0u);                \
    }                                                                     \
    SOFTGPU_FN bool __hb##name##2(SOFTGPU_T2 a, SOFTGPU_T2 b)             \
    {                                                                     \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                \
    }
#define SOFTGPU_COMPARISONS(name, ordered)                                \
    SOFTGPU_COMPARISON(name, ordered)                                     \
    SOFTGPU_COMPARISON(name##u, p != p || q != q || (ordered))
SOFTGPU_COMPARISONS(eq, p == q)
SOFTGPU_COMPARISONS(ne, p<q || p> q)
SOFTGPU_COMPARISONS(le, p <= q)
SOFTGPU_COMPARISONS(ge, p >= q)
SOFTGPU_COMPARISONS(lt, p < q)
SOFTGPU_COMPARISONS(gt, p > q)
#undef SOFTGPU_COMPARISONS
#undef SOFTGPU_COMPARISON

#define SOFTGPU_OPERATOR(sign, one, pair)                                 \
    SOFTGPU_FN bool operator sign(const SOFTGPU_T &a, const SOFTGPU_T &b) \
    {                                                                     \
        return one(a, b);                                                 \
    }                                                                     \
    SOFTGPU_FN bool operator sign(const SOFTGPU_T2 &a, const SOFTGPU_T2 &b) \
    {                                                                     \
        return pair(a, b);                                                \
    }
SOFTGPU_OPERATOR(==, __heq, __hbeq2)
SOFTGPU_OPERATOR(!=, __hneu, __hbneu2)
SOFTGPU_OPERATOR(<=, __hle, __hble2)
SOFTGPU_OPERATOR(>=, __hge, __hbge2)
SOFTGPU_OPERATOR(<, __hlt, __hblt2)
SOFTGPU_OPERATOR(>, __hgt, __hbgt2)
#undef SOFTGPU_OPERATOR

SOFTGPU_FN bool __hisnan(SOFTGPU_T a)
{
    return (a.__x & 0x7FFF) > SOFTGPU_FORMAT::infinity;
}
SOFTGPU_FN int __hisinf(SOFTGPU_T a)
{
    bool infinite = (a.__x & 0x7FFF) == SOFTGPU_FORMAT::infinity;
    return !infinite ? 0 : a.__x >> 15 ? -1 : 1;
}
SOFTGPU_FN SOFTGPU_T2 __hisnan2(SOFTGPU_T2 a)
{
    return { SOFTGPU_T(__hisnan(a.x) ? 1.0f : 0.0f),
             SOFTGPU_T(__hisnan(a.y) ? 1.0f : 0.0f) };
}

/* Maximum and minimum: -0 is less than +0.  Of a number and a NaN the result is
 * the number, in the _nan forms the NaN.                                    */
namespace softgpu {
SOFTGPU_FN bool is_less(SOFTGPU_T a, SOFTGPU_T b)
{
    float p = a, q = b;
    return p < q || (p == q && a.__x > b.__x && (a.__x & 0x7FFF) == 0);
}
SOFTGPU_FN SOFTGPU_T canonical_nan(SOFTGPU_T)
{
    return SOFTGPU_RAW{ SOFTGPU_FORMAT::nan };
}
} // namespace softgpu

#define SOFTGPU_MINMAX(name, result)                                           \
    SOFTGPU_2(__h##name##_nan,                                                 \
              __hisnan(a) || __hisnan(b) ? softgpu::canonical_nan(a) : result) \
    SOFTGPU_2(__h##name, __hisnan(a)                                           \
                             ? __hisnan(b) ? softgpu::canonical_nan(a) : b     \
                         : __hisnan(b) ? a                                     \
                                       : result)                               \
    SOFTGPU_PAIR2(__h##name##2, __h##name)                                     \
    SOFTGPU_PAIR2(__h##name##2_nan, __h##name##_nan)
SOFTGPU_MINMAX(max, softgpu::is_less(a, b) ? b : a)
SOFTGPU_MINMAX(min, softgpu::is_less(b, a) ? b : a)
#undef SOFTGPU_MINMAX
/** @endcond */
