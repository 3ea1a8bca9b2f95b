/* SPDX-License-Identifier: MIT */
/* Every half and every bfloat16 through every conversion, and numbers at and
 * beside all midpoints through the roundings.                               */
#include "small_float.h"

#include <limits>

template <typename I> static I held(double x)
{
    typedef std::numeric_limits<I> limits;
    if (x != x)
        return sizeof(I) == 8 ? (I)(1ull << 63) : 0;
    if (x < (double)limits::min())
        return limits::min();
    return x >= (double)limits::max() ? limits::max() : (I)x;
}

#define TO(name, I, call)                                                 \
    CHECK(call##_rn(h) == held<I>(rint(d)), #name " rn %g", d);           \
    CHECK(call##_rz(h) == held<I>(trunc(d)), #name " rz %g", d);          \
    CHECK(call##_ru(h) == held<I>(ceil(d)), #name " ru %g", d);           \
    CHECK(call##_rd(h) == held<I>(floor(d)), #name " rd %g", d);          \
    CHECK((I)h == held<I>(trunc(d)), #name " cast %g", d);
#define TO_WHOLE(T, name)                                                 \
    static void to_whole(T h, double d)                                   \
    {                                                                     \
        TO(short, short, __##name##2short)                                \
        TO(ushort, unsigned short, __##name##2ushort)                     \
        TO(int, int, __##name##2int)                                      \
        TO(uint, unsigned int, __##name##2uint)                           \
        TO(ll, long long, __##name##2ll)                                  \
        TO(ull, unsigned long long, __##name##2ull)                       \
        CHECK(__##name##2char_rz(h) == held<signed char>(trunc(d)), "%g", d); \
    }
TO_WHOLE(__half, half)
TO_WHOLE(__nv_bfloat16, bfloat16)

#define FROM(T, name, from, x, v)                                         \
    CHECK_CODE(T, __##from##2##name##_rn(x),                              \
               rounded_code<T>(v, 'n', v < 0 || signbit((double)v)));     \
    CHECK_CODE(T, __##from##2##name##_rz(x),                              \
               rounded_code<T>(v, 'z', v < 0 || signbit((double)v)));     \
    CHECK_CODE(T, __##from##2##name##_ru(x),                              \
               rounded_code<T>(v, 'u', v < 0 || signbit((double)v)));     \
    CHECK_CODE(T, __##from##2##name##_rd(x),                              \
               rounded_code<T>(v, 'd', v < 0 || signbit((double)v)));
#define FROM_ANY(T, name)                                                 \
    static void from_float(T, float x) { FROM(T, name, float, x, (wide)x) } \
    static void from_double(T, double x)                                  \
    {                                                                     \
        CHECK_CODE(T, __double2##name(x),                                 \
                   rounded_code<T>(x, 'n', signbit(x)));                  \
    }                                                                     \
    static void from_whole(T, uint64_t r)                                 \
    {                                                                     \
        FROM(T, name, int, (int)r, (wide)(int)r)                          \
        FROM(T, name, uint, (unsigned int)r, (wide)(unsigned int)r)       \
        FROM(T, name, short, (short)r, (wide)(short)r)                    \
        FROM(T, name, ushort, (unsigned short)r, (wide)(unsigned short)r) \
        FROM(T, name, ll, (long long)r, (wide)(long long)r)               \
        FROM(T, name, ull, (unsigned long long)r, (wide)r)                \
    }
FROM_ANY(__half, half)
FROM_ANY(__nv_bfloat16, bfloat16)

/* Bits to numbers and back, without change. */
template <typename T> static void round_trip(int code)
{
    T h = make<T>(code);
    double d = (double)magnitude<T>(code & 0x7FFF) * (code >> 15 ? -1 : 1);
    if ((code & 0x7FFF) == infinity<T>())
        d = code >> 15 ? -INFINITY : INFINITY;
    if (is_nan<T>(code))
        d = NAN;
    CHECK(same((float)h, (float)d), "%04x is %g, not %g", code, (float)h, d);
    CHECK_CODE(T, T((float)h), code);
    CHECK_CODE(T, T(d), code);
    CHECK((bool)h == (d != 0), "%04x", code);
    to_whole(h, d);
}

/* At the midpoint above a number, and to both sides of it. */
template <typename T> static void midpoint(int code)
{
    wide m = (magnitude<T>(code) + magnitude<T>(code + 1)) / 2;
    float f = (float)m;
    double d = (double)m;
    for (int sign = 1; sign >= -1; sign -= 2) {
        from_float(T(), sign * f);
        from_float(T(), sign * nextafterf(f, 0));
        from_float(T(), sign * nextafterf(f, INFINITY));
        from_double(T(), sign * d);
        from_double(T(), sign * nextafter(d, 0));
        from_double(T(), sign * nextafter(d, INFINITY));
    }
}

template <typename T> static void all(void)
{
    for (int code = 0; code < 65536; code++)
        round_trip<T>(code);
    for (int code = 0; code < infinity<T>(); code += STRIDE)
        midpoint<T>(code);
    for (int i = 0; i < 20000 / STRIDE; i++) {
        from_whole(T(), next_random() >> i % 64);
        from_whole(T(), ~(uint64_t)0 << i % 64 >> i % 7);
        from_double(T(), any<double>());
        from_float(T(), any<float>());
    }
    CHECK(std::is_trivially_copyable<T>::value, "trivial");
}

int main(void)
{
    all<__half>();
    all<__nv_bfloat16>();
    CHECK(code_of(__half(__nv_bfloat16(1.5f))) == 0x3E00, "cross");
    CHECK(code_of(__nv_bfloat16(__half(1.5f))) == 0x3FC0, "cross");
    return print_counts();
}
