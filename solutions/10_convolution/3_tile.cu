/* SPDX-License-Identifier: MIT */
/** @file
 *  Convolution, step 3: a block stages its tile and the halo in shared memory.
 */
#include "tile.h"

static cudaError_t launch(const struct job *job)
{
    cudaError_t err = put_filter(job);

    return err ? err : launch_tile(job);
}
