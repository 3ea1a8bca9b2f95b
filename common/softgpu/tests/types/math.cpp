/* SPDX-License-Identifier: MIT */
/* CUDA's math functions beyond C's against long double, and min() and max()
 * beside the macros and overloads that a program may define. */
#include "softgpu/math.h"
#include "check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

using namespace std;

static const long double pi = 3.14159265358979323846264338327950288L;
static const double epsilon = numeric_limits<double>::epsilon();

/* Within `units` ulp of a double. */
#define CLOSE(got, want, units)                                           \
    do {                                                                  \
        long double g = (got), w = (want);                                \
        CHECK(g == w || (g != g && w != w)                                \
                  || fabsl(g - w) <= (units) * epsilon * fabsl(w),        \
              #got " at %.17g: %.17Lg, not %.17Lg", x, g, w);             \
    } while (0)

static long double bessel(int order, long double x)
{
    long double term = order ? x / 2 : 1, sum = term;
    for (int k = 1; k < 1500; k++) {
        term *= x * x / 4 / k / (k + order);
        sum += term;
    }
    return sum;
}

static void one(double x)
{
    CLOSE(sinpi(x), fabs(x) < 8 ? sinl(pi * remainder(x, 2)) : sinpi(x), 4);
    CLOSE(erfcx(x), x < 100 ? expl((long double)x * x) * erfcl(x) : erfcx(x),
          8);
    CLOSE(normcdf(x), erfcl(-x / sqrtl(2)) / 2, 8 + x * x / 100);
    CLOSE(rsqrt(x), x < 0 ? NAN : 1 / sqrtl(x), 2);
    CLOSE(rcbrt(x), 1 / cbrtl(x), 3);
    CLOSE(norm3d(x, 2, 3), sqrtl((long double)x * x + 13), 3);
    CLOSE(rnorm4d(x, 2, 3, 4), 1 / sqrtl((long double)x * x + 29), 4);
    CLOSE(rhypot(x, 1), 1 / hypotl(x, 1), 3);
    if (fabs(x) < 713) {
        CLOSE(cyl_bessel_i0(x), bessel(0, x), 2);
        CLOSE(cyl_bessel_i1(x), bessel(1, x), 2);
    }
    float f = (float)x;
    CHECK(same(sinpif(f), (float)sinpi((double)f)), "sinpif %g", x);
    CHECK(same(normcdf(f), (float)normcdf((double)f)), "normcdf(float) %g", x);
    CHECK(same(rsqrt(f), rsqrtf(f)), "rsqrt(float) %g", x);
}

/* An inverse is right if the function of the result is the argument, within the
 * change that one ulp of the result makes. */
static void inverse(double x)
{
    double t = erfinv(x), u = erfcinv(1 + x), v = erfcinv(x * x);
    double slope = M_2_SQRTPI * exp(-t * t);
    CHECK(fabsl(erfl(t) - x) <= 3 * epsilon * (fabs(x) + fabs(t) * slope),
          "erfinv(%g) is %g", x, t);
    CHECK(fabsl(erfcl(u) - (1 + x)) <= 3 * epsilon * (1 + x + fabs(u)),
          "erfcinv(%g) is %g", 1 + x, u);
    CHECK(x == 0 || fabsl(erfcl(v) / (x * x) - 1)
                        <= epsilon * (4 + 4 * v * v / (x * x < 0.5)),
          "erfcinv(%g) is %g", x * x, v);
    CHECK(x <= 0 || fabs(normcdf(normcdfinv(x)) / x - 1) < 1e-13,
          "normcdfinv(%g)", x);
}

static void exact_places(void)
{
    for (int i = -20; i <= 20; i++) {
        CHECK(sinpi((double)i) == 0 && cospi(i + 0.5) == 0, "%d", i);
        CHECK(cospi((double)i) == (i % 2 ? -1 : 1), "%d", i);
        CHECK(sinpi(i + 0.5) == (i % 2 ? -1 : 1), "%d", i);
        CHECK(fabs(cospi(i + 0.25) - cos(M_PI * (i + 0.25))) < 1e-14, "%d", i);
    }
    CHECK(sinpi(1e300) == 0 && cospi(1e300) == 1, "large");
    CHECK(isnan(sinpi(INFINITY)) && isnan(cospi(NAN)), "none");
    CHECK(erfinv(1.0) == INFINITY && erfcinv(2.0) == -INFINITY, "ends");
    CHECK(isnan(erfinv(1.1)) && isnan(erfcinv(-0.1)), "outside");
    CHECK(normcdf(INFINITY) == 1 && normcdf(-INFINITY) == 0, "ends");
    CHECK(erfcx(-30.0) == INFINITY && erfcx(1e200) > 0, "erfcx");
    const float v[] = {3, 4, 12};
    CHECK(normf(3, v) == 13.0f && rnormf(3, v) == 1.0f / 13, "normf");
    float s, c;
    sincospif(0.5f, &s, &c);
    CHECK(s == 1 && c == 0, "sincospif");
    sincos(0.0f, &s, &c);
    CHECK(s == 0 && c == 1, "sincos(float)");
}

/* The types are those of CUDA's overloads. */
static void overloads(void)
{
#define TYPE(expr, T) CHECK((is_same<decltype(expr), T>::value), #expr)
    TYPE(max(1, 2u), unsigned int);
    TYPE(min(1L, 2L), long);
    TYPE(max(1ull, 2ll), unsigned long long);
    TYPE(min(1.0f, 2.0), double);
    TYPE(max(1.0f, 2.0f), float);
    TYPE(rsqrt(2.0f), float);
    TYPE(exp10(2.0f), float);
    TYPE(abs(-2ll), long long);
    TYPE(sqrt(2.0f), float);
    CHECK(max(-1, 1u) == 0xFFFFFFFFu && min(3, -4) == -4, "mixed");
    volatile float n = NAN;
    CHECK(max(n, 1.0f) == 1 && max(1.0f, n) == 1, "NaN");
    CHECK(fminf(n, 1.0f) == 1 && fminf(1.0f, n) == 1, "NaN");
    CHECK(isnan(fmaxf(n, n)) && fmax(-1.0, -2.0) == -1, "NaN");
    CHECK(umax(1, ~0u) == ~0u && llmin(-1, 1) == -1, "named");
    CHECK(std::max(short(3), short(4)) == 4, "std::max");
    CHECK(__saturatef(n) == 0 && __saturatef(2) == 1 && __saturatef(.5f) == .5f,
          "saturate");
    CHECK(fabsf(__expf(1.0f) - 2.7182817f) < 1e-6f, "__expf");
    CHECK(__fdividef(1, 4) == 0.25f && __powf(2, 10) == 1024, "fast");
}

/* A program may have macros of these names. */
#define max(a, b) ((a) > (b) ? (a) : (b))
#include "cuda_bf16.h"
#include "cuda_fp16.h"
static void macros(void) { CHECK(max(1, 2) == 2, "macro"); }

int main(void)
{
    for (int i = -400; i <= 400; i++) {
        one(i * 0.0625 + i * 1e-5);
        if (abs(i) < 400)
            inverse(i / 400.0);
    }
    for (double y = 1e-300; y < 0.4; y *= 3)
        CHECK(fabsl(erfcl(erfcinv(y)) / y - 1) < 2e-12, "erfcinv(%g)", y);
    exact_places();
    overloads();
    macros();
    return print_counts();
}
