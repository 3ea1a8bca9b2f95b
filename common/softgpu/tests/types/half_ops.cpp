/* SPDX-License-Identifier: MIT */
/* Arithmetic, comparisons and functions of half and bfloat16 on random and on
 * special operands, against the model: each result rounded once.            */
#include "small_float.h"

template <typename T> static wide value(T x)
{
    return (wide)(float)x;
}
static bool minus(wide v, bool zero_is_minus)
{
    return v == 0 ? zero_is_minus : v < 0;
}
template <typename T> static bool sign_of(T x) { return code_of(x) >> 15; }

template <typename T> static int nearest(wide v, bool zero_is_minus = false)
{
    return rounded_code<T>(v, 'n', minus(v, zero_is_minus));
}

template <typename T> static void arithmetic(T a, T b, T c)
{
    wide x = value(a), y = value(b), z = value(c);
    bool p = sign_of(a), q = sign_of(b), r = sign_of(c);
    CHECK_CODE(T, __hadd(a, b), nearest<T>(x + y, p && q));
    CHECK_CODE(T, a - b, nearest<T>(x - y, p && !q));
    CHECK_CODE(T, a * b, nearest<T>(x * y, p != q));
    CHECK_CODE(T, a / b, nearest<T>(x / y, p != q));
    CHECK_CODE(T, __hfma(a, b, c), nearest<T>(x * y + z, (p != q) && r));
    CHECK_CODE(T, __hneg(a), code_of(a) ^ 0x8000);
    CHECK_CODE(T, __habs(a), code_of(a) & 0x7FFF);
    wide sum = x + y;
    CHECK_CODE(T, __hadd_sat(a, b),
               nearest<T>(sum > 0 ? sum < 1 ? sum : 1 : 0));
    float f = __hfma(a, b, c);
    CHECK_CODE(T, __hfma_relu(a, b, c), f < 0 ? 0 : code_of(__hfma(a, b, c)));
}

template <typename T> static void comparisons(T a, T b)
{
    float x = a, y = b;
    bool nan = x != x || y != y;
    CHECK(__heq(a, b) == (x == y) && __hequ(a, b) == (x == y || nan), "eq");
    CHECK(__hne(a, b) == (x != y && !nan) && __hneu(a, b) == (x != y), "ne");
    CHECK(__hlt(a, b) == (x < y) && __hltu(a, b) == (x < y || nan), "lt");
    CHECK(__hge(a, b) == (x >= y) && __hgeu(a, b) == (x >= y || nan), "ge");
    CHECK((a < b) == (x < y) && (a != b) == (x != y), "operators");
    CHECK(__hisnan(a) == (x != x), "isnan");
    CHECK(__hisinf(a) == (x == INFINITY) - (x == -INFINITY), "isinf");
    float high = x > y || y != y ? x : y;
    CHECK(same((float)__hmax(a, b), high) || x == y, "max %g %g", x, y);
    CHECK(same((float)__hmin(a, b), x < y || y != y ? x : y) || x == y, "min");
    CHECK(__hisnan(__hmax_nan(a, b)) == nan, "max_nan %g %g", x, y);
    typename kind<T>::pair p(a, b), q(b, b);
    unsigned int mask = (x <= y ? 0xFFFFu : 0) | (y <= y ? 0xFFFF0000u : 0);
    CHECK(__hle2_mask(p, q) == mask, "mask");
    CHECK(__hbgt2(p, q) == false, "b is not above b");
    CHECK((float)__hgt2(p, q).x == (x > y), "gt2");
}

template <typename T> static void pairs(T a, T b, T c)
{
    typename kind<T>::pair p(a, b), q(b, c), r(c, a);
    CHECK_CODE(T, (p + q).x, code_of(a + b));
    CHECK_CODE(T, __hmul2(p, q).y, code_of(b * c));
    CHECK_CODE(T, __hfma2(p, q, r).y, code_of(__hfma(b, c, a)));
    CHECK_CODE(T, __lowhigh2highlow(p).x, code_of(b));
    CHECK_CODE(T, (-p).y, code_of(b) ^ 0x8000);
    CHECK(same(__high2float(p), (float)b), "high2float");
    CHECK(sizeof p == 4 && alignof(decltype(p)) == 4, "layout of a pair");
}

/* At most one unit from the result of the double function. */
#define NEAR(name, d)                                                     \
    {                                                                     \
        T got = h##name(a);                                               \
        int w = nearest<T>(d, std::signbit(d)), g = code_of(got);         \
        CHECK(abs(w - g) <= 1 || (is_nan<T>(w) && is_nan<T>(g)),          \
              #name "(%g) is %g", x, (double)(float)got);                 \
    }
template <typename T> static void functions(int code)
{
    T a = make<T>(code);
    double x = (float)a;
    NEAR(exp, exp(x)) NEAR(log, log(x)) NEAR(sin, sin(x)) NEAR(cos, cos(x))
    NEAR(exp2, exp2(x)) NEAR(exp10, exp10(x)) NEAR(log2, log2(x))
    NEAR(log10, log10(x)) NEAR(tanh, tanh(x)) NEAR(rsqrt, 1 / sqrt(x))
    bool sign = code >> 15;
    CHECK_CODE(T, hrcp(a), nearest<T>(1 / (wide)x, sign));
    CHECK_CODE(T, hsqrt(a), nearest<T>(sqrt(x), sign));
    CHECK_CODE(T, hrint(a), nearest<T>(rint(x), sign));
    CHECK_CODE(T, hfloor(a), nearest<T>(floor(x), sign));
    CHECK_CODE(T, hceil(a), nearest<T>(ceil(x), sign));
    CHECK_CODE(T, htrunc(a), nearest<T>(trunc(x), sign));
}

/* Any bits, but exponents so close that 128 bits hold a * b + c. */
template <typename T> static T operand(void)
{
    const int m = kind<T>::mantissa, near = kind<T>::bias - 12;
    int field = near + (int)(next_random() % 25);
    int code = (int)(next_random() & ((1 << m) - 1)) | field << m;
    code |= (int)(next_random() & 1) << 15;
    return make<T>(kind<T>::bias == 15 ? (int)(next_random() & 0xFFFF) : code);
}

template <typename T> static void all(void)
{
    const int edges[] = {0, 0x8000, 1, 0x8001, 0x03FF, 0x0400, 0x3C00, 0xBC00,
        0x3F80, 0xBF80, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7F7F, 0x7F80, 0xFF80,
        0x7FFF, 0x007F, 0x0080, 0x3555, 0x4248};
    for (int i : edges)
        for (int j : edges)
            for (int k : edges) {
                T a = make<T>(i), b = make<T>(j), c = make<T>(k);
                arithmetic(a, b, c), comparisons(a, b), pairs(a, b, c);
            }
    for (int i = 0; i < 30000 / STRIDE; i++) {
        T a = operand<T>(), b = operand<T>(), c = operand<T>();
        arithmetic(a, b, c), comparisons(a, b), pairs(a, b, c);
    }
    for (int code = 0; code < 65536; code += STRIDE)
        functions<T>(code);
}

/* A product midway between two bfloat16, decided by an addend far below. */
static void far_addend(void)
{
    __nv_bfloat16 a = 1.0f + 0x1p-7f, b = 1.0f + 0x1p-1f;
    float product = (float)a * (float)b; /* 1 + 2^-1 + 2^-7 + 2^-8: midway */
    CHECK((float)__hfma(a, b, __nv_bfloat16(0x1p-100f)) > product, "above");
    CHECK((float)__hfma(a, b, __nv_bfloat16(-0x1p-100f)) < product, "below");
    CHECK((float)__hfma(__hneg(a), b, __nv_bfloat16(-0x1p-100f)) < -product,
          "below");
}

int main(void)
{
    all<__half>();
    all<__nv_bfloat16>();
    far_addend();
    half h = 1.0f;
    h += half(2);
    CHECK((float)h++ == 3.0f && (float)h == 4.0f, "steps");
    CHECK(__ldg(&h) == h && (float)__half22float2(__half2half2(h)).y == 4,
          "ldg");
    return print_counts();
}
