/* SPDX-License-Identifier: MIT */
/* The 16-bit floats of lab 09, and usual mistakes with them. */
#include "types.h"

#include <math.h>
#include <string.h>

#include "fragment_mistakes.h"
#include "grader/suite/suite.h"
#include "grader/suites/shared/gemm.h"

uint16_t float_to_half(float x)
{
    const uint16_t sign = signbit(x) ? 0x8000 : 0;
    int exponent;

    if (isnan(x))
        return 0x7e00;
    if (isinf(x))
        return sign | 0x7c00;
    for (x = fabsf(x); x >= 0x1p15f;)
        x *= 0x1p-16f;
    if (x < 0x1p-14f) /* subnormal */
        return (uint16_t)(sign | (unsigned)(x * 0x1p24f));
    frexpf(x, &exponent);
    return (uint16_t)(sign | (unsigned)(exponent + 14) << 10
                      | ((unsigned)ldexpf(x, 11 - exponent) & 0x3ff));
}

float half_to_float(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, mantissa = bits & 0x3ff;
    float x = exponent == 31 ? (mantissa ? NAN : INFINITY)
              : exponent     ? ldexpf((float)(1024 + mantissa), exponent - 25)
                             : ldexpf((float)mantissa, -24);

    return bits & 0x8000 ? -x : x;
}

uint16_t float_to_bfloat16(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return isnan(x) ? 0x7fc0 : (uint16_t)(bits >> 16);
}

float bfloat16_to_float(uint16_t half)
{
    const uint32_t bits = (uint32_t)half << 16;
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* --- mistakes ------------------------------------------------------------- */

/* An input as it is computed with, instead of as it is. */
typedef float conversion(float x);

/* The same 16 bits, read as the other type. */
static float half_as_bfloat16(float x)
{
    return bfloat16_to_float(float_to_half(x));
}

static float bfloat16_as_half(float x)
{
    return half_to_float(float_to_bfloat16(x));
}

/* The nearest half: large values overflow, small ones lose bits. */
static float bfloat16_in_half(float x)
{
    if (fabsf(x) >= 65520)
        return copysignf(INFINITY, x);
    return fabsf(x) < 0x1p-14f ? rintf(x * 0x1p24f) * 0x1p-24f : x;
}

static float *convert(const float *x, size_t n, conversion *to)
{
    float *made = suite_floats(n);

    for (size_t i = 0; i < n; i++)
        made[i] = to(x[i]);
    return made;
}

/* Set the values to the product of converted inputs. */
static void set_product(struct hypotheses *h, const struct gemm *g,
                        conversion *to)
{
    const size_t c = (size_t)g->m * (size_t)g->n, k = (size_t)g->k;
    struct gemm made = *g;

    made.a = convert(g->a, (size_t)g->m * k, to);
    made.b = convert(g->b, k * (size_t)g->n, to);
    made.want = suite_doubles(c);
    made.scale = suite_doubles(c);
    gemm_reference(&made);
    memcpy(hypothesis_values(h), made.want, c * sizeof *made.want);
}

static bool is_large(const struct gemm *g)
{
    return (double)g->m * g->n * g->k > 1 << 22;
}

void half_mistakes(struct hypotheses *h, const void *context)
{
    const struct gemm *g = context;

    if (is_large(g))
        return;
    fragment_mistakes(h, g);
    if (!h->fits)
        gemm_mistakes(h, g);
    set_product(h, g, half_as_bfloat16);
    hypothesis_try(h, "`type` says which of the two types A and B have.",
                   "the product of the same bits read as bfloat16, not half");
}

/* NaN alone has other causes, too. */
static bool only_nan(const struct evidence *e)
{
    size_t i = 0;

    while (i < e->comparison->count
           && (!e->comparison->wrong_mask[i] || isnan(evidence_got(e, i))))
        i++;
    return i == e->comparison->count;
}

/* Halves were right in the same test: that is evidence, too. */
static void try_conversion(struct hypotheses *h, const struct gemm *g)
{
    const double needed = h->needed;

    set_product(h, g, bfloat16_in_half);
    h->needed = 0;
    h->is_vague = only_nan(h->evidence);
    hypothesis_try(h, "A bfloat16 has the range of a float: load it as it is, "
                   "into fragments of __nv_bfloat16.",
                   "the product of inputs converted to half, in which values "
                   "above 65,504 are infinite and small ones lose bits");
    h->needed = needed;
    h->is_vague = false;
}

void bfloat16_mistakes(struct hypotheses *h, const void *context)
{
    const struct gemm *g = context;

    if (is_large(g))
        return;
    try_conversion(h, g);
    if (h->fits && !h->fits_vaguely)
        return;
    fragment_mistakes(h, g);
    if (!h->fits)
        gemm_mistakes(h, g);
    set_product(h, g, bfloat16_as_half);
    hypothesis_try(h, "`type` says which of the two types A and B have.",
                   "the product of the same bits read as halves, not "
                   "bfloat16");
}
