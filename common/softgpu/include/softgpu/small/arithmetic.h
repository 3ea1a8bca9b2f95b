/* SPDX-License-Identifier: MIT */
/** @file
 *  Arithmetic of a 16-bit float and of pairs; included once for each type, see
 *  small/type.h.  Every operation is rounded once.  Sums and products are
 *  computed in float and rounded to 16 bits: float has more than twice the
 *  mantissa bits, so double rounding changes nothing.  Quotients and fused
 *  multiply-adds are computed in double.
 */
/** @cond: CUDA's names; _sat clamps to [0, 1], _relu to [0, inf) */

#define SOFTGPU_1(name, expr) \
    SOFTGPU_FN SOFTGPU_T name(SOFTGPU_T a) { return expr; }
#define SOFTGPU_2(name, expr) \
    SOFTGPU_FN SOFTGPU_T name(SOFTGPU_T a, SOFTGPU_T b) { return expr; }
#define SOFTGPU_3(name, expr)                                             \
    SOFTGPU_FN SOFTGPU_T name(SOFTGPU_T a, SOFTGPU_T b, SOFTGPU_T c)      \
    {                                                                     \
        return expr;                                                      \
    }
/* The function of pairs, from that of one. */
#define SOFTGPU_PAIR1(name, one)                                          \
    SOFTGPU_FN SOFTGPU_T2 name(SOFTGPU_T2 a) { return {one(a.x), one(a.y)}; }
#define SOFTGPU_PAIR2(name, one)                                          \
    SOFTGPU_FN SOFTGPU_T2 name(SOFTGPU_T2 a, SOFTGPU_T2 b)                \
    {                                                                     \
        return {one(a.x, b.x), one(a.y, b.y)};                            \
    }
#define SOFTGPU_PAIR3(name, one)                                          \
    SOFTGPU_FN SOFTGPU_T2 name(SOFTGPU_T2 a, SOFTGPU_T2 b, SOFTGPU_T2 c)  \
    {                                                                     \
        return {one(a.x, b.x, c.x), one(a.y, b.y, c.y)};                  \
    }

namespace softgpu {
SOFTGPU_FN SOFTGPU_T clamp_to_0_1(SOFTGPU_T v)
{
    float f = v;
    return f > 0.0f ? (f < 1.0f ? v : SOFTGPU_T(1.0f)) : SOFTGPU_T(0.0f);
}
SOFTGPU_FN SOFTGPU_T relu(SOFTGPU_T v)
{
    return float(v) < 0.0f ? SOFTGPU_T(0.0f) : v;
}
} // namespace softgpu

/* Sum, difference, product: three names, and saturating. */
#define SOFTGPU_OPERATION(op, sign)                                       \
    SOFTGPU_2(__h##op, float(a) sign float(b))                            \
    SOFTGPU_2(__h##op##_rn, __h##op(a, b))                                \
    SOFTGPU_2(__h##op##_sat, softgpu::clamp_to_0_1(__h##op(a, b)))           \
    SOFTGPU_PAIR2(__h##op##2, __h##op)                                    \
    SOFTGPU_PAIR2(__h##op##2_rn, __h##op)                                 \
    SOFTGPU_PAIR2(__h##op##2_sat, __h##op##_sat)
SOFTGPU_OPERATION(add, +)
SOFTGPU_OPERATION(sub, -)
SOFTGPU_OPERATION(mul, *)
#undef SOFTGPU_OPERATION
SOFTGPU_2(__hdiv, (double)float(a) / (double)float(b))
SOFTGPU_PAIR2(__h2div, __hdiv)

SOFTGPU_1(__hneg, (SOFTGPU_RAW{ (unsigned short)(a.__x ^ 0x8000) }))
SOFTGPU_1(__habs, (SOFTGPU_RAW{ (unsigned short)(a.__x & 0x7FFF) }))
SOFTGPU_PAIR1(__hneg2, __hneg)
SOFTGPU_PAIR1(__habs2, __habs)

SOFTGPU_3(__hfma, softgpu::fma_round_to_odd(float(a), float(b), float(c)))
SOFTGPU_3(__hfma_sat, softgpu::clamp_to_0_1(__hfma(a, b, c)))
SOFTGPU_3(__hfma_relu, softgpu::relu(__hfma(a, b, c)))
SOFTGPU_PAIR3(__hfma2, __hfma)
SOFTGPU_PAIR3(__hfma2_sat, __hfma_sat)
SOFTGPU_PAIR3(__hfma2_relu, __hfma_relu)
/* a * b + c of complex numbers. */
SOFTGPU_FN SOFTGPU_T2 __hcmadd(SOFTGPU_T2 a, SOFTGPU_T2 b, SOFTGPU_T2 c)
{
    return { __hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)),
             __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)) };
}

/* Operators of one and of a pair. */
#define SOFTGPU_OPERATOR(T, sign, function)                               \
    SOFTGPU_FN T operator sign(const T &a, const T &b)                    \
    {                                                                     \
        return function(a, b);                                            \
    }                                                                     \
    SOFTGPU_FN T &operator sign##=(T &a, const T &b)                      \
    {                                                                     \
        return a = function(a, b);                                        \
    }
#define SOFTGPU_STEP(T, sign, function, one)                              \
    SOFTGPU_FN T &operator sign(T &a) { return a = function(a, one); }    \
    SOFTGPU_FN T operator sign(T &a, int)                                 \
    {                                                                     \
        T before = a;                                                     \
        a = function(a, one);                                             \
        return before;                                                    \
    }
#define SOFTGPU_OPERATORS(T, n, div, one)                                 \
    SOFTGPU_OPERATOR(T, +, __hadd##n)                                     \
    SOFTGPU_OPERATOR(T, -, __hsub##n)                                     \
    SOFTGPU_OPERATOR(T, *, __hmul##n)                                     \
    SOFTGPU_OPERATOR(T, /, div)                                           \
    SOFTGPU_STEP(T, ++, __hadd##n, one)                                   \
    SOFTGPU_STEP(T, --, __hsub##n, one)                                   \
    SOFTGPU_FN T operator+(const T &a) { return a; }                      \
    SOFTGPU_FN T operator-(const T &a) { return __hneg##n(a); }
SOFTGPU_OPERATORS(SOFTGPU_T, , __hdiv, SOFTGPU_T(1.0f))
SOFTGPU_OPERATORS(SOFTGPU_T2, 2, __h2div, SOFTGPU_T2(1.0f, 1.0f))
#undef SOFTGPU_OPERATORS
#undef SOFTGPU_STEP
#undef SOFTGPU_OPERATOR
/** @endcond */
