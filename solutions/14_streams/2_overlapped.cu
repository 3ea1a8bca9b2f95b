/* SPDX-License-Identifier: MIT */
/** @file
 *  Streams, step 2: batches on three streams, pinned memory.
 *
 *  A copy up, kernels and a copy down need three different parts of the card,
 *  so three batches go on at a time.  A slot's next batch is behind its last
 *  one in the same stream: no event is needed.
 */
#include "all_loaded.h"

static cudaError_t queue_stages(struct slot *slot, int size)
{
    return run_stages(slot->d_x, slot->d_y, size, slot->stream);
}

static cudaError_t furnish(struct slot *slot, int size)
{
    (void)slot, (void)size;
    return cudaSuccess;
}

static void clear(struct slot *slot)
{
    (void)slot;
}
