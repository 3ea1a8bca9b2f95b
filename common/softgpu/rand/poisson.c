/* SPDX-License-Identifier: MIT */
/** @file
 *  Tables of the Poisson distribution, and curandCreatePoissonDistribution().
 *
 *  The table has every number whose probability is above 0 in double.  The
 *  numbers that have more than a column are visited from the largest one down;
 *  each fills columns from the first one up, and has the rest in its own.
 */
#include "poisson.h"

#include <math.h>
#include <stdlib.h>

#include "common/softgpu/host/library.h"

#include "curand.h"
#include "softgpu/discrete_distribution.h"

/* Probability of k. */
static double probability(double mean, unsigned k)
{
    return exp(-mean + k * log(mean) - lgamma(k + 1.0));
}

/* The largest number below *large that has more than a column; -1: none. */
static int next_large(const double *p, double column, int large)
{
    while (large >= 0 && p[large] <= column)
        large--;
    return large;
}

/* Fill the columns.  `p` is what of each number has no place yet; what is full
 * gets a column's width. */
static void fill_columns(struct softgpu_poisson_table *t, double *p, char *full)
{
    const double column = 1.0 / t->length;
    int large = (int)t->length - 1;
    unsigned filled; /* in one pass: rounding may leave a large number over */

    do {
        filled = 0;
        for (unsigned j = 0; j < t->length; j++) {
            if (full[j] || p[j] >= column)
                continue;
            large = next_large(p, column, large);
            if (large < 0)
                return;
            t->value[j] = p[j] + j * column;
            t->other[j] = (uint32_t)large;
            p[large] -= column - p[j];
            p[j] = column;
            full[j] = 1;
            filled++;
        }
    } while (filled);
}

int softgpu_poisson_make(struct softgpu_poisson_table *table, double mean)
{
    unsigned first = 0, end = (unsigned)mean + 1;
    double sum = 0;

    while (probability(mean, first) == 0)
        first++;
    while (probability(mean, end) > 0)
        end++;
    const size_t n = end - first;
    double *p = malloc(n * sizeof *p);
    char *full = calloc(n, 1);
    *table = (struct softgpu_poisson_table){
        first, (unsigned)n, malloc(n * sizeof(double)),
        malloc(n * sizeof(uint32_t)), malloc(n * sizeof(double))};
    const int ok = p && full && table->value && table->other && table->sum;
    for (unsigned j = 0; ok && j < n; j++) {
        p[j] = probability(mean, first + j);
        table->sum[j] = sum += p[j];
        table->value[j] = (j + 1) * (1.0 / (double)n);
        table->other[j] = j;
    }
    if (ok)
        fill_columns(table, p, full);
    free(p);
    free(full);
    if (!ok)
        softgpu_poisson_free(table);
    return ok ? 0 : -1;
}

void softgpu_poisson_free(struct softgpu_poisson_table *table)
{
    free(table->value);
    free(table->other);
    free(table->sum);
    *table = (struct softgpu_poisson_table){0};
}

uint32_t softgpu_poisson_of(const struct softgpu_poisson_table *table, double u)
{
    unsigned j = (unsigned)(table->length * u);
    j = j < table->length ? j : table->length - 1;
    return table->shift + (u < table->value[j] ? j : table->other[j]);
}

uint32_t softgpu_poisson_inverse(const struct softgpu_poisson_table *table,
                                 double u)
{
    unsigned low = 0, high = table->length - 1;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (u <= table->sum[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return table->shift + low;
}

/* --- for kernels ---------------------------------------------------------- */

/* Copy a table behind its description in one device allocation. */
static curandStatus_t copy_to_device(const struct softgpu_poisson_table *t,
                                     struct curandDiscreteDistribution_st *to,
                                     struct curandDiscreteDistribution_st d)
{
    char *values = (char *)(to + 1);
    char *others = values + t->length * sizeof *t->value;

    d.value = (const double *)(const void *)values;
    d.other = (const unsigned *)(const void *)others;
    if (cudaMemcpy(to, &d, sizeof d, cudaMemcpyHostToDevice)
        || (t->length
            && (cudaMemcpy(values, t->value, t->length * sizeof *t->value,
                           cudaMemcpyHostToDevice)
                || cudaMemcpy(others, t->other, t->length * sizeof *t->other,
                              cudaMemcpyHostToDevice))))
        return CURAND_STATUS_INITIALIZATION_FAILED;
    return CURAND_STATUS_SUCCESS;
}

/* From 2000 on it has no table. */
curandStatus_t
curandCreatePoissonDistribution(double lambda,
                                curandDiscreteDistribution_t *distribution)
{
    SOFTGPU_LIBRARY_CALL();
    struct softgpu_poisson_table table = {0};
    struct curandDiscreteDistribution_st *d = NULL;

    if (!distribution || !(lambda > 0) || lambda > SOFTGPU_POISSON_MOST)
        return CURAND_STATUS_OUT_OF_RANGE;
    if (lambda < SOFTGPU_POISSON_NORMAL && softgpu_poisson_make(&table, lambda))
        return CURAND_STATUS_ALLOCATION_FAILED;
    const size_t bytes =
        sizeof *d + table.length * (sizeof *table.value + sizeof *table.other);
    curandStatus_t status =
        cudaMalloc((void **)&d, bytes) ? CURAND_STATUS_ALLOCATION_FAILED
                                       : CURAND_STATUS_SUCCESS;
    if (status == CURAND_STATUS_SUCCESS)
        status = copy_to_device(&table, d,
                                (struct curandDiscreteDistribution_st){
                                    .mean = lambda, .deviation = sqrt(lambda),
                                    .shift = table.shift,
                                    .length = table.length});
    softgpu_poisson_free(&table);
    if (status == CURAND_STATUS_SUCCESS)
        *distribution = d;
    else
        cudaFree(d);
    return status;
}

/* Its table is in the same allocation. */
curandStatus_t
curandDestroyDistribution(curandDiscreteDistribution_t distribution)
{
    SOFTGPU_LIBRARY_CALL();
    if (!distribution)
        return CURAND_STATUS_NOT_INITIALIZED;
    return cudaFree(distribution) ? CURAND_STATUS_NOT_INITIALIZED
                                  : CURAND_STATUS_SUCCESS;
}
