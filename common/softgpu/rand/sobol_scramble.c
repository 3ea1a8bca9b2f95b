/* SPDX-License-Identifier: MIT */
/** @file
 *  Scrambled Sobol sequences: J. Matousek's random linear scrambling ("On the
 *  L2-discrepancy for anchored boxes", J. Complexity 14, 1998) and a digital
 *  shift.  Bit i of a vector gets the bits before it that a random matrix
 *  selects, so that each power of two of points stays spread as before.  The
 *  random bits are those of a fixed hash: cuRAND's own tables are not public.
 */
#include "rand.h"

/* Random bits of a number: the finalizer of G. L. Steele's SplitMix64. */
static uint64_t hash(uint64_t x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/* Row i of a dimension's matrix, whose column 0 is bit 63: 1 on the diagonal, 0
 * to the right of it. */
static uint64_t row(unsigned dimension, int i)
{
    const uint64_t diagonal = (uint64_t)1 << (63 - i);
    const uint64_t left = ~(diagonal | (diagonal - 1));
    return (hash(hash(dimension) + (unsigned)i) & left) | diagonal;
}

void softgpu_sobol_scramble(unsigned dimension, uint64_t vectors[64])
{
    uint64_t rows[64];

    for (int i = 0; i < 64; i++)
        rows[i] = row(dimension, i);
    for (int k = 0; k < 64; k++) {
        uint64_t v = 0;
        for (int i = 0; i < 64; i++)
            v = v << 1 | (uint64_t)__builtin_parityll(rows[i] & vectors[k]);
        vectors[k] = v;
    }
}

uint64_t softgpu_sobol_constant(unsigned dimension)
{
    return hash(hash(dimension) + 64);
}
