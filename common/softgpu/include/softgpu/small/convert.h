/* SPDX-License-Identifier: MIT */
/** @file
 *  Conversions of a 16-bit float and of pairs; included once for each type,
 *  see small/type.h.  SOFTGPU_NAME(a, b) puts the type's name between a and b:
 *  __float2half_rn or __float2bfloat16_rn.
 */
/** @cond: names are from, to, rounding mode */

#define SOFTGPU_FROM(from, N, s, mode)                                         \
    SOFTGPU_FN SOFTGPU_T SOFTGPU_NAME(__##from##2, _##s)(N v)                  \
    {                                                                          \
        if (mode == softgpu::NEAREST)                                          \
            return SOFTGPU_T(v);                                               \
        unsigned int code = SOFTGPU_FORMAT::encode(                            \
            softgpu::to_double_round_to_odd(v), mode);                         \
        return SOFTGPU_RAW{ (unsigned short)code };                            \
    }
#define SOFTGPU_INTEGER(name, N, s, mode)                                   \
    SOFTGPU_FROM(name, N, s, mode)                                        \
    SOFTGPU_FN N SOFTGPU_NAME(__, 2##name##_##s)(SOFTGPU_T v)             \
    {                                                                     \
        return softgpu::to_integer<N, mode>(float(v));                      \
    }
#define SOFTGPU_CONVERT(s, mode)                                          \
    SOFTGPU_FROM(float, float, s, mode)                                   \
    SOFTGPU_INTEGER(short, short, s, mode)                                  \
    SOFTGPU_INTEGER(ushort, unsigned short, s, mode)                        \
    SOFTGPU_INTEGER(int, int, s, mode)                                      \
    SOFTGPU_INTEGER(uint, unsigned int, s, mode)                            \
    SOFTGPU_INTEGER(ll, long long, s, mode)                                 \
    SOFTGPU_INTEGER(ull, unsigned long long, s, mode)
SOFTGPU_EACH_ROUNDING(SOFTGPU_CONVERT)
#undef SOFTGPU_CONVERT
#undef SOFTGPU_INTEGER
#undef SOFTGPU_FROM

/* Numbers. */
SOFTGPU_FN SOFTGPU_T SOFTGPU_NAME(__float2, )(float v) { return v; }
SOFTGPU_FN SOFTGPU_T SOFTGPU_NAME(__double2, )(double v) { return v; }
SOFTGPU_FN float SOFTGPU_NAME(__, 2float)(SOFTGPU_T v) { return v; }
SOFTGPU_FN signed char SOFTGPU_NAME(__, 2char_rz)(SOFTGPU_T v) { return v; }
SOFTGPU_FN unsigned char SOFTGPU_NAME(__, 2uchar_rz)(SOFTGPU_T v)
{
    return v;
}

/* Bits. */
SOFTGPU_FN short SOFTGPU_NAME(__, _as_short)(SOFTGPU_T v)
{
    return (short)v.__x;
}
SOFTGPU_FN unsigned short SOFTGPU_NAME(__, _as_ushort)(SOFTGPU_T v)
{
    return v.__x;
}
SOFTGPU_FN SOFTGPU_T SOFTGPU_NAME(__ushort_as_, )(unsigned short v)
{
    return SOFTGPU_RAW{ v };
}
SOFTGPU_FN SOFTGPU_T SOFTGPU_NAME(__short_as_, )(short v)
{
    return SOFTGPU_RAW{ (unsigned short)v };
}

/* Pairs: extract. */
SOFTGPU_FN SOFTGPU_T SOFTGPU_NAME(__low2, )(SOFTGPU_T2 v) { return v.x; }
SOFTGPU_FN SOFTGPU_T SOFTGPU_NAME(__high2, )(SOFTGPU_T2 v) { return v.y; }
SOFTGPU_FN float __low2float(SOFTGPU_T2 v) { return v.x; }
SOFTGPU_FN float __high2float(SOFTGPU_T2 v) { return v.y; }
SOFTGPU_FN float2 SOFTGPU_NAME(__, 22float2)(SOFTGPU_T2 v)
{
    return make_float2(v.x, v.y);
}

/* Pairs: combine. */
SOFTGPU_FN SOFTGPU_T2 SOFTGPU_NAME(__halves2, 2)(SOFTGPU_T a, SOFTGPU_T b)
{
    return { a, b };
}
SOFTGPU_FN SOFTGPU_T2 SOFTGPU_NAME(make_, 2)(SOFTGPU_T a, SOFTGPU_T b)
{
    return { a, b };
}
SOFTGPU_FN SOFTGPU_T2 SOFTGPU_NAME2(__, 2, 2)(SOFTGPU_T v) { return {v, v}; }
SOFTGPU_FN SOFTGPU_T2 SOFTGPU_NAME(__low2, 2)(SOFTGPU_T2 v)
{
    return { v.x, v.x };
}
SOFTGPU_FN SOFTGPU_T2 SOFTGPU_NAME(__high2, 2)(SOFTGPU_T2 v)
{
    return { v.y, v.y };
}
SOFTGPU_FN SOFTGPU_T2 SOFTGPU_NAME(__lows2, 2)(SOFTGPU_T2 a, SOFTGPU_T2 b)
{
    return { a.x, b.x };
}
SOFTGPU_FN SOFTGPU_T2 SOFTGPU_NAME(__highs2, 2)(SOFTGPU_T2 a, SOFTGPU_T2 b)
{
    return { a.y, b.y };
}
SOFTGPU_FN SOFTGPU_T2 __lowhigh2highlow(SOFTGPU_T2 v) { return {v.y, v.x}; }
SOFTGPU_FN SOFTGPU_T2 SOFTGPU_NAME(__floats2, 2_rn)(float a, float b)
{
    return { a, b };
}
SOFTGPU_FN SOFTGPU_T2 SOFTGPU_NAME(__float2, 2_rn)(float v) { return {v, v}; }
SOFTGPU_FN SOFTGPU_T2 SOFTGPU_NAME(__float22, 2_rn)(float2 v)
{
    return { v.x, v.y };
}
/** @endcond */
