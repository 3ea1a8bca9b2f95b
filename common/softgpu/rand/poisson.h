/* SPDX-License-Identifier: MIT */
/** @file
 *  The Poisson distribution as a table: the square histogram of Marsaglia,
 *  Tsang and Wang (Fast generation of discrete random variables, J. Stat.
 *  Software 11, 2004).
 */
#ifndef SOFTGPU_POISSON_H
#define SOFTGPU_POISSON_H

#include <stdint.h>

/** From this mean on results are rounded normal numbers, without a table. */
#define SOFTGPU_POISSON_NORMAL 2000
/** The largest mean, as cuRAND documents. */
#define SOFTGPU_POISSON_MOST 400000

/** The table: column j of `length` columns of equal width is the number
 *  `shift` + j below value[j], and `shift` + other[j] above. */
struct softgpu_poisson_table {
    unsigned shift, length;
    double *value;
    uint32_t *other;
    double *sum; /**< probability of `shift` to `shift` + j */
};

/** Make the table of a mean below SOFTGPU_POISSON_NORMAL.
 *  @return 0, or -1 without memory */
int softgpu_poisson_make(struct softgpu_poisson_table *table, double mean);
/** Free it. */
void softgpu_poisson_free(struct softgpu_poisson_table *table);
/** The number of u in (0, 1), by the table's columns: not rising with u. */
uint32_t softgpu_poisson_of(const struct softgpu_poisson_table *table,
                            double u);
/** The same by the sums, rising with u: for quasirandom points. */
uint32_t softgpu_poisson_inverse(const struct softgpu_poisson_table *table,
                                 double u);

#endif
