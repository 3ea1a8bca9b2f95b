/* SPDX-License-Identifier: MIT */
/** @file
 *  Streams, step 3: the launches of a batch as one graph.
 *
 *  Each slot's stages are captured once and replayed for each of its batches:
 *  one call instead of 8, and the card knows what comes next.
 */
#include "all_loaded.h"

static cudaError_t queue_stages(struct slot *slot, int)
{
    return CUDA_CHECK(cudaGraphLaunch(slot->step, slot->stream));
}

static cudaError_t furnish(struct slot *slot, int size)
{
    return capture_stages(slot, size);
}

static void clear(struct slot *slot)
{
    if (slot->step) cudaGraphExecDestroy(slot->step);
}
