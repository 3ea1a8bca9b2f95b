/* SPDX-License-Identifier: MIT */
/** @file
 *  A discrete distribution as kernels read it: in device memory, in C and C++.
 */
#ifndef SOFTGPU_DISCRETE_DISTRIBUTION_H
#define SOFTGPU_DISCRETE_DISTRIBUTION_H

/** A table of columns of equal width: column j is the number shift + j below
 *  value[j] and shift + other[j] above; or, with length 0, rounded normal
 *  numbers. */
struct curandDiscreteDistribution_st {
    double mean, deviation; /**< of the normal numbers */
    unsigned shift, length;
    const double *value;
    const unsigned *other;
};

#endif
