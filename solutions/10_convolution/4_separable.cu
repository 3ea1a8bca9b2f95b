/* SPDX-License-Identifier: MIT */
/** @file
 *  Convolution, step 4: a separable filter, rows first and columns afterwards,
 *  if its factors are given; else as in step 3. */
#include "separable.h"

static cudaError_t launch(const struct filter_args *filter_args)
{
    cudaError_t err = copy_filter_to_constant(filter_args);

    if (err) return err;
    return filter_args->factors ? launch_separable(filter_args)
                                : launch_tile(filter_args);
}
