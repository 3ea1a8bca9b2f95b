/* SPDX-License-Identifier: MIT */
/** @file
 *  cuRAND host API: arrays of random numbers.
 *
 *  The sequence differs from that of a card: all pseudorandom generator types
 *  give one XORWOW sequence.  Quasirandom types are not supported:
 *  CURAND_STATUS_TYPE_ERROR.
 */
#ifndef SOFTGPU_CURAND_H
#define SOFTGPU_CURAND_H
#define CURAND_H_ /* programs ask for it */

#include "softgpu/push_macros.h"
#include <stddef.h>

#include "cuda_runtime_api.h"

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

/** Generator types. */
typedef enum curandRngType {
    CURAND_RNG_TEST = 0,
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_DEFAULT = 200,
    CURAND_RNG_QUASI_SOBOL32 = 201
} curandRngType_t;

/** Order of results; all are the same here. */
typedef enum curandOrdering {
    CURAND_ORDERING_PSEUDO_BEST = 100,
    CURAND_ORDERING_PSEUDO_DEFAULT = 101,
    CURAND_ORDERING_PSEUDO_SEEDED = 102,
    CURAND_ORDERING_PSEUDO_LEGACY = 103
} curandOrdering_t;

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
/** Set the position in the sequence. */
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator,
                                        unsigned long long offset);
/** Set the order; no effect. */
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator,
                                          curandOrdering_t order);
/** Set the stream. */
curandStatus_t curandSetStream(curandGenerator_t generator,
                               cudaStream_t stream);
/** Version of the library: 10300. */
curandStatus_t curandGetVersion(int *version);

/** n numbers of 32 bits. */
curandStatus_t curandGenerate(curandGenerator_t generator, unsigned *out,
                              size_t n);
/** n floats in (0, 1]. */
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *out,
                                     size_t n);
/** n doubles in (0, 1]. */
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator,
                                           double *out, size_t n);
/** n normal floats; n must be even. */
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *out,
                                    size_t n, float mean, float deviation);
/** n normal doubles; n must be even. */
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator,
                                          double *out, size_t n, double mean,
                                          double deviation);
/** n log-normal floats; n must be even. */
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *out,
                                       size_t n, float mean, float deviation);

#ifdef __cplusplus
}
#endif

#include "softgpu/pop_macros.h"

#endif
