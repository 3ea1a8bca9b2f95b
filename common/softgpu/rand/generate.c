/* SPDX-License-Identifier: MIT */
/** @file
 *  curandGenerate...(): the results of a call are computed on the CPU, some
 *  thousands at a time, and copied to the caller's memory.
 */
#include "rand.h"

#include <math.h>
#include <stdlib.h>

#include "common/softgpu/host/library.h"
#include "common/softgpu/host/remote.h"
#include "poisson.h"

enum { CHUNK = 8192 }; /* even: normal numbers come in pairs */

/* The values of a result that the caller gets. */
enum element {
    WORD, LONG, FLOAT, DOUBLE, LOG_FLOAT, LOG_DOUBLE, POISSON, POISSON_FLOAT
};

/* One call. */
struct request {
    enum softgpu_rand_result result;
    enum element element;
    size_t bytes; /* per element */
    double mean, deviation;
    const struct softgpu_poisson_table *poisson; /* NULL: of a normal number */
    int is_inverse; /* by the table's sums, not by its columns */
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

/* A number of a normal one. */
static uint32_t nearest(double x)
{
    return x + 0.5 < 0 ? 0 : (uint32_t)(x + 0.5);
}

/* A Poisson-distributed number of a word, of a Sobol point, or of a normal
 * number. */
static uint32_t poisson(const struct request *r, union softgpu_rand_value v)
{
    const double u = r->result == SOFTGPU_RAND_BITS
                         ? v.bits * 0x1p-32 + 0x1p-32 : v.d;
    if (r->poisson)
        return r->is_inverse ? softgpu_poisson_inverse(r->poisson, u)
                             : softgpu_poisson_of(r->poisson, u);
    return nearest(r->deviation * (double)v.f + r->mean);
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
        *(uint32_t *)to = poisson(r, v);
        break;
    case POISSON_FLOAT: /* MT19937's large means: each step is rounded */
        *(uint32_t *)to = nearest((double)scaled_float(r, v.f));
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
    const int is_64 = softgpu_rand_is_64(g);

    if ((r->element == LONG && !is_64) || (r->element == WORD && is_64))
        return CURAND_STATUS_TYPE_ERROR;
    if (softgpu_rand_is_quasi(g) ? n % g->dimensions != 0
        : is_normal && r->element != POISSON
                && g->type != CURAND_RNG_PSEUDO_PHILOX4_32_10
                && !softgpu_rand_is_twister(g)
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
    SOFTGPU_LIBRARY_CALL();
    return generate(g, out, n,
                    (struct request){ SOFTGPU_RAND_BITS, WORD, 4, 0, 0, NULL,
                                      0 });
}

curandStatus_t curandGenerateLongLong(curandGenerator_t g,
                                      unsigned long long *out, size_t n)
{
    SOFTGPU_LIBRARY_CALL();
    return generate(g, out, n,
                    (struct request){ SOFTGPU_RAND_LONG, LONG, 8, 0, 0, NULL,
                                      0 });
}

/* Uniform numbers. */
curandStatus_t curandGenerateUniform(curandGenerator_t g, float *out, size_t n)
{
    SOFTGPU_LIBRARY_CALL();
    return generate(g, out, n,
                    (struct request){ SOFTGPU_RAND_UNIFORM, FLOAT, 4, 0, 0,
                                      NULL, 0 });
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *out,
                                           size_t n)
{
    SOFTGPU_LIBRARY_CALL();
    return generate(g, out, n,
                    (struct request){ SOFTGPU_RAND_DOUBLE, DOUBLE, 8, 0, 0,
                                      NULL, 0 });
}

/* Normal numbers. */
curandStatus_t curandGenerateNormal(curandGenerator_t g, float *out, size_t n,
                                    float mean, float deviation)
{
    SOFTGPU_LIBRARY_CALL();
    return generate(g, out, n, (struct request){ SOFTGPU_RAND_NORMAL, FLOAT, 4,
                                                 mean, deviation, NULL, 0 });
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *out,
                                          size_t n, double mean,
                                          double deviation)
{
    SOFTGPU_LIBRARY_CALL();
    return generate(g, out, n,
                    (struct request){ SOFTGPU_RAND_NORMAL_DOUBLE, DOUBLE, 8,
                                      mean, deviation, NULL, 0 });
}

/* Numbers whose logarithm is normal. */
curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float *out,
                                       size_t n, float mean, float deviation)
{
    SOFTGPU_LIBRARY_CALL();
    return generate(g, out, n,
                    (struct request){ SOFTGPU_RAND_NORMAL, LOG_FLOAT, 4, mean,
                                      deviation, NULL, 0 });
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double *out,
                                             size_t n, double mean,
                                             double deviation)
{
    SOFTGPU_LIBRARY_CALL();
    return generate(g, out, n,
                    (struct request){ SOFTGPU_RAND_NORMAL_DOUBLE, LOG_DOUBLE,
                                      8, mean, deviation, NULL, 0 });
}

/* How cuRAND makes Poisson-distributed numbers of a generator: below the mean
 * *sums by the columns of a table, from there on by its sums, and from the mean
 * *normal on of normal numbers (of MTGP32 and points of 32 bits above 8000). */
static void poisson_means(const struct curandGenerator_st *g, double *sums,
                          double *normal)
{
    *sums = HUGE_VAL;
    *normal = SOFTGPU_POISSON_NORMAL;
    if (g->type == CURAND_RNG_PSEUDO_MTGP32)
        *sums = 32;
    else if (softgpu_rand_is_quasi(g))
        *sums = softgpu_rand_is_64(g) ? 0 : 10;
    if (*sums > 0 && *sums < HUGE_VAL)
        *normal = nextafter(8000, HUGE_VAL);
}

curandStatus_t curandGeneratePoisson(curandGenerator_t g, unsigned *out,
                                     size_t n, double lambda)
{
    SOFTGPU_LIBRARY_CALL();
    struct softgpu_poisson_table table;
    double sums, normal;

    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (!(lambda > 0) || lambda > SOFTGPU_POISSON_MOST)
        return CURAND_STATUS_OUT_OF_RANGE;
    poisson_means(g, &sums, &normal);
    struct request r = { SOFTGPU_RAND_BITS, POISSON, 4, lambda, 0, &table,
                         lambda >= sums };
    if (softgpu_rand_is_64(g))
        r.result = SOFTGPU_RAND_DOUBLE;
    if (lambda >= normal) {
        r = (struct request){ SOFTGPU_RAND_NORMAL, POISSON, 4, lambda,
                              sqrt(lambda), NULL, 0 };
        if (g->type == CURAND_RNG_PSEUDO_XORWOW
            || g->type == CURAND_RNG_PSEUDO_DEFAULT
            || g->type == CURAND_RNG_PSEUDO_MRG32K3A)
            r.result = SOFTGPU_RAND_NORMAL_EACH;
        if (g->type == CURAND_RNG_PSEUDO_MT19937)
            r.element = POISSON_FLOAT;
        return generate(g, out, n, r);
    }
    if (softgpu_poisson_make(&table, lambda))
        return CURAND_STATUS_ALLOCATION_FAILED;
    const curandStatus_t status = generate(g, out, n, r);
    softgpu_poisson_free(&table);
    return status;
}
