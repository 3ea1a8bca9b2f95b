/* SPDX-License-Identifier: MIT */
/** @file
 *  cuRAND host API: arrays of random numbers.
 *
 *  All generators but the scrambled Sobol sequences give the integers and
 *  uniform numbers of cuRAND in its order; normal numbers may differ in their
 *  last bits, and so may Poisson-distributed ones that cuRAND makes of them
 *  (from a mean of 2000 on).  Scrambled Sobol sequences are not those of a
 *  card, whose tables are NVIDIA's: they have a published scrambling with the
 *  same properties.
 */
#ifndef SOFTGPU_CURAND_H
#define SOFTGPU_CURAND_H
#define CURAND_H_ /* programs ask for it */
#define CURAND_VER_MAJOR 10   /**< the library of CUDA 12 */
#define CURAND_VER_MINOR 3    /**< likewise */
#define CURAND_VER_PATCH 0    /**< likewise */
#define CURAND_VER_BUILD 0    /**< likewise */
/** Of the library. */
#define CURAND_VERSION (CURAND_VER_MAJOR * 1000 + CURAND_VER_MINOR * 100)

#include "softgpu/push_macros.h"
#include <stddef.h>

#include "cuda_runtime_api.h"
#include "library_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Status of a call. */
typedef enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE = 202,
    CURAND_STATUS_INITIALIZATION_FAILED = 203,
    CURAND_STATUS_ARCH_MISMATCH = 204,
    CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;

/** Generator types.  The twisters MTGP32 and MT19937 have no offset.  MT19937
 *  has 8192 subsequences of which each is computed from the one before it when
 *  its first eight numbers are asked for: 65,536 numbers take a second or some
 *  more, later ones little. */
typedef enum curandRngType {
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_DEFAULT = 200,
    CURAND_RNG_QUASI_SOBOL32 = 201,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202, /**< not a card's points */
    CURAND_RNG_QUASI_SOBOL64 = 203,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204 /**< not a card's points */
} curandRngType_t;

/** Order of results.  The best order is the default one. */
typedef enum curandOrdering {
    CURAND_ORDERING_PSEUDO_BEST = 100,
    CURAND_ORDERING_PSEUDO_DEFAULT = 101,
    CURAND_ORDERING_PSEUDO_SEEDED = 102, /**< of XORWOW */
    CURAND_ORDERING_PSEUDO_LEGACY = 103, /**< fewer subsequences of MRG32K3A and
                                              MTGP32 */
    CURAND_ORDERING_PSEUDO_DYNAMIC = 104, /**< the default one here; on a card
                                               that of its size.  Neither for
                                               MT19937 nor in host memory */
    CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;

/** Sets of direction vectors. */
typedef enum curandDirectionVectorSet {
    CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
    CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102, /**< not a card's */
    CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
    CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104 /**< not a card's */
} curandDirectionVectorSet_t;

/** The direction vectors of one dimension, 32 bits. */
typedef unsigned curandDirectionVectors32_t[32];
/** The direction vectors of one dimension, 64 bits. */
typedef unsigned long long curandDirectionVectors64_t[64];

/** A generator. */
typedef struct curandGenerator_st *curandGenerator_t;

/** Create a generator for device memory, with seed 0. */
curandStatus_t curandCreateGenerator(curandGenerator_t *generator,
                                     curandRngType_t type);
/** Create a generator for host memory, with seed 0. */
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator,
                                         curandRngType_t type);
/** Destroy a generator. */
curandStatus_t curandDestroyGenerator(curandGenerator_t generator);
/** Set the seed. */
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed);
/** Set the position in the sequence; of Sobol sequences, the next point.
 *  @return CURAND_STATUS_TYPE_ERROR for MTGP32 and MT19937 */
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator,
                                        unsigned long long offset);
/** Set the number of dimensions of a Sobol sequence: 1 to 161 here, to 20,000
 *  on a card. */
curandStatus_t
curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                        unsigned dimensions);
/** Set the order of results.
 *  @return CURAND_STATUS_OUT_OF_RANGE if the generator has no such order, as
 *          MT19937 has no best and no dynamic one */
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator,
                                          curandOrdering_t order);
/** Set the stream. */
curandStatus_t curandSetStream(curandGenerator_t generator,
                               cudaStream_t stream);
/** Prepare the generator's states, which the first result does otherwise. */
curandStatus_t curandGenerateSeeds(curandGenerator_t generator);
/** The direction vectors of all dimensions (161 here) of Sobol sequences of 32
 *  bits; they stay the library's. */
curandStatus_t
curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                            curandDirectionVectorSet_t set);
/** The same for 64 bits. */
curandStatus_t
curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                            curandDirectionVectorSet_t set);
/** The constants that are xored with the points of scrambled vectors of 32
 *  bits, one for each dimension; they stay the library's. */
curandStatus_t curandGetScrambleConstants32(unsigned **constants);
/** The same for 64 bits. */
curandStatus_t curandGetScrambleConstants64(unsigned long long **constants);
/** Version of the library: 10300. */
curandStatus_t curandGetVersion(int *version);
/** Major, minor or patch level of the version. */
curandStatus_t curandGetProperty(libraryPropertyType type, int *value);

/** n numbers of 32 bits. */
curandStatus_t curandGenerate(curandGenerator_t generator, unsigned *out,
                              size_t n);
/** n numbers of 64 bits, of SOBOL64 and SCRAMBLED_SOBOL64. */
curandStatus_t curandGenerateLongLong(curandGenerator_t generator,
                                      unsigned long long *out, size_t n);
/** n floats in (0, 1]. */
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *out,
                                     size_t n);
/** n doubles in (0, 1]; MTGP32 and MT19937 make each of 32 bits. */
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator,
                                           double *out, size_t n);
/** n normal floats. Of XORWOW and MRG32K3A n is even. */
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *out,
                                    size_t n, float mean, float deviation);
/** n normal doubles. Of XORWOW and MRG32K3A n is even. */
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator,
                                          double *out, size_t n, double mean,
                                          double deviation);
/** n log-normal floats. Of XORWOW and MRG32K3A n is even. */
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *out,
                                       size_t n, float mean, float deviation);

/** n log-normal doubles. */
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator,
                                             double *out, size_t n,
                                             double mean, double deviation);
/** n Poisson-distributed numbers.
 *  @param lambda  their mean, above 0 and at most 400,000 */
curandStatus_t curandGeneratePoisson(curandGenerator_t generator,
                                     unsigned *out, size_t n, double lambda);

/** A discrete distribution, in device memory. */
typedef struct curandDiscreteDistribution_st *curandDiscreteDistribution_t;
/** Make a Poisson distribution for curand_discrete().
 *  @param lambda  its mean, above 0 and at most 400,000 */
curandStatus_t
curandCreatePoissonDistribution(double lambda,
                                curandDiscreteDistribution_t *distribution);
/** Free a distribution. */
curandStatus_t
curandDestroyDistribution(curandDiscreteDistribution_t distribution);

#ifdef __cplusplus
}
#endif

#include "softgpu/pop_macros.h"

#endif
