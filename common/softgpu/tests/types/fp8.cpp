/* SPDX-License-Identifier: MIT */
/* All 8-bit floats: to half and back, and rounding against a search among
 * all values.                                                               */
#include "cuda_fp8.h"
#include "check.h"

#include <math.h>

/* The value by the format's definition; bias 7 or 15. */
static double value(int code, bool e5m2)
{
    int m = e5m2 ? 2 : 3, bias = e5m2 ? 15 : 7, field = (code & 0x7F) >> m;
    double digits = (code & ((1 << m) - 1)) + (field ? 1 << m : 0);
    double a = ldexp(digits, (field ? field : 1) - bias - m);
    return code & 0x80 ? -a : a;
}

static int nearest(double x, bool e5m2)
{
    int largest = e5m2 ? 0x7B : 0x7E, best = 0;
    for (int code = 1; code <= largest; code++) {
        double d = fabs(value(code, e5m2) - x), e = fabs(value(best, e5m2) - x);
        if (d < e || (d == e && code % 2 == 0))
            best = code;
    }
    return best;
}

static void one_format(__nv_fp8_interpretation_t kind)
{
    bool e5m2 = kind == __NV_E5M2;
    int largest = e5m2 ? 0x7B : 0x7E;
    for (int code = 0; code < 256; code++) {
        __half h = __nv_cvt_fp8_to_halfraw((unsigned char)code, kind);
        bool nan = (code & 0x7F) > (e5m2 ? 0x7C : 0x7E);
        if (nan || (code & 0x7F) > largest) {
            CHECK(nan ? __hisnan(h) : __hisinf(h) != 0, "%02x", code);
            continue;
        }
        CHECK((float)h == value(code, e5m2), "%02x is %g", code, (float)h);
        int back = __nv_cvt_halfraw_to_fp8(h, __NV_NOSAT, kind);
        CHECK(back == code, "%02x comes back as %02x", code, back);
    }
    double top = value(largest, e5m2);
    for (double x = 1e-6; x < 2 * top; x *= 1.01) {
        int got = __nv_cvt_double_to_fp8(x, __NV_SATFINITE, kind);
        CHECK(got == nearest(x, e5m2), "%g: %02x, not %02x", x, got,
              nearest(x, e5m2));
    }
    for (int code = 0; code < largest; code++) {
        double middle = (value(code, e5m2) + value(code + 1, e5m2)) / 2;
        int got = __nv_cvt_double_to_fp8(-middle, __NV_SATFINITE, kind);
        CHECK(got == (0x80 | (code + code % 2)), "tie %g: %02x", middle, got);
    }
    int over = __nv_cvt_double_to_fp8(1e10, __NV_NOSAT, kind);
    CHECK(over == (e5m2 ? 0x7C : 0x7F), "beyond: %02x", over);
    CHECK(__nv_cvt_double_to_fp8(-1e300, __NV_SATFINITE, kind)
              == (0x80 | largest), "held");
}

int main(void)
{
    one_format(__NV_E4M3);
    one_format(__NV_E5M2);
    __nv_fp8x4_e4m3 four(float4{1, -2, 448, 0.5f});
    float4 back = (float4)four;
    CHECK(back.x == 1 && back.y == -2 && back.z == 448 && back.w == 0.5f,
          "four");
    CHECK((float)__nv_fp8_e5m2(3.3f) == 3.5f && sizeof four == 4, "one");
    return print_counts();
}
