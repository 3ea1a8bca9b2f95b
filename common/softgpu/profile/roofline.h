/* SPDX-License-Identifier: MIT */
/** @file
 *  The numbers of a roofline plot: operations per second over arithmetic
 *  intensity.  Rates are modeled, and those of all blocks, even if only some
 *  were sampled.  After Williams, Waterman, Patterson: Roofline (CACM 2009).
 */
#ifndef SOFTGPU_ROOFLINE_H
#define SOFTGPU_ROOFLINE_H

#include "common/softgpu/cards/card.h"
#include "profile.h"

/** A kernel in the plot. */
struct roofline_point {
    double rate;     /**< operations per second; 0: none */
    double dram, l2; /**< operations per byte; 0: no traffic there */
};

/** The point of a kernel. */
struct roofline_point roofline_point(const struct kernel_profile *k);
/** Peak float operations per second; an FMA is two. */
double roofline_float_peak(const struct softgpu_card *card);
/** Peak operations per second of the tensor cores, on half. */
double roofline_tensor_peak(const struct softgpu_card *card);
/** DRAM traffic of a kernel in bytes per second. */
double roofline_dram_rate(const struct kernel_profile *k);

#endif
