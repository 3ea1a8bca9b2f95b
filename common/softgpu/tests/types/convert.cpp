/* SPDX-License-Identifier: MIT */
/* Conversions of float and double to whole numbers and back, against plain
 * arithmetic in long double, which holds all values exactly.                */
#include "softgpu/math.h"
#include "check.h"

#include <limits>

typedef long double (*rounder)(long double);

/* The values that the card returns. */
template <typename I, typename F> static I expected(F x, rounder round)
{
    typedef std::numeric_limits<I> limits;
    long double r = round((long double)x);
    if (x != x)
        return sizeof(F) == 4 && sizeof(I) <= 4
                 ? 0
                 : (I)(1ull << (8 * sizeof(I) - 1));
    if (r < (long double)limits::min())
        return limits::min();
    return r > (long double)limits::max() ? limits::max() : (I)r;
}

/* The nearest F on the given side, by stepping from the nearest of all. */
template <typename F, typename I> static F nearby(I x, char side)
{
    F f = (F)x;
    bool above = (long double)f > (long double)x;
    bool below = (long double)f < (long double)x;
    F inf = std::numeric_limits<F>::infinity();
    if (above && (side == 'd' || (side == 'z' && x > 0)))
        f = nextafter(f, -inf);
    if (below && (side == 'u' || (side == 'z' && x < 0)))
        f = nextafter(f, inf);
    return f;
}

#define TO(name, I, s, round)                                              \
    {                                                                      \
        I got = __float2##name##_##s(f), want = expected<I>(f, round);     \
        CHECK(got == want, "float2" #name #s "(%a)", (double)f);           \
        got = __double2##name##_##s(d), want = expected<I>(d, round);      \
        CHECK(got == want, "double2" #name #s "(%a)", d);                  \
    }
#define TO_ALL(name, I)                        \
    TO(name, I, rn, rintl) TO(name, I, rz, truncl) \
    TO(name, I, ru, ceill) TO(name, I, rd, floorl)

static void to_whole(float f, double d)
{
    TO_ALL(int, int)
    TO_ALL(uint, unsigned int)
    TO_ALL(ll, long long)
    TO_ALL(ull, unsigned long long)
}

#define FROM(name, x, F)                                                   \
    CHECK(same(__##name##2##F##_rn(x), (F)(x)), #name " rn");              \
    CHECK(same(__##name##2##F##_rz(x), nearby<F>(x, 'z')), #name " rz");   \
    CHECK(same(__##name##2##F##_ru(x), nearby<F>(x, 'u')), #name " ru");   \
    CHECK(same(__##name##2##F##_rd(x), nearby<F>(x, 'd')), #name " rd");

static void from_whole(uint64_t bits)
{
    unsigned int u = (unsigned int)bits;
    int i = (int)u;
    long long l = (long long)bits;
    FROM(int, i, float)
    FROM(uint, u, float)
    FROM(ll, l, float)
    FROM(ull, bits, float)
    FROM(ll, l, double)
    FROM(ull, bits, double)
    CHECK(__int2double_rn(i) == i && __uint2double_rn(u) == u, "%d", i);
}

static void double_to_float(double d)
{
    if (d != d)
        return;
    FROM(double, d, float)
}

static void bits(float f, double d)
{
    CHECK(same(__int_as_float(__float_as_int(f)), f), "%a", (double)f);
    CHECK(same(__uint_as_float(__float_as_uint(f)), f), "%a", (double)f);
    CHECK(same(__longlong_as_double(__double_as_longlong(d)), d), "%a", d);
    CHECK(same(__hiloint2double(__double2hiint(d), __double2loint(d)), d),
          "%a", d);
}

int main(void)
{
    const double edges[] = {0, -0.0, 0.5, 1.5, 2.5, -0.5, -1.5, 2147483647,
        2147483647.5, 2147483648, -2147483648.5, -2147483649, 4294967295.5,
        4294967296, 9223372036854775807.0, 18446744073709551615.0, 1e30, -1e30,
        INFINITY, -INFINITY, NAN, 1e-40, 3.4028235677973366e38, 127.5, 1e-50};
    for (double e : edges) {
        to_whole((float)e, e);
        double_to_float(e);
        bits((float)e, e);
    }
    for (int i = 0; i < 20000; i++) {
        int scale = (int)(next_random() % 70);
        double d = ldexp((double)(int64_t)next_random(), scale - 66);
        to_whole((float)d, d);
        double_to_float(i % 2 ? d : any<double>());
        bits(any<float>(), any<double>());
        from_whole(next_random() >> scale % 64);
        from_whole(~(uint64_t)0 << scale % 64);
    }
    from_whole(0);
    return print_counts();
}
