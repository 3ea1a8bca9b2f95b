/* SPDX-License-Identifier: MIT */
/** @file
 *  Instructions of inline PTX.  softcc makes of
 *
 *      asm("lop3.b32 %0, %1, %2, %3, 0xe8;"
 *          : "=r"(d) : "r"(a), "r"(b), "r"(c));
 *
 *  the call softgpu::ptx::lop3<uint32_t>(d, a, b, c, 0xe8).  T is the type of
 *  the instruction; operands have the types of the program's variables, whose
 *  bits are taken.  Which instructions there are says the table in
 *  softcc/rewriter/ptx_table.c.
 */
#ifndef SOFTGPU_INLINE_PTX_H
#define SOFTGPU_INLINE_PTX_H

#include <math.h>
#include <string.h>

#include <limits>
#include <type_traits>

#include "abi.h"
#include "integer.h"
#include "math.h"

namespace softgpu {
namespace ptx {

/** The bits of an operand as a T: integers are extended or cut. */
template <class T, class V> SOFTGPU_FN auto get(const V &v)
{
    if constexpr (std::is_pointer<V>::value)
        return static_cast<T>(reinterpret_cast<size_t>(v));
    else if constexpr (std::is_integral<V>::value && std::is_integral<T>::value)
        return static_cast<T>(v);
    else if constexpr (sizeof(T) == sizeof(V)) {
        T result;
        memcpy(&result, &v, sizeof result);
        return result;
    } else
        return static_cast<T>(v);
}

/** Store the bits of a result in an operand. */
template <class D, class T> SOFTGPU_FN void set(D &to, T value)
{
    if constexpr (std::is_pointer<D>::value)
        to = reinterpret_cast<D>(get<size_t>(value));
    else
        to = get<D>(value);
}

/** 0f3F800000. */
SOFTGPU_FN float float_bits(uint32_t bits) { return get<float>(bits); }
/** 0d3FF0000000000000. */
SOFTGPU_FN double double_bits(uint64_t bits) { return get<double>(bits); }

/** A signed or unsigned integer of twice the size. */
template <class T> struct twice;
/** @cond: one for each type */
template <> struct twice<int16_t> { typedef int32_t type; };
template <> struct twice<uint16_t> { typedef uint32_t type; };
template <> struct twice<int32_t> { typedef int64_t type; };
template <> struct twice<uint32_t> { typedef uint64_t type; };
template <> struct twice<int64_t> { typedef __int128 type; };
template <> struct twice<uint64_t> { typedef unsigned __int128 type; };

/* d = expression of x, y, z; add, sub and mul of integers wrap */
#define SOFTGPU_PTX1(name, expression)                                        \
    template <class T, class D, class A> SOFTGPU_FN void name(D &d, A a)      \
    {                                                                         \
        const T x = get<T>(a);                                                \
        set<D, T>(d, (T)(expression));                                        \
    }
#define SOFTGPU_PTX2(name, expression)                                        \
    template <class T, class D, class A, class B>                             \
    SOFTGPU_FN void name(D &d, A a, B b)                                      \
    {                                                                         \
        const T x = get<T>(a), y = get<T>(b);                                 \
        set<D, T>(d, (T)(expression));                                        \
    }
#define SOFTGPU_PTX3(name, expression)                                        \
    template <class T, class D, class A, class B, class C>                    \
    SOFTGPU_FN void name(D &d, A a, B b, C c)                                 \
    {                                                                         \
        const T x = get<T>(a), y = get<T>(b), z = get<T>(c);                  \
        set<D, T>(d, (T)(expression));                                        \
    }
/** @endcond */

/** x + y without overflow of signed integers. */
template <class T> SOFTGPU_FN T wrapped_add(T x, T y)
{
    if constexpr (std::is_integral<T>::value)
        return static_cast<T>(static_cast<uint64_t>(x)
                              + static_cast<uint64_t>(y));
    else
        return x + y;
}
/** x * y, the low half. */
template <class T> SOFTGPU_FN T wrapped_mul(T x, T y)
{
    if constexpr (std::is_integral<T>::value)
        return static_cast<T>(static_cast<uint64_t>(x)
                              * static_cast<uint64_t>(y));
    else
        return x * y;
}
/** x * y, the high half. */
template <class T> SOFTGPU_FN T high_mul(T x, T y)
{
    typedef typename twice<T>::type wide;
    return static_cast<T>(static_cast<wide>(x) * static_cast<wide>(y)
                          >> 8 * sizeof(T));
}

/** |x|; that of the smallest integer is itself. */
template <class T> SOFTGPU_FN T magnitude(T x)
{
    if constexpr (std::is_integral<T>::value)
        return x < 0 ? static_cast<T>(0 - static_cast<uint64_t>(x)) : x;
    else
        return static_cast<T>(::fabs(x));
}

/** @cond: PTX's reference explains each */
SOFTGPU_PTX1(mov, x)
SOFTGPU_PTX1(abs, magnitude<T>(x))
SOFTGPU_PTX1(neg, -x)
SOFTGPU_PTX1(not_, ~x)
SOFTGPU_PTX2(add, wrapped_add<T>(x, y))
SOFTGPU_PTX2(mul, wrapped_mul<T>(x, y))
SOFTGPU_PTX2(mul_hi, high_mul<T>(x, y))
SOFTGPU_PTX2(div, x / y)
SOFTGPU_PTX2(rem, x % y)
SOFTGPU_PTX2(and_, x &y)
SOFTGPU_PTX2(or_, x | y)
SOFTGPU_PTX2(xor_, x ^ y)
SOFTGPU_PTX3(mad, wrapped_add<T>(wrapped_mul<T>(x, y), z))
SOFTGPU_PTX3(mad_hi, wrapped_add<T>(high_mul<T>(x, y), z))
SOFTGPU_PTX3(sad, wrapped_add<T>(x < y ? y - x : x - y, z))
SOFTGPU_PTX1(rcp, 1 / x)
SOFTGPU_PTX1(sqrt, ::sqrt(x))
SOFTGPU_PTX1(rsqrt, 1 / ::sqrt(x))
SOFTGPU_PTX1(ex2, ::exp2(x))
SOFTGPU_PTX1(lg2, ::log2(x))
SOFTGPU_PTX1(sin, ::sin(x))
SOFTGPU_PTX1(cos, ::cos(x))
SOFTGPU_PTX1(tanh, ::tanh(x))
/** @endcond */

/** An unsigned integer of so many bytes. */
template <size_t bytes>
using word_of = std::conditional_t<bytes == 2, uint16_t,
                                   std::conditional_t<bytes == 4, uint32_t,
                                                      uint64_t>>;
/** A register from its halves. */
template <class D, class A, class B>
SOFTGPU_FN void pack(D &d, const A &low, const B &high)
{
    typedef word_of<sizeof(D)> whole;
    typedef word_of<sizeof(D) / 2> half;
    set(d, static_cast<whole>(static_cast<whole>(get<half>(high))
                                  << 4 * sizeof(D)
                              | get<half>(low)));
}
/** The halves of a register. */
template <class D, class E, class A>
SOFTGPU_FN void unpack(D &low, E &high, const A &a)
{
    typedef word_of<sizeof(A)> whole;
    typedef word_of<sizeof(A) / 2> half;
    const whole all = get<whole>(a);
    set(low, static_cast<half>(all));
    set(high, static_cast<half>(all >> 4 * sizeof(A)));
}

/** x - y; signed integers wrap. */
template <class T, class D, class A, class B>
SOFTGPU_FN void sub(D &d, A a, B b)
{
    if constexpr (std::is_integral<T>::value)
        set<D, T>(d, static_cast<T>(static_cast<uint64_t>(get<T>(a))
                                    - static_cast<uint64_t>(get<T>(b))));
    else
        set<D, T>(d, get<T>(a) - get<T>(b));
}
/** The smaller one; of a NaN and a number, the number. */
template <class T, class D, class A, class B>
SOFTGPU_FN void min(D &d, A a, B b)
{
    const T x = get<T>(a), y = get<T>(b);
    if constexpr (std::is_integral<T>::value)
        set<D, T>(d, y < x ? y : x);
    else
        set<D, T>(d, static_cast<T>(fmin(x, y)));
}
/** The larger one; of a NaN and a number, the number. */
template <class T, class D, class A, class B>
SOFTGPU_FN void max(D &d, A a, B b)
{
    const T x = get<T>(a), y = get<T>(b);
    if constexpr (std::is_integral<T>::value)
        set<D, T>(d, x < y ? y : x);
    else
        set<D, T>(d, static_cast<T>(fmax(x, y)));
}
/** x * y + z, rounded once. */
template <class T, class D, class A, class B, class C>
SOFTGPU_FN void fma(D &d, A a, B b, C c)
{
    set<D, T>(d, static_cast<T>(sizeof(T) == 4
                                    ? fmaf(get<T>(a), get<T>(b), get<T>(c))
                                    : ::fma(get<T>(a), get<T>(b), get<T>(c))));
}
/** x * y in twice the size. */
template <class T, class D, class A, class B>
SOFTGPU_FN void mul_wide(D &d, A a, B b)
{
    typedef typename twice<T>::type wide;
    set<D, wide>(d, static_cast<wide>(get<T>(a)) * get<T>(b));
}
/** x * y + z in twice the size. */
template <class T, class D, class A, class B, class C>
SOFTGPU_FN void mad_wide(D &d, A a, B b, C c)
{
    typedef typename twice<T>::type wide;
    set<D, wide>(d, wrapped_add<wide>(static_cast<wide>(get<T>(a)) * get<T>(b),
                                      get<wide>(c)));
}
/** x << n; 0 from the width on. */
template <class T, class D, class A, class B>
SOFTGPU_FN void shl(D &d, A a, B b)
{
    const uint32_t n = get<uint32_t>(b);
    typedef typename std::make_unsigned<T>::type bits;
    set<D, T>(d, n < 8 * sizeof(T)
                     ? static_cast<T>(static_cast<bits>(get<T>(a)) << n)
                     : 0);
}
/** x >> n, with the sign of a signed type. */
template <class T, class D, class A, class B>
SOFTGPU_FN void shr(D &d, A a, B b)
{
    const uint32_t n = get<uint32_t>(b), most = 8 * sizeof(T) - 1;
    const T x = get<T>(a);
    set<D, T>(d, n <= most ? static_cast<T>(x >> n)
                           : static_cast<T>(x < 0 ? -1 : 0));
}
/** The function of three bits with this truth table, for each bit. */
template <class T, class D, class A, class B, class C>
SOFTGPU_FN void lop3(D &d, A a, B b, C c, int table)
{
    const T x = get<T>(a), y = get<T>(b), z = get<T>(c);
    T result = 0;
    for (int i = 0; i < 8; i++)
        if (table >> i & 1)
            result |= (i & 4 ? x : ~x) & (i & 2 ? y : ~y) & (i & 1 ? z : ~z);
    set<D, T>(d, result);
}
/** Four bytes of eight. */
template <class T, class D, class A, class B, class C>
SOFTGPU_FN void prmt(D &d, A a, B b, C c)
{
    const uint32_t select = get<uint32_t>(c);
    uint32_t result = __byte_perm(get<uint32_t>(a), get<uint32_t>(b), select);
    for (int i = 0; i < 4; i++) { /* bit 3: the sign of the byte, repeated */
        const uint32_t byte = 0xffu << 8 * i;
        if (select >> (4 * i + 3) & 1)
            result = result >> (8 * i + 7) & 1 ? result | byte : result & ~byte;
    }
    set<D, uint32_t>(d, result);
}
/** A field of bits. */
template <class T, class D, class A, class B, class C>
SOFTGPU_FN void bfe(D &d, A a, B b, C c)
{
    const uint32_t start = get<uint32_t>(b) & 0xff, n = get<uint32_t>(c) & 0xff;
    const uint32_t width = 8 * sizeof(T);
    const T x = get<T>(a);
    T result = 0;
    const uint32_t last = start + n - 1 < width - 1 ? start + n - 1 : width - 1;
    for (uint32_t i = 0; n && i < width; i++) {
        const bool bit = i < n && start + i < width
                             ? x >> (start + i) & 1
                             : T(-1) < 0 && (x >> last & 1);
        result |= static_cast<T>(static_cast<T>(bit) << i);
    }
    set<D, T>(d, result);
}
/** b with a field of bits from a. */
template <class T, class D, class A, class B, class C, class E>
SOFTGPU_FN void bfi(D &d, A a, B b, C c, E e)
{
    const uint32_t start = get<uint32_t>(c) & 0xff, n = get<uint32_t>(e) & 0xff;
    const T x = get<T>(a);
    T result = get<T>(b);
    for (uint32_t i = 0; i < n && start + i < 8 * sizeof(T); i++) {
        const T bit = T(1) << (start + i);
        result = x >> i & 1 ? result | bit : result & ~bit;
    }
    set<D, T>(d, result);
}
/** Position of the first bit from above that differs from the sign; -1. */
template <class T, class D, class A> SOFTGPU_FN void bfind(D &d, A a)
{
    T x = get<T>(a);
    if (x < 0)
        x = ~x;
    uint32_t at = ~0u;
    for (; x; x >>= 1)
        at++;
    set<D, uint32_t>(d, at);
}
/** The bits in reverse order. */
template <class T, class D, class A> SOFTGPU_FN void brev(D &d, A a)
{
    const T x = get<T>(a);
    set<D, T>(d, sizeof(T) == 4 ? static_cast<T>(__brev((unsigned)x))
                                : static_cast<T>(__brevll(x)));
}
/** Bits that are set. */
template <class T, class D, class A> SOFTGPU_FN void popc(D &d, A a)
{
    set<D, uint32_t>(d, (uint32_t)__popcll(get<T>(a)));
}
/** Leading zeros. */
template <class T, class D, class A> SOFTGPU_FN void clz(D &d, A a)
{
    const int more = 64 - 8 * (int)sizeof(T);
    set<D, uint32_t>(d, (uint32_t)(__clzll((long long)get<T>(a)) - more));
}
/** A value as a T: out of range the nearest integer, of a NaN 0. */
template <class T, class F> SOFTGPU_FN T converted(F x)
{
    if constexpr (std::is_floating_point<F>::value
                  && std::is_integral<T>::value) {
        constexpr T least = std::numeric_limits<T>::min();
        constexpr T most = std::numeric_limits<T>::max();
        return !(x == x)                     ? T(0)
               : x <= static_cast<F>(least)  ? least
               : x >= static_cast<F>(most)   ? most
                                             : static_cast<T>(x);
    } else {
        return static_cast<T>(x);
    }
}
/** Conversion of a value: nearest even, or toward zero to integers. */
template <class T, class F, class D, class A> SOFTGPU_FN void cvt(D &d, A a)
{
    set<D, T>(d, converted<T>(get<F>(a)));
}
/** Conversion to the nearest integer. */
template <class T, class F, class D, class A> SOFTGPU_FN void cvt_rni(D &d, A a)
{
    set<D, T>(d, converted<T>(rint(get<F>(a))));
}

/** @cond: comparisons; a result is a predicate or 0 or 1 */
#define SOFTGPU_SETP(name, op)                                                \
    template <class T, class D, class A, class B>                             \
    SOFTGPU_FN void setp_##name(D &d, A a, B b)                               \
    {                                                                         \
        d = get<T>(a) op get<T>(b);                                           \
    }
SOFTGPU_SETP(eq, ==)
SOFTGPU_SETP(lt, <)
SOFTGPU_SETP(le, <=)
SOFTGPU_SETP(gt, >)
SOFTGPU_SETP(ge, >=)
#undef SOFTGPU_SETP
/** @endcond */
/** Are both numbers, and different? */
template <class T, class D, class A, class B>
SOFTGPU_FN void setp_ne(D &d, A a, B b)
{
    d = get<T>(a) < get<T>(b) || get<T>(a) > get<T>(b);
}
/** a where the predicate is true, else b. */
template <class T, class D, class A, class B>
SOFTGPU_FN void selp(D &d, A a, B b, bool predicate)
{
    set<D, T>(d, predicate ? get<T>(a) : get<T>(b));
}

#undef SOFTGPU_PTX1
#undef SOFTGPU_PTX2
#undef SOFTGPU_PTX3

} // namespace ptx
} // namespace softgpu

#include "inline_ptx_memory.h"
#include "inline_ptx_matrix.h"
#include "inline_ptx_carry.h"
#include "inline_ptx_shift.h"
#include "inline_ptx_sync.h"
#include "inline_ptx_video.h"

#endif
