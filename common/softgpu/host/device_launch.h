/* SPDX-License-Identifier: MIT */
/** @file
 *  Dynamic parallelism: kernels launched by kernels, and copies and fills that
 *  they queue.  Each is stored, and runs when a thread of the launching block
 *  waits for it, else when the grid that made it has ended:
 *  in order of the launching block's index, then those of cudaStreamTailLaunch.
 *  A child's own children run before the next child, and the command of the
 *  first grid ends after all of them.  That is one of the orders that CUDA
 *  allows for any streams, and events of the device add nothing to it.
 */
#ifndef SOFTGPU_DEVICE_LAUNCH_H
#define SOFTGPU_DEVICE_LAUNCH_H

#include "command.h"

struct softgpu_grid;

/** What a grid's threads need to launch: the grid's `owner`. */
struct softgpu_launcher {
    struct softgpu_device *device;
    uint64_t *now; /**< modeled time, ns: where the grid begins */
};

/** A stored launch. */
struct softgpu_child {
    struct softgpu_child *next;
    const struct softgpu_grid *parent;
    int is_tail;     /**< of cudaStreamTailLaunch */
    uint64_t block;  /**< linear index of the launching block */
    uint64_t number; /**< of launches, in order of time */
    struct softgpu_command command; /**< owned */
};

/** The grid that the calling thread of a kernel belongs to. */
const struct softgpu_grid *softgpu_current_grid(void);
/** The device that the calling thread of a kernel runs on. */
struct softgpu_device *softgpu_launching_device(void);
/** softgpu_push_config() in a kernel. */
int softgpu_push_child(dim3 grid, dim3 block, size_t dynamic, void *stream);
/** softgpu_launch() in a kernel. */
void softgpu_launch_child(struct softgpu_kernel *kernel, const void *closure,
                          size_t bytes, size_t align);
/** Store a command of the calling thread.
 *  @param[in] command  device is not set; owned on success
 *  @return cudaErrorMemoryAllocation, which is also recorded */
cudaError_t softgpu_store_child(const struct softgpu_command *command,
                                int is_tail);
/** Take launches of a grid, in the order in which they run.
 *  @param block  NULL: all, for the grid has ended; else those of the block
 *                that are no tail launches
 *  @return owned: softgpu_run_children() frees them */
struct softgpu_child *
softgpu_detach_children(const struct softgpu_grid *parent,
                        const uint64_t *block);
/** Run launches and free them; after an error they are only freed.  The lock is
 *  held.  @return the first error */
cudaError_t softgpu_run_children(struct softgpu_child *first, cudaError_t error,
                                 uint64_t *now);
/** cudaDeviceSynchronize() in a kernel: run what the calling thread's block has
 *  launched, with all that this launches.  A child's error ends the grid.
 *  @param site  return address of the program's call
 *  @return cudaErrorSyncDepthExceeded, which is also recorded */
cudaError_t softgpu_wait_for_children(const void *site);

#endif
