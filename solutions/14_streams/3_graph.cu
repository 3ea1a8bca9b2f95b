/* SPDX-License-Identifier: MIT */
/** @file
 *  Streams, step 3: the launches of a batch as one graph.
 *
 *  The stages of each slot are captured once and replayed for each of its
 *  batches: one call instead of 8, and the GPU knows the dependencies in
 *  advance.
 */
#include "preloaded.h"

static cudaError_t enqueue_stages(struct slot *slot, int)
{
    return CUDA_CHECK(cudaGraphLaunch(slot->stages_graph, slot->stream));
}

static cudaError_t init_slot(struct slot *slot, int size)
{
    return capture_stages(slot, size);
}

static void free_slot(struct slot *slot)
{
    if (slot->stages_graph) cudaGraphExecDestroy(slot->stages_graph);
}
