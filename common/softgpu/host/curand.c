/* SPDX-License-Identifier: MIT */
/** @file
 *  The cuRAND host API: one XORWOW sequence per generator, computed on the CPU
 *  and copied to the caller's memory.
 */
#include "curand.h"
#include "remote.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "softgpu/xorwow.h"

struct curandGenerator_st {
    uint32_t v[5], d;
    uint64_t seed;
    int on_host;
    cudaStream_t stream;
};

/* A distribution: how results are computed from the sequence. */
struct distribution {
    size_t bytes; /* per result */
    double mean, deviation;
    void (*fill)(curandGenerator_t g, void *out, size_t n,
                 const struct distribution *distribution);
};

static void seed(curandGenerator_t g, uint64_t value)
{
    const uint32_t a = 1099087573u * ((uint32_t)value ^ 0xaad26b49u);
    const uint32_t b = 2591861531u * ((uint32_t)(value >> 32) ^ 0xf7dcefddu);

    g->seed = value;
    g->d = 6615241u + b + a;
    g->v[0] = 123456789u + a;
    g->v[1] = 362436069u ^ a;
    g->v[2] = 521288629u + b;
    g->v[3] = 88675123u ^ b;
    g->v[4] = 5783321u + a;
}

static uint32_t next_uint32(curandGenerator_t g)
{
    const uint32_t t = g->v[0] ^ g->v[0] >> 2;

    for (int i = 0; i < 4; i++)
        g->v[i] = g->v[i + 1];
    g->v[4] = g->v[4] ^ g->v[4] << 4 ^ t ^ t << 1;
    g->d += 362437;
    return g->v[4] + g->d;
}

static double uniform01(curandGenerator_t g)
{
    const uint64_t x = next_uint32(g), y = next_uint32(g);

    return (double)(x ^ y << 21) * 0x1p-53 + 0x1p-54;
}

/* --- distributions ------------------------------------------------------- */

static void fill_bits(curandGenerator_t g, void *out, size_t n,
                      const struct distribution *distribution)
{
    (void)distribution;
    for (size_t i = 0; i < n; i++)
        ((uint32_t *)out)[i] = next_uint32(g);
}

static void fill_float(curandGenerator_t g, void *out, size_t n,
                       const struct distribution *distribution)
{
    (void)distribution;
    for (size_t i = 0; i < n; i++)
        ((float *)out)[i] = (float)next_uint32(g) * 0x1p-32f + 0x1p-33f;
}

static void fill_double(curandGenerator_t g, void *out, size_t n,
                        const struct distribution *distribution)
{
    (void)distribution;
    for (size_t i = 0; i < n; i++)
        ((double *)out)[i] = uniform01(g);
}

/* Two normally distributed numbers. */
static void box_muller(curandGenerator_t g,
                       const struct distribution *distribution, double pair[])
{
    const double radius = sqrt(-2.0 * log(uniform01(g)));
    const double angle = 2.0 * 3.14159265358979323846 * uniform01(g);

    pair[0] =
        distribution->mean + distribution->deviation * radius * sin(angle);
    pair[1] =
        distribution->mean + distribution->deviation * radius * cos(angle);
}

static void fill_normal_double(curandGenerator_t g, void *out, size_t n,
                               const struct distribution *distribution)
{
    for (size_t i = 0; i + 1 < n; i += 2)
        box_muller(g, distribution, (double *)out + i);
}

static void fill_normal(curandGenerator_t g, void *out, size_t n,
                        const struct distribution *distribution)
{
    double pair[2];

    for (size_t i = 0; i + 1 < n; i += 2) {
        box_muller(g, distribution, pair);
        ((float *)out)[i] = (float)pair[0];
        ((float *)out)[i + 1] = (float)pair[1];
    }
}

static void fill_log_normal(curandGenerator_t g, void *out, size_t n,
                            const struct distribution *distribution)
{
    fill_normal(g, out, n, distribution);
    for (size_t i = 0; i < n; i++)
        ((float *)out)[i] = expf(((float *)out)[i]);
}

/* --- results to the destination ------------------------------------------ */

static curandStatus_t generate(curandGenerator_t g, void *out, size_t n,
                               struct distribution distribution)
{
    size_t bytes;
    cudaError_t error;
    void *staging;

    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (g->on_host) {
        distribution.fill(g, out, n, &distribution);
        return CURAND_STATUS_SUCCESS;
    }
    staging = __builtin_mul_overflow(n, distribution.bytes, &bytes)
                  ? NULL : malloc(bytes ? bytes : 1);
    if (!staging)
        return CURAND_STATUS_ALLOCATION_FAILED;
    distribution.fill(g, staging, n, &distribution);
    softgpu_own_source = staging;
    error = cudaMemcpyAsync(out, staging, bytes, cudaMemcpyHostToDevice,
                            g->stream);
    softgpu_own_source = NULL;
    if (!error)
        error = cudaStreamSynchronize(g->stream);
    free(staging);
    return error ? CURAND_STATUS_LAUNCH_FAILURE : CURAND_STATUS_SUCCESS;
}

static curandStatus_t generate_normal(curandGenerator_t g, void *out, size_t n,
                                      struct distribution distribution)
{
    if (n % 2)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    return generate(g, out, n, distribution);
}

curandStatus_t curandGenerate(curandGenerator_t g, unsigned *out, size_t n)
{
    return generate(g, out, n, (struct distribution){ 4, 0, 0, fill_bits });
}

curandStatus_t curandGenerateUniform(curandGenerator_t g, float *out, size_t n)
{
    return generate(g, out, n, (struct distribution){ 4, 0, 0, fill_float });
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *out,
                                           size_t n)
{
    return generate(g, out, n, (struct distribution){ 8, 0, 0, fill_double });
}

curandStatus_t curandGenerateNormal(curandGenerator_t g, float *out, size_t n,
                                    float mean, float deviation)
{
    return generate_normal(
        g, out, n, (struct distribution){ 4, mean, deviation, fill_normal });
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *out,
                                          size_t n, double mean,
                                          double deviation)
{
    return generate_normal(
        g, out, n,
        (struct distribution){8, mean, deviation, fill_normal_double});
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float *out,
                                       size_t n, float mean, float deviation)
{
    return generate_normal(
        g, out, n, (struct distribution){4, mean, deviation, fill_log_normal});
}

/* --- generators ----------------------------------------------------------- */

curandStatus_t curandCreateGenerator(curandGenerator_t *generator,
                                     curandRngType_t type)
{
    if (type >= CURAND_RNG_QUASI_DEFAULT || !generator)
        return CURAND_STATUS_TYPE_ERROR;
    *generator = calloc(1, sizeof(**generator));
    if (!*generator)
        return CURAND_STATUS_ALLOCATION_FAILED;
    seed(*generator, 0);
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator,
                                         curandRngType_t type)
{
    const curandStatus_t status = curandCreateGenerator(generator, type);

    if (status == CURAND_STATUS_SUCCESS)
        (*generator)->on_host = 1;
    return status;
}

curandStatus_t curandDestroyGenerator(curandGenerator_t g)
{
    free(g);
    return g ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g,
                                                  unsigned long long value)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    seed(g, value);
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t g,
                                        unsigned long long offset)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    seed(g, g->seed);
    softgpu_xorwow_jump(g->v, offset, 0);
    g->d += 362437u * (uint32_t)offset;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g,
                                          curandOrdering_t order)
{
    (void)order;
    return g ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    g->stream = stream;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int *version)
{
    if (!version)
        return CURAND_STATUS_TYPE_ERROR;
    *version = 10300;
    return CURAND_STATUS_SUCCESS;
}
