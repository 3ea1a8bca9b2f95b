/* SPDX-License-Identifier: MIT */
/** @file
 *  Inside cuRAND's host API: a generator, and what fills arrays from it.
 *
 *  A pseudorandom generator has many sequences ("lanes") that take turns: each
 *  gives one group of results, in the order that cuRAND documents.  Results of
 *  one call continue those of the call before it.
 */
#ifndef SOFTGPU_RAND_H
#define SOFTGPU_RAND_H

#include <stdint.h>

#include "curand.h"

/** The request of a call. */
enum softgpu_rand_result {
    SOFTGPU_RAND_BITS,          /**< uint32_t */
    SOFTGPU_RAND_LONG,          /**< uint64_t, of 64-bit sequences */
    SOFTGPU_RAND_UNIFORM,       /**< float in (0, 1] */
    SOFTGPU_RAND_DOUBLE,        /**< double in (0, 1] */
    SOFTGPU_RAND_NORMAL,        /**< float, mean 0, deviation 1 */
    SOFTGPU_RAND_NORMAL_DOUBLE, /**< double, mean 0, deviation 1 */
    SOFTGPU_RAND_NORMAL_EACH,   /**< float; a lane gives one a turn, and keeps
                                     the second of its pair */
};

/** One result; `enum softgpu_rand_result` says which member. */
union softgpu_rand_value {
    uint32_t bits;
    uint64_t bits64;
    float f;
    double d;
};

/** A generator. */
struct curandGenerator_st {
    curandRngType_t type;
    curandOrdering_t order; /**< legacy: MRG32K3A and MTGP32 have fewer lanes */
    uint64_t seed;
    uint64_t offset;     /**< of the first result (a Sobol point) */
    uint64_t turn;       /**< groups (Philox: results; Sobol: points) so far */
    unsigned dimensions; /**< of a Sobol sequence */
    void *lanes;         /**< states of all lanes, or NULL: not yet made */
    float *kept;         /**< by lane: the second number of a pair; NAN: none;
                              NULL before the first one */
    int on_host;
    cudaStream_t stream;
};

/** Is it a Sobol sequence? */
static inline int softgpu_rand_is_quasi(const struct curandGenerator_st *g)
{
    return g->type >= CURAND_RNG_QUASI_DEFAULT;
}

/** Is it MT19937 or MTGP32?  Each result is one word there. */
static inline int softgpu_rand_is_twister(const struct curandGenerator_st *g)
{
    return g->type == CURAND_RNG_PSEUDO_MTGP32
           || g->type == CURAND_RNG_PSEUDO_MT19937;
}

/** Does it give points of 64 bits? */
static inline int softgpu_rand_is_64(const struct curandGenerator_st *g)
{
    return g->type == CURAND_RNG_QUASI_SOBOL64
           || g->type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
}

/** The next n results of a pseudorandom generator.
 *  @return 0, if memory for its lanes is missing */
int softgpu_rand_pseudo(struct curandGenerator_st *g,
                        enum softgpu_rand_result result,
                        union softgpu_rand_value *values, size_t n);

/** The same of a twister. */
int softgpu_rand_twister(struct curandGenerator_st *g,
                         enum softgpu_rand_result result,
                         union softgpu_rand_value *values, size_t n);

/** A result of one point or word, whose first bit is bit 63: a normal number
 *  by the inverse of the distribution. */
union softgpu_rand_value softgpu_rand_convert(uint64_t x, int is_64,
                                              enum softgpu_rand_result result);

/** Points first to first + n - 1 of one dimension of a Sobol sequence. */
void softgpu_rand_sobol(const struct curandGenerator_st *g,
                        unsigned dimension, uint64_t first,
                        enum softgpu_rand_result result,
                        union softgpu_rand_value *values, size_t n);

/** Dimensions that have direction vectors here; on a card 20,000. */
enum { SOFTGPU_SOBOL_DIMENSIONS = 161 };

/** The 64 direction vectors of a dimension, plain or scrambled, the first in
 *  bit 63; those of 32 bits are the high halves of the first 32. */
const uint64_t *softgpu_sobol_vectors(unsigned dimension, int is_scrambled);

/** Scramble 64 direction vectors of a dimension (sobol_scramble.c). */
void softgpu_sobol_scramble(unsigned dimension, uint64_t vectors[64]);

/** The constant that is added to all points of a scrambled dimension; that of
 *  32 bits is its high half. */
uint64_t softgpu_sobol_constant(unsigned dimension);

#endif
