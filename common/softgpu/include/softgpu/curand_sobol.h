/* SPDX-License-Identifier: MIT */
/** @file
 *  Sobol sequences of cuRAND's device API, of 32 and 64 bits, plain and
 *  scrambled: point n of a dimension is the exclusive or of those direction
 *  vectors whose bits are set in the Gray code of n.  A scrambled sequence is
 *  xored with a constant; the caller brings its direction vectors.
 */
#ifndef SOFTGPU_CURAND_SOBOL_H
#define SOFTGPU_CURAND_SOBOL_H

#include <math.h>

#include "softgpu/inverse_erfc.h"

namespace softgpu {

/** One dimension: its next point x, of index i; c is xored with all. */
template <class Word, bool scrambled> struct sobol_state {
    Word i, x, c;
    Word direction_vectors[8 * sizeof(Word)];
};

/** Advance by n points. */
template <class Word, bool scrambled>
void sobol_advance(Word n, sobol_state<Word, scrambled> *state)
{
    state->i += n;
    state->x = state->c;
    const Word gray = state->i ^ state->i >> 1;
    for (unsigned k = 0; k < 8 * sizeof(Word); k++)
        if (gray >> k & 1)
            state->x ^= state->direction_vectors[k];
}

/** The state at point `offset`. */
template <class Word, bool scrambled>
void sobol_start(const Word *vectors, Word c, Word offset,
                 sobol_state<Word, scrambled> *state)
{
    for (unsigned k = 0; k < 8 * sizeof(Word); k++)
        state->direction_vectors[k] = vectors[k];
    state->i = 0;
    state->c = state->x = c;
    sobol_advance(offset, state);
}

/** A normal double from p, the smaller of its probability and the rest. */
inline double normal_of(double p, bool upper)
{
    const double x = M_SQRT2 * softgpu_erfcinv(2.0 * p);
    return upper ? x : -x;
}

/** The high 32 bits. */
inline unsigned high_bits(unsigned x) { return x; }
/** The high 32 bits. */
inline unsigned high_bits(unsigned long long x)
{
    return static_cast<unsigned>(x >> 32);
}

/** A double in (0, 1]. */
inline double sobol_double(unsigned x) { return x * 0x1p-32 + 0x1p-32; }
/** A double in (0, 1), from the high 53 bits. */
inline double sobol_double(unsigned long long x)
{
    return static_cast<double>(x >> 11) * 0x1p-53 + 0x1p-54;
}

/** A normal float; its probability is rounded to float. */
inline float sobol_normal_float(unsigned x)
{
    const bool upper = x > 1u << 31;
    const float p = (upper ? ~x : x) * 0x1p-32f + 0x1p-33f;
    return static_cast<float>(normal_of(p, upper));
}

/** A normal double: small probabilities keep their precision. */
inline double sobol_normal(unsigned x)
{
    const bool upper = x > 1u << 31;
    return normal_of((upper ? ~x : x) * 0x1p-32 + 0x1p-33, upper);
}
/** A normal double, from the high 53 bits. */
inline double sobol_normal(unsigned long long x)
{
    const unsigned long long all = (1ull << 53) - 1, y = x >> 11;
    const bool upper = y > 1ull << 52;
    return normal_of(static_cast<double>(upper ? all - y : y) * 0x1p-53
                         + 0x1p-54,
                     upper);
}

} // namespace softgpu

/** State of a sequence of 32 bits. */
typedef softgpu::sobol_state<unsigned, false> curandStateSobol32_t;
/** State of a scrambled sequence of 32 bits. */
typedef softgpu::sobol_state<unsigned, true> curandStateScrambledSobol32_t;
/** State of a sequence of 64 bits. */
typedef softgpu::sobol_state<unsigned long long, false> curandStateSobol64_t;
/** State of a scrambled sequence of 64 bits. */
typedef softgpu::sobol_state<unsigned long long, true>
    curandStateScrambledSobol64_t;
/** The same types by their other names. */
typedef curandStateSobol32_t curandStateSobol32;
typedef curandStateScrambledSobol32_t curandStateScrambledSobol32;
typedef curandStateSobol64_t curandStateSobol64;
typedef curandStateScrambledSobol64_t curandStateScrambledSobol64;

/** Advance by n points. */
template <class Word, bool scrambled, class Count>
inline void skipahead(Count n, softgpu::sobol_state<Word, scrambled> *state)
{
    softgpu::sobol_advance(static_cast<Word>(n), state);
}

/** Initialize a state at point `offset` of the dimension of these vectors. */
template <class Word, class Count>
inline void curand_init(const Word *direction_vectors, Count offset,
                        softgpu::sobol_state<Word, false> *state)
{
    softgpu::sobol_start(direction_vectors, Word(0), Word(offset), state);
}

/** Initialize a scrambled state: all points are xored with scramble_c. */
template <class Word, class Constant, class Count>
inline void curand_init(const Word *direction_vectors, Constant scramble_c,
                        Count offset,
                        softgpu::sobol_state<Word, true> *state)
{
    softgpu::sobol_start(direction_vectors, Word(scramble_c), Word(offset),
                         state);
}

/** The next point, of 32 or 64 bits. */
template <class Word, bool scrambled>
inline Word curand(softgpu::sobol_state<Word, scrambled> *state)
{
    const Word point = state->x, rest = ~state->i;
    const int last = 8 * sizeof(Word) - 1;
    const int k = rest ? __builtin_ctzll(rest) : last;
    state->x ^= state->direction_vectors[k];
    state->i++;
    return point;
}

/** A float in (0, 1]. */
template <class Word, bool scrambled>
inline float curand_uniform(softgpu::sobol_state<Word, scrambled> *state)
{
    return softgpu::high_bits(curand(state)) * 0x1p-32f + 0x1p-33f;
}

/** A double in (0, 1]. */
template <class Word, bool scrambled>
inline double
curand_uniform_double(softgpu::sobol_state<Word, scrambled> *state)
{
    return softgpu::sobol_double(curand(state));
}

/** A float with mean 0 and standard deviation 1. */
template <class Word, bool scrambled>
inline float curand_normal(softgpu::sobol_state<Word, scrambled> *state)
{
    return softgpu::sobol_normal_float(softgpu::high_bits(curand(state)));
}

/** A double with mean 0 and standard deviation 1. */
template <class Word, bool scrambled>
inline double curand_normal_double(softgpu::sobol_state<Word, scrambled> *state)
{
    return softgpu::sobol_normal(curand(state));
}

/** The Poisson-distributed number at the probability of the next point. */
template <class Word, bool scrambled>
inline unsigned curand_poisson(softgpu::sobol_state<Word, scrambled> *state,
                               double mean)
{
    return softgpu_poisson(softgpu::sobol_double(curand(state)), mean);
}

#endif
