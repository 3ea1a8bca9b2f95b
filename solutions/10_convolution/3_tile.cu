/* SPDX-License-Identifier: MIT */
/** @file
 *  Convolution, step 3: a block loads its tile and the halo into shared memory.
 */
#include "tile.h"

static cudaError_t launch(const struct filter_args *filter_args)
{
    cudaError_t err = copy_filter_to_constant(filter_args);

    return err ? err : launch_tile(filter_args);
}
