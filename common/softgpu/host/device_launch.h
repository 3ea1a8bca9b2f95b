/* SPDX-License-Identifier: MIT */
/** @file
 *  Dynamic parallelism: kernels launched by kernels.  A launch in a kernel is
 *  stored, and runs when the grid that made it has ended: children in order of
 *  the launching block's index, then those of cudaStreamTailLaunch.  A child's
 *  own children run before the next child, and the command of the first grid
 *  ends after all of them.  That is one of the orders that CUDA allows for any
 *  streams, since a kernel cannot wait for its children since CUDA 12.
 */
#ifndef SOFTGPU_DEVICE_LAUNCH_H
#define SOFTGPU_DEVICE_LAUNCH_H

#include "command.h"

struct softgpu_grid;

/** A stored launch. */
struct softgpu_child {
    struct softgpu_child *next;
    const struct softgpu_grid *parent;
    int is_tail;     /**< of cudaStreamTailLaunch */
    uint64_t block;  /**< linear index of the launching block */
    uint64_t number; /**< of launches, in order of time */
    struct softgpu_kernel_command kernel; /**< owned */
};

/** softgpu_push_config() in a kernel. */
int softgpu_push_child(dim3 grid, dim3 block, size_t dynamic, void *stream);
/** softgpu_launch() in a kernel. */
void softgpu_launch_child(struct softgpu_kernel *kernel, const void *closure,
                          size_t bytes, size_t align);
/** Take the launches of a grid that has ended, in the order in which they run.
 *  @return owned: each to be freed by softgpu_free_child() */
struct softgpu_child *
softgpu_detach_children(const struct softgpu_grid *parent);
/** Free a launch. */
void softgpu_free_child(struct softgpu_child *child);

#endif
