/* SPDX-License-Identifier: MIT */
/** @file
 *  Sobol points of the host API.  Point n is the exclusive or of the direction
 *  vectors of those bits that are set in the Gray code of n, so two neighboring
 *  points differ by one vector.
 */
#include "rand.h"

#include "softgpu/inverse_erfc.h"

/* A normal number of a probability; the smaller side keeps its precision. */
static double normal_of(double p, int is_upper)
{
    const double x = M_SQRT2 * softgpu_erfcinv(2.0 * p);
    return is_upper ? x : -x;
}

/* A normal float of the high 32 bits. */
static float normal_float(uint32_t x)
{
    const int is_upper = x > 1u << 31;
    return (float)normal_of(
        (float)((float)(is_upper ? ~x : x) * 0x1p-32f + 0x1p-33f), is_upper);
}

static double normal_double(uint64_t x, unsigned bits)
{
    const uint64_t half = (uint64_t)1 << (bits - 1);
    const int is_upper = x > half;
    const double p = (double)(is_upper ? 2 * half - 1 - x : x);
    return normal_of(ldexp(p, -(int)bits) + ldexp(0.5, -(int)bits), is_upper);
}

union softgpu_rand_value softgpu_rand_convert(uint64_t x, int is_64,
                                              enum softgpu_rand_result result)
{
    const uint32_t high = (uint32_t)(x >> 32);
    union softgpu_rand_value v = { .bits64 = x };

    if (result == SOFTGPU_RAND_BITS)
        v.bits = high;
    else if (result == SOFTGPU_RAND_UNIFORM)
        v.f = (float)high * 0x1p-32f + 0x1p-33f;
    else if (result == SOFTGPU_RAND_DOUBLE)
        v.d = is_64 ? (double)(x >> 11) * 0x1p-53 + 0x1p-54
                    : high * 0x1p-32 + 0x1p-32;
    else if (result == SOFTGPU_RAND_NORMAL)
        v.f = normal_float(high);
    else if (result == SOFTGPU_RAND_NORMAL_DOUBLE)
        v.d = is_64 ? normal_double(x >> 11, 53) : normal_double(high, 32);
    return v;
}

void softgpu_rand_sobol(const struct curandGenerator_st *g,
                        unsigned dimension, uint64_t first,
                        enum softgpu_rand_result result,
                        union softgpu_rand_value *values, size_t n)
{
    const int is_scrambled = g->type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32
                             || g->type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
    const uint64_t *vectors = softgpu_sobol_vectors(dimension, is_scrambled);
    const int is_64 = softgpu_rand_is_64(g);
    const int last = is_64 ? 63 : 31;
    uint64_t x = is_scrambled ? softgpu_sobol_constant(dimension) : 0;

    for (int k = 0; k <= last; k++)
        if ((first ^ first >> 1) >> k & 1)
            x ^= vectors[k];
    for (size_t i = 0; i < n; i++) {
        const uint64_t rest = ~(first + i);
        const int k = rest ? __builtin_ctzll(rest) : last;
        values[i] = softgpu_rand_convert(x, is_64, result);
        x ^= vectors[k < last ? k : last];
    }
}
