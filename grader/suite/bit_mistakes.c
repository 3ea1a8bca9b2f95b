/* SPDX-License-Identifier: MIT */
/* Mistakes in how many bits hold a number, or how they are copied. */
#include <math.h>

#include "common_mistakes.h"

/* Several counters of fewer bits are added: each loses multiples of its limit.
 * That a difference is one by chance is as probable as 1 / limit; but of one
 * element alone a block may be lost that counts as many. */
static void few_bits_each(struct hypotheses *h, int bits)
{
    const bool is_single = h->evidence->comparison->wrong == 1;
    const double limit = ldexp(1, bits), needed = h->needed;
    bool is_left = false; /* of 0 alone nothing says that it was counted */
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < hypothesis_count(h); i++) {
        const double lost = values[i] - evidence_got(h->evidence, i);

        if (!h->evidence->comparison->wrong_mask[i])
            continue;
        if (lost <= 0 || fmod(lost, limit) != 0)
            return;
        values[i] -= lost;
        is_left = is_left || values[i] > 0;
    }
    if (!is_left)
        return;
    h->needed = 0;
    h->is_vague = is_single;
    hypothesis_try(h, "What is the largest number that its type can hold, and "
                   "how much does each one count before they are added?",
                   "too small by a multiple of %g, as the sum of counters of "
                   "%d bits that overflow%s", limit, bits,
                   is_single ? ", or without blocks of as many elements" : "");
    h->is_vague = false;
    h->needed = needed;
}

/* A counter of fewer bits wraps around, or stops at its maximum. */
static void few_bits(struct hypotheses *h, int bits)
{
    const bool is_single = h->evidence->comparison->wrong == 1;
    const double limit = ldexp(1, bits);
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < hypothesis_count(h); i++)
        values[i] = values[i] - floor(values[i] / limit) * limit;
    hypothesis_try(h, "What is the largest number that its type can hold?",
                   "what remains in %d bits of the expected value%s", bits,
                   is_single && bits == 16
                       ? ", or of the sum of counters of 8 bits" : "");
    values = hypothesis_values(h);
    for (size_t i = 0; i < hypothesis_count(h); i++)
        values[i] = fmin(values[i], limit - 1);
    hypothesis_try(h, "What is the largest number that its type can hold?",
                   "the largest number of %d bits, where more is expected",
                   bits);
}

/* The bits of a float after an arithmetic operation that keeps its value: a
 * signaling NaN becomes quiet, and -0 + 0 is 0. */
static void after_arithmetic(struct hypotheses *h, bool loses_sign_of_zero)
{
    enum { QUIET = 1 << 22 };
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < hypothesis_count(h); i++) {
        const uint32_t bits = (uint32_t)(int64_t)values[i];

        if ((bits & 0x7fffffff) > 0x7f800000)
            values[i] = (double)(bits | QUIET);
        else if (loses_sign_of_zero && bits == 0x80000000)
            values[i] = 0;
    }
    hypothesis_try(h, "Copy the elements; do not add 0 or multiply by 1.",
                   "the expected one after an arithmetic operation, such as "
                   "%s: NaNs became quiet%s", loses_sign_of_zero ? "x + 0"
                                                                 : "x * 1",
                   loses_sign_of_zero ? ", or -0 became 0" : "");
}

void try_bit_mistakes(struct hypotheses *h)
{
    const enum element type = h->evidence->expected->type;

    if (type == BITS32) {
        after_arithmetic(h, false);
        after_arithmetic(h, true);
        return;
    }
    for (int bits = 8; type != FLOAT32 && bits <= 24; bits += 8)
        few_bits(h, bits);
    /* multiples of 65,536 are multiples of 256, too */
    for (int bits = 24; !is_real(type) && !h->fits && bits >= 8; bits -= 8)
        few_bits_each(h, bits);
}
