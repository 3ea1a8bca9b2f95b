/* SPDX-License-Identifier: MIT */
/** @file
 *  Convolution, step 4: rows first and columns after, where the filter's
 *  factors are given; else as in step 3. */
#include "passes.h"

static cudaError_t launch(const struct job *job)
{
    cudaError_t err = put_filter(job);

    if (err) return err;
    return job->factors ? launch_passes(job) : launch_tile(job);
}
