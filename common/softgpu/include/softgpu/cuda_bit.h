/* SPDX-License-Identifier: MIT */
/** @file
 *  cuda::std's <bit> before C++20, which NVIDIA's library has from C++17 on.
 */
#ifndef SOFTGPU_CUDA_BIT_H
#define SOFTGPU_CUDA_BIT_H

#include "softgpu/push_macros.h"
#include <cstring>
#include <type_traits>

namespace cuda {
namespace std {

/** An unsigned type: the functions take no other. */
template <class T>
using unsigned_only =
    ::std::enable_if_t<::std::is_unsigned<T>::value
                           && !::std::is_same<T, bool>::value, int>;

/** Bits that are 1. */
template <class T, unsigned_only<T> = 0> constexpr int popcount(T x)
{
    return __builtin_popcountll(x);
}
/** Zeros above the highest 1; all for 0. */
template <class T, unsigned_only<T> = 0> constexpr int countl_zero(T x)
{
    constexpr int width = 8 * sizeof(T);
    return x ? __builtin_clzll(x) - (64 - width) : width;
}
/** Zeros below the lowest 1; all for 0. */
template <class T, unsigned_only<T> = 0> constexpr int countr_zero(T x)
{
    return x ? __builtin_ctzll(x) : static_cast<int>(8 * sizeof(T));
}
/** Ones above the highest 0. */
template <class T, unsigned_only<T> = 0> constexpr int countl_one(T x)
{
    return countl_zero(static_cast<T>(~x));
}
/** Ones below the lowest 0. */
template <class T, unsigned_only<T> = 0> constexpr int countr_one(T x)
{
    return countr_zero(static_cast<T>(~x));
}
/** Bits that hold x; 0 for 0. */
template <class T, unsigned_only<T> = 0> constexpr int bit_width(T x)
{
    return static_cast<int>(8 * sizeof(T)) - countl_zero(x);
}
/** Is it a power of two? */
template <class T, unsigned_only<T> = 0> constexpr bool has_single_bit(T x)
{
    return popcount(x) == 1;
}
/** The smallest power of two that is not below x. */
template <class T, unsigned_only<T> = 0> constexpr T bit_ceil(T x)
{
    return x < 2 ? T(1) : static_cast<T>(T(1) << bit_width(T(x - 1)));
}
/** The largest power of two that is not above x; 0 for 0. */
template <class T, unsigned_only<T> = 0> constexpr T bit_floor(T x)
{
    return x ? static_cast<T>(T(1) << (bit_width(x) - 1)) : T(0);
}
/** Rotate to the left; to the right by a negative number. */
template <class T, unsigned_only<T> = 0> constexpr T rotl(T x, int n)
{
    constexpr unsigned width = 8 * sizeof(T);
    const unsigned by = static_cast<unsigned>(n) % width;
    return by ? static_cast<T>(x << by | x >> (width - by)) : x;
}
/** Rotate to the right; to the left by a negative number. */
template <class T, unsigned_only<T> = 0> constexpr T rotr(T x, int n)
{
    return rotl(x, -n);
}
/** The same bytes as another type. */
template <class To, class From> To bit_cast(const From &from)
{
    static_assert(sizeof(To) == sizeof(From), "bit_cast: of another size");
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}

} // namespace std
} // namespace cuda

#include "softgpu/pop_macros.h"
#endif
