/* SPDX-License-Identifier: MIT */
/** @file
 *  CUDA's integer intrinsics: bits, products, averages, dot products; host and
 *  device.
 */
#ifndef SOFTGPU_INTEGER_H
#define SOFTGPU_INTEGER_H

#include "../vector_types.h"
#include "convert.h"

/* --- bits ----------------------------------------------------------------- */

/** Number of bits that are set. */
SOFTGPU_FN int __popc(unsigned int x) { return __builtin_popcount(x); }
/** Number of bits that are set. */
SOFTGPU_FN int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
/** Zeros above the highest set bit; 32 for 0. */
SOFTGPU_FN int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
/** Zeros above the highest set bit; 64 for 0. */
SOFTGPU_FN int __clzll(long long x)
{
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}
/** Place of the lowest set bit, counted from 1; 0 for 0. */
SOFTGPU_FN int __ffs(int x) { return __builtin_ffs(x); }
/** Place of the lowest set bit, counted from 1; 0 for 0. */
SOFTGPU_FN int __ffsll(long long x) { return __builtin_ffsll(x); }

/** The bits in reverse order. */
SOFTGPU_FN unsigned int __brev(unsigned int x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0F0F0F0Fu) | (x & 0x0F0F0F0Fu) << 4;
    return __builtin_bswap32(x);
}
/** The bits in reverse order. */
SOFTGPU_FN unsigned long long __brevll(unsigned long long x)
{
    return (unsigned long long)__brev((unsigned int)x) << 32
           | __brev((unsigned int)(x >> 32));
}

/** Four bytes picked from the eight of (y, x) by the low three bits of each
 *  of the four lowest hexadecimal digits of s. */
SOFTGPU_FN unsigned int __byte_perm(unsigned int x, unsigned int y,
                                    unsigned int s)
{
    unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned int result = 0;
    for (int i = 0; i < 4; i++)
        result |= (unsigned int)(bytes >> (s >> 4 * i & 7) * 8 & 0xFF) << 8 * i;
    return result;
}

/** Upper word of (hi, lo) << (shift % 32). */
SOFTGPU_FN unsigned int __funnelshift_l(unsigned int lo, unsigned int hi,
                                        unsigned int shift)
{
    unsigned long long both = (unsigned long long)hi << 32 | lo;
    return (unsigned int)(both << (shift & 31) >> 32);
}
/** Upper word of (hi, lo) << min(shift, 32). */
SOFTGPU_FN unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi,
                                         unsigned int shift)
{
    return shift >= 32 ? lo : __funnelshift_l(lo, hi, shift);
}
/** Lower word of (hi, lo) >> (shift % 32). */
SOFTGPU_FN unsigned int __funnelshift_r(unsigned int lo, unsigned int hi,
                                        unsigned int shift)
{
    unsigned long long both = (unsigned long long)hi << 32 | lo;
    return (unsigned int)(both >> (shift & 31));
}
/** Lower word of (hi, lo) >> min(shift, 32). */
SOFTGPU_FN unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi,
                                         unsigned int shift)
{
    return shift >= 32 ? hi : __funnelshift_r(lo, hi, shift);
}

/** Place of the offset-th set bit of mask from `base` on: upwards for a
 *  positive offset, downwards for a negative one, `base` itself for 0; ~0u
 *  when there is none. */
inline unsigned int __fns(unsigned int mask, unsigned int base, int offset)
{
    int step = offset < 0 ? -1 : 1, left = offset < 0 ? -offset : offset;
    if (offset == 0)
        return base < 32 && mask >> base & 1 ? base : ~0u;
    for (int at = (int)base; at >= 0 && at < 32; at += step) {
        left -= (int)(mask >> at & 1);
        if (left == 0)
            return (unsigned int)at;
    }
    return ~0u;
}

/* --- products, averages, differences -------------------------------------- */

/** @cond: as CUDA names them; mulhi is the upper half of the product, mul24
 *  the product of the lower 24 bits, hadd a mean rounded down, rhadd up */
SOFTGPU_FN int __mulhi(int x, int y)
{
    return (int)((long long)x * y >> 32);
}
SOFTGPU_FN unsigned int __umulhi(unsigned int x, unsigned int y)
{
    return (unsigned int)((unsigned long long)x * y >> 32);
}
SOFTGPU_FN long long __mul64hi(long long x, long long y)
{
    return (long long)((__int128)x * y >> 64);
}
SOFTGPU_FN unsigned long long __umul64hi(unsigned long long x,
                                         unsigned long long y)
{
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}
SOFTGPU_FN unsigned int __umul24(unsigned int x, unsigned int y)
{
    return (x & 0xFFFFFFu) * (y & 0xFFFFFFu);
}
SOFTGPU_FN int __mul24(int x, int y)
{
    long long a = (int)((unsigned)x << 8) >> 8,
              b = (int)((unsigned)y << 8) >> 8;
    return (int)(a * b);
}
SOFTGPU_FN int mul24(int x, int y) { return __mul24(x, y); }
SOFTGPU_FN unsigned int umul24(unsigned int x, unsigned int y)
{
    return __umul24(x, y);
}
SOFTGPU_FN int mulhi(int x, int y) { return __mulhi(x, y); }
SOFTGPU_FN unsigned int umulhi(unsigned int x, unsigned int y)
{
    return __umulhi(x, y);
}
SOFTGPU_FN int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
SOFTGPU_FN int __rhadd(int x, int y)
{
    return (int)(((long long)x + y + 1) >> 1);
}
SOFTGPU_FN unsigned int __uhadd(unsigned int x, unsigned int y)
{
    return (unsigned int)(((unsigned long long)x + y) >> 1);
}
SOFTGPU_FN unsigned int __urhadd(unsigned int x, unsigned int y)
{
    return (unsigned int)(((unsigned long long)x + y + 1) >> 1);
}
/** @endcond */

/** |x - y| + z; wraps. */
SOFTGPU_FN unsigned int __sad(int x, int y, unsigned int z)
{
    unsigned int a = (unsigned int)x, b = (unsigned int)y;
    return (x > y ? a - b : b - a) + z;
}
/** |x - y| + z; wraps. */
SOFTGPU_FN unsigned int __usad(unsigned int x, unsigned int y, unsigned int z)
{
    return (x > y ? x - y : y - x) + z;
}

#endif
