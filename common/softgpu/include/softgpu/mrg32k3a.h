/* SPDX-License-Identifier: MIT */
/** @file
 *  The MRG32k3a generator (L'Ecuyer, "Good parameters and implementations for
 *  combined multiple recursive random number generators", 1999): the
 *  difference of two linear recurrences of three words each.  In C and C++.
 */
#ifndef SOFTGPU_MRG32K3A_H
#define SOFTGPU_MRG32K3A_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The moduli of the two recurrences. */
#define SOFTGPU_MRG_M1 4294967087u
#define SOFTGPU_MRG_M2 4294944443u
/** cuRAND's factors of an output: to (0, 1], and to 32 bits. */
#define SOFTGPU_MRG_TO_UNIT 2.3283065498378288e-10
#define SOFTGPU_MRG_TO_BITS 1.000000048662

/** The last three words of both recurrences, the oldest first. */
struct softgpu_mrg32k3a {
    uint32_t s1[3], s2[3];
};

/** Start: cuRAND's state of a seed; 0 is the state of L'Ecuyer's program. */
void softgpu_mrg_seed(struct softgpu_mrg32k3a *state, uint64_t seed);

/** Advance by count * 2^log2_steps steps; log2_steps is at most 127. */
void softgpu_mrg_jump(struct softgpu_mrg32k3a *state, uint64_t count,
                      unsigned log2_steps);

/** The next output, from 1 to SOFTGPU_MRG_M1. */
static inline uint32_t softgpu_mrg_next(struct softgpu_mrg32k3a *state)
{
    uint32_t *a = state->s1, *b = state->s2;
    /* A product with (m - x) is one with -x that cannot be negative. */
    const uint32_t x =
        (uint32_t)((1403580ull * a[1] + 810728ull * (SOFTGPU_MRG_M1 - a[0]))
                   % SOFTGPU_MRG_M1);
    const uint32_t y =
        (uint32_t)((527612ull * b[2] + 1370589ull * (SOFTGPU_MRG_M2 - b[0]))
                   % SOFTGPU_MRG_M2);
    a[0] = a[1], a[1] = a[2], a[2] = x;
    b[0] = b[1], b[1] = b[2], b[2] = y;
    return x > y ? x - y : x - y + SOFTGPU_MRG_M1;
}

#ifdef __cplusplus
}
#endif
#endif
