/* SPDX-License-Identifier: MIT */
/** @file
 *  Launching kernels: checks of shape and memory, and making work of them.
 */
#ifndef SOFTGPU_HOST_LAUNCH_H
#define SOFTGPU_HOST_LAUNCH_H

#include "work.h"

/** The registers a thread of any kernel is said to use: the host compiler
 *  knows nothing of the card's. */
#define SOFTGPU_DECLARED_REGISTERS 32

/** A copy of closure bytes, aligned; NULL without memory. */
void *softgpu_clone_closure(const void *closure, size_t bytes, size_t align);
/** Keep copies of a kernel's arguments.  @return 0, or -1 without memory */
int softgpu_keep_args(struct softgpu_kernel_work *k, void **args);
/** The kernel whose host function this is, or NULL. */
struct softgpu_kernel *softgpu_kernel_at(const void *func);
/** Static shared memory a block of it needs, with device functions' own. */
size_t softgpu_static_shared(const struct softgpu_kernel *kernel);
/** Most dynamic shared memory a launch may ask for. */
size_t softgpu_dynamic_limit(const struct softgpu_kernel *kernel);
/** Whether the card takes this launch: CUDA's error, or cudaSuccess. */
cudaError_t softgpu_check_launch(const struct softgpu_kernel_work *k);
/** Whether a grid of blocks has a legal shape. */
cudaError_t softgpu_check_shape(dim3 grid, dim3 block);
/** Share of the card's SMs that the grid's blocks fill, up to 1. */
double softgpu_share_of_card(const struct softgpu_kernel_work *k);
/** Make the work of a call with arguments, not yet queued. */
cudaError_t softgpu_make_kernel_work(
    struct softgpu_work *work, const struct cudaKernelNodeParams *params,
    int cooperative);

#endif
