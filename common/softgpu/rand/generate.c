/* SPDX-License-Identifier: MIT */
/** @file
 *  curandGenerate...(): the results of a call are computed on the CPU, some
 *  thousands at a time, and copied to the caller's memory.
 */
#include "rand.h"

#include <math.h>
#include <stdlib.h>

#include "common/softgpu/host/remote.h"
#include "softgpu/inverse_erfc.h"

enum { CHUNK = 8192 }; /* even: normal numbers come in pairs */

/* The values of a result that the caller gets. */
enum element {
    WORD, LONG, FLOAT, DOUBLE, LOG_FLOAT, LOG_DOUBLE, POISSON
};

/* One call. */
struct request {
    enum softgpu_rand_result result;
    enum element element;
    size_t bytes; /* per element */
    double mean, deviation;
};

/* --- elements ------------------------------------------------------------ */

/* A result with the mean and the standard deviation of a normal one. */
static double scaled(const struct request *r, double x)
{
    const int is_normal = r->result == SOFTGPU_RAND_NORMAL
                          || r->result == SOFTGPU_RAND_NORMAL_DOUBLE;
    return is_normal ? r->mean + r->deviation * x : x;
}

/* The same in float: cuRAND rounds each step. */
static float scaled_float(const struct request *r, float x)
{
    return r->result == SOFTGPU_RAND_NORMAL
               ? (float)r->mean + (float)r->deviation * x : x;
}

/* Write one element of the caller's type. */
static void store(const struct request *r, void *to,
                  union softgpu_rand_value v)
{
    switch (r->element) {
    case WORD:
        *(uint32_t *)to = v.bits;
        break;
    case LONG:
        *(uint64_t *)to = v.bits64;
        break;
    case FLOAT:
        *(float *)to = scaled_float(r, v.f);
        break;
    case DOUBLE:
        *(double *)to = scaled(r, v.d);
        break;
    case LOG_FLOAT:
        *(float *)to = expf(scaled_float(r, v.f));
        break;
    case LOG_DOUBLE:
        *(double *)to = exp(scaled(r, v.d));
        break;
    case POISSON:
        *(uint32_t *)to = softgpu_poisson(v.d, r->mean);
    }
}

/* Write n of them.  @return the place after the last */
static char *store_all(const struct request *r, char *to,
                       const union softgpu_rand_value *values, size_t n)
{
    for (size_t i = 0; i < n; i++, to += r->bytes)
        store(r, to, values[i]);
    return to;
}

/* --- results ------------------------------------------------------------- */

/* Results of one sequence of turns, a chunk at a time.
 * @return 0 without memory */
static int fill_pseudo(curandGenerator_t g, const struct request *r, char *to,
                       size_t n)
{
    union softgpu_rand_value values[CHUNK + 1];

    for (size_t i = 0; i < n; i += CHUNK) {
        const size_t count = n - i < CHUNK ? n - i : CHUNK;
        if (!softgpu_rand_pseudo(g, r->result, values, count))
            return 0;
        to = store_all(r, to, values, count);
    }
    return 1;
}

/* Points of a Sobol sequence: a dimension after the other, each from the same
 * point on. */
static void fill_quasi(curandGenerator_t g, const struct request *r, char *to,
                       size_t n)
{
    union softgpu_rand_value values[CHUNK];
    const size_t points = n / g->dimensions;

    for (unsigned d = 0; d < g->dimensions; d++)
        for (size_t i = 0; i < points; i += CHUNK) {
            const size_t count = points - i < CHUNK ? points - i : CHUNK;
            softgpu_rand_sobol(g, d, g->offset + g->turn + i, r->result,
                               values, count);
            to = store_all(r, to, values, count);
        }
    g->turn += points;
}

/* Fill host memory.  @return 0 without memory */
static int fill(curandGenerator_t g, const struct request *r, void *to,
                size_t n)
{
    if (!softgpu_rand_is_quasi(g))
        return fill_pseudo(g, r, to, n);
    fill_quasi(g, r, to, n);
    return 1;
}

/* May this generator give n results of this kind? */
static curandStatus_t check(curandGenerator_t g, const struct request *r,
                            size_t n)
{
    const int is_normal = r->result == SOFTGPU_RAND_NORMAL
                          || r->result == SOFTGPU_RAND_NORMAL_DOUBLE;
    const int is_64 = g->type == CURAND_RNG_QUASI_SOBOL64;

    if ((r->element == LONG && !is_64) || (r->element == WORD && is_64))
        return CURAND_STATUS_TYPE_ERROR;
    if (r->element == POISSON && !(r->mean > 0))
        return CURAND_STATUS_OUT_OF_RANGE;
    if (softgpu_rand_is_quasi(g) ? n % g->dimensions != 0
        : is_normal && g->type != CURAND_RNG_PSEUDO_PHILOX4_32_10
            ? n % 2 != 0 : 0)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    return CURAND_STATUS_SUCCESS;
}

/* Fill memory of the program: device memory by a copy, in the order of the
 * generator's stream. */
static curandStatus_t to_device(curandGenerator_t g, const struct request *r,
                                void *out, size_t n)
{
    size_t bytes;
    void *staging = __builtin_mul_overflow(n, r->bytes, &bytes)
                        ? NULL : malloc(bytes ? bytes : 1);
    cudaError_t error;

    if (!staging || !fill(g, r, staging, n)) {
        free(staging);
        return CURAND_STATUS_ALLOCATION_FAILED;
    }
    softgpu_trusted_source = staging;
    error = cudaMemcpyAsync(out, staging, bytes, cudaMemcpyHostToDevice,
                            g->stream);
    softgpu_trusted_source = NULL;
    if (!error)
        error = cudaStreamSynchronize(g->stream);
    free(staging);
    return error ? CURAND_STATUS_LAUNCH_FAILURE : CURAND_STATUS_SUCCESS;
}

/* One call: checked before anything is written. */
static curandStatus_t generate(curandGenerator_t g, void *out, size_t n,
                               struct request request)
{
    curandStatus_t status;

    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    status = check(g, &request, n);
    if (status != CURAND_STATUS_SUCCESS)
        return status;
    if (!g->on_host)
        return to_device(g, &request, out, n);
    return fill(g, &request, out, n) ? CURAND_STATUS_SUCCESS
                                     : CURAND_STATUS_ALLOCATION_FAILED;
}

/* --- the calls ----------------------------------------------------------- */

/* Integers. */
curandStatus_t curandGenerate(curandGenerator_t g, unsigned *out, size_t n)
{
    return generate(g, out, n,
                    (struct request){ SOFTGPU_RAND_BITS, WORD, 4, 0, 0 });
}

curandStatus_t curandGenerateLongLong(curandGenerator_t g,
                                      unsigned long long *out, size_t n)
{
    return generate(g, out, n,
                    (struct request){ SOFTGPU_RAND_LONG, LONG, 8, 0, 0 });
}

/* Uniform numbers. */
curandStatus_t curandGenerateUniform(curandGenerator_t g, float *out, size_t n)
{
    return generate(g, out, n,
                    (struct request){ SOFTGPU_RAND_UNIFORM, FLOAT, 4, 0, 0 });
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *out,
                                           size_t n)
{
    return generate(g, out, n,
                    (struct request){ SOFTGPU_RAND_DOUBLE, DOUBLE, 8, 0, 0 });
}

/* Normal numbers. */
curandStatus_t curandGenerateNormal(curandGenerator_t g, float *out, size_t n,
                                    float mean, float deviation)
{
    return generate(g, out, n, (struct request){ SOFTGPU_RAND_NORMAL, FLOAT, 4,
                                                 mean, deviation });
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *out,
                                          size_t n, double mean,
                                          double deviation)
{
    return generate(g, out, n,
                    (struct request){ SOFTGPU_RAND_NORMAL_DOUBLE, DOUBLE, 8,
                                      mean, deviation });
}

/* Numbers whose logarithm is normal. */
curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float *out,
                                       size_t n, float mean, float deviation)
{
    return generate(g, out, n,
                    (struct request){ SOFTGPU_RAND_NORMAL, LOG_FLOAT, 4, mean,
                                      deviation });
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double *out,
                                             size_t n, double mean,
                                             double deviation)
{
    return generate(g, out, n,
                    (struct request){ SOFTGPU_RAND_NORMAL_DOUBLE, LOG_DOUBLE,
                                      8, mean, deviation });
}

/* Each from one uniform double, by the inverse of its distribution. */
curandStatus_t curandGeneratePoisson(curandGenerator_t g, unsigned *out,
                                     size_t n, double lambda)
{
    return generate(g, out, n, (struct request){ SOFTGPU_RAND_DOUBLE, POISSON,
                                                 4, lambda, 0 });
}
