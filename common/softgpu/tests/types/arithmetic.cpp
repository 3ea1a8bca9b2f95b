/* SPDX-License-Identifier: MIT */
/* __fadd_rz() and its sisters against the same operation under fesetround(). */
#include "softgpu/math.h"
#include "check.h"

#include <fenv.h>
#include <math.h>

/* volatile: computed where it stands, in the mode of the moment. */
#define REFERENCE(T, expr)                       \
    ([](T p, T q, T r, int mode) {               \
        volatile T a = p, b = q, c = r, result;  \
        (void)b, (void)c;                        \
        fesetround(mode);                        \
        result = expr;                           \
        fesetround(FE_TONEAREST);                \
        return (T)result;                        \
    })

static const float specials[] = {0.0f, -0.0f, 1.0f, -1.0f, 3.0f, 1e-45f,
    -1e-45f, 1.17549435e-38f, 3.4028235e38f, -3.4028235e38f, INFINITY,
    -INFINITY, NAN, 0.1f, 1.0000001f, 16777216.0f, 5.9604645e-8f};
enum { SPECIALS = sizeof specials / sizeof *specials };

template <typename T> static T operand(int i)
{
    if (i < SPECIALS)
        return (T)specials[i];
    T x = any<T>();
    return i % 2 ? x : (T)ldexp((double)(int64_t)next_random(), -62 + i % 7);
}

#define TRY(T, name, args, expr, mode)                                     \
    {                                                                      \
        T got = name args, want = REFERENCE(T, expr)(x, y, z, mode);       \
        CHECK(same(got, want), #name "(%a, %a, %a) is %a, not %a",         \
              (double)x, (double)y, (double)z, (double)got, (double)want); \
    }
#define TRY_MODE(T, p, third, s, mode)                 \
    TRY(T, __##p##add_##s, (x, y), a + b, mode)      \
    TRY(T, __##p##sub_##s, (x, y), a - b, mode)      \
    TRY(T, __##p##mul_##s, (x, y), a * b, mode)      \
    TRY(T, __##p##div_##s, (x, y), a / b, mode)      \
    TRY(T, __##p##rcp_##s, (x), 1 / a, mode)         \
    TRY(T, __##p##sqrt_##s, (x), sqrt(a), mode)      \
    TRY(T, third##_##s, (x, y, z), std::fma(a, b, c), mode)
#define TRY_ALL(T, p, third)                   \
    TRY_MODE(T, p, third, rn, FE_TONEAREST)    \
    TRY_MODE(T, p, third, rz, FE_TOWARDZERO)   \
    TRY_MODE(T, p, third, ru, FE_UPWARD)       \
    TRY_MODE(T, p, third, rd, FE_DOWNWARD)

template <typename T> static void all_operations(T x, T y, T z);
template <> void all_operations(float x, float y, float z)
{
    TRY_ALL(float, f, __fmaf)
}
template <> void all_operations(double x, double y, double z)
{
    TRY_ALL(double, d, __fma)
}

template <typename T> static void pairs(void)
{
    for (int i = 0; i < SPECIALS + 60; i++)
        for (int j = 0; j < SPECIALS + 60; j++)
            all_operations(operand<T>(i), operand<T>(j),
                           operand<T>((i * 7 + j) % (SPECIALS + 60)));
}

/* __fmul_rn() must not be fused with the addition after it. */
static void not_fused(void)
{
    volatile float a = 1.0f + 0x1p-12f;
    float square = __fmul_rn(a, a) - (1.0f + 0x1p-11f);
    CHECK(square == 0.0f, "fused: %a", (double)square);
    volatile double d = 1.0 + 0x1p-27;
    double rest = __dadd_rn(d * d, -(1.0 + 0x1p-26));
    CHECK(rest == 0.0, "fused: %a", rest);
}

int main(void)
{
    pairs<float>();
    pairs<double>();
    not_fused();
    CHECK(__frsqrt_rn(4.0f) == 0.5f, "rsqrt");
    return print_counts();
}
