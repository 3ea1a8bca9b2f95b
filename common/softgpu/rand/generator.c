/* SPDX-License-Identifier: MIT */
/** @file
 *  cuRAND's generators: types, seeds, offsets, dimensions.
 */
#include "rand.h"

#include <stdio.h>
#include <stdlib.h>

/* Types that cuRAND has. */
static int is_type(curandRngType_t type)
{
    switch (type) {
    case CURAND_RNG_PSEUDO_DEFAULT:
    case CURAND_RNG_PSEUDO_XORWOW:
    case CURAND_RNG_PSEUDO_MRG32K3A:
    case CURAND_RNG_PSEUDO_MTGP32:
    case CURAND_RNG_PSEUDO_MT19937:
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
    case CURAND_RNG_QUASI_DEFAULT:
    case CURAND_RNG_QUASI_SOBOL32:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
    case CURAND_RNG_QUASI_SOBOL64:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
        return 1;
    default:
        return 0;
    }
}

/* The next call makes the lanes again. */
static void start_again(curandGenerator_t g)
{
    free(g->lanes);
    free(g->kept);
    g->lanes = NULL;
    g->kept = NULL;
    g->turn = 0;
}

/* --- creation ------------------------------------------------------------ */

/* A generator starts with seed 0 and one dimension, and makes its lanes when it
 * is first used: a seed or an offset may come before. */
curandStatus_t curandCreateGenerator(curandGenerator_t *generator,
                                     curandRngType_t type)
{
    if (!generator || !is_type(type))
        return CURAND_STATUS_TYPE_ERROR;
    *generator = calloc(1, sizeof(**generator));
    if (!*generator)
        return CURAND_STATUS_ALLOCATION_FAILED;
    (*generator)->type = type;
    (*generator)->dimensions = 1;
    return CURAND_STATUS_SUCCESS;
}

/* The same for arrays of the host, which need no copy. */
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator,
                                         curandRngType_t type)
{
    const curandStatus_t status = curandCreateGenerator(generator, type);

    if (status == CURAND_STATUS_SUCCESS)
        (*generator)->on_host = 1;
    return status;
}

/* Free its lanes too. */
curandStatus_t curandDestroyGenerator(curandGenerator_t g)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    free(g->lanes);
    free(g->kept);
    free(g);
    return CURAND_STATUS_SUCCESS;
}

/* --- settings ------------------------------------------------------------ */

/* A Sobol sequence has no seed. */
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g,
                                                  unsigned long long value)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (softgpu_rand_is_quasi(g))
        return CURAND_STATUS_TYPE_ERROR;
    g->seed = value;
    start_again(g);
    return CURAND_STATUS_SUCCESS;
}

/* The offset counts from the start of the sequence, not from here.  Twisters
 * have none. */
curandStatus_t curandSetGeneratorOffset(curandGenerator_t g,
                                        unsigned long long offset)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (softgpu_rand_is_twister(g))
        return CURAND_STATUS_TYPE_ERROR;
    g->offset = offset;
    start_again(g);
    return CURAND_STATUS_SUCCESS;
}

/* Dimensions that a card has and this library lacks are reported. */
curandStatus_t
curandSetQuasiRandomGeneratorDimensions(curandGenerator_t g,
                                        unsigned dimensions)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (!softgpu_rand_is_quasi(g))
        return CURAND_STATUS_TYPE_ERROR;
    if (dimensions > SOFTGPU_SOBOL_DIMENSIONS && dimensions <= 20000)
        fprintf(stderr, "softgpu: curandSetQuasiRandomGeneratorDimensions: "
                        "there are direction vectors for %d dimensions\n",
                SOFTGPU_SOBOL_DIMENSIONS);
    if (dimensions < 1 || dimensions > SOFTGPU_SOBOL_DIMENSIONS)
        return CURAND_STATUS_OUT_OF_RANGE;
    g->dimensions = dimensions;
    return CURAND_STATUS_SUCCESS;
}

/* Is this an order of a pseudorandom generator?  The best and the dynamic one
 * are the default here.  Results in host memory have no dynamic order. */
static int is_pseudo_order(curandGenerator_t g, curandOrdering_t order)
{
    switch (order) {
    case CURAND_ORDERING_PSEUDO_DEFAULT:
    case CURAND_ORDERING_PSEUDO_LEGACY:
        return 1;
    case CURAND_ORDERING_PSEUDO_BEST:
        return g->type != CURAND_RNG_PSEUDO_MT19937;
    case CURAND_ORDERING_PSEUDO_SEEDED:
        return g->type == CURAND_RNG_PSEUDO_XORWOW
               || g->type == CURAND_RNG_PSEUDO_DEFAULT;
    case CURAND_ORDERING_PSEUDO_DYNAMIC:
        return !g->on_host && g->type != CURAND_RNG_PSEUDO_MT19937;
    default:
        return 0;
    }
}

/* The order of one kind of generator is no order of the other. */
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g,
                                          curandOrdering_t order)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (softgpu_rand_is_quasi(g) ? order != CURAND_ORDERING_QUASI_DEFAULT
                                 : !is_pseudo_order(g, order))
        return CURAND_STATUS_OUT_OF_RANGE;
    g->order = order;
    start_again(g);
    return CURAND_STATUS_SUCCESS;
}

/* There is nothing to prepare: lanes are made when they are needed. */
curandStatus_t curandGenerateSeeds(curandGenerator_t g)
{
    return g ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

/* The stream of copies to device memory. */
curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    g->stream = stream;
    return CURAND_STATUS_SUCCESS;
}

/* Major * 1000 + minor * 100. */
curandStatus_t curandGetVersion(int *version)
{
    if (!version)
        return CURAND_STATUS_TYPE_ERROR;
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}

/* One part of it. */
curandStatus_t curandGetProperty(libraryPropertyType type, int *value)
{
    static const int version[] = { CURAND_VER_MAJOR, CURAND_VER_MINOR,
                                   CURAND_VER_PATCH };
    if (!value || (unsigned)type > PATCH_LEVEL)
        return CURAND_STATUS_TYPE_ERROR;
    *value = version[type];
    return CURAND_STATUS_SUCCESS;
}
