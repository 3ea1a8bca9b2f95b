/* SPDX-License-Identifier: MIT */
/** @file
 *  Kernel launches: checks of the launch configuration, and commands.
 */
#ifndef SOFTGPU_HOST_LAUNCH_H
#define SOFTGPU_HOST_LAUNCH_H

#include "command.h"

/** Registers per thread assumed for every kernel: the host compiler does not
 *  know the registers of the card. */
#define SOFTGPU_ASSUMED_REGISTERS 32

/** An aligned copy of a closure; NULL without memory. */
void *softgpu_clone_closure(const void *closure, size_t bytes, size_t align);
/** Copy a kernel's arguments into k->args.  @return 0, or -1 without memory */
int softgpu_clone_args(struct softgpu_kernel_command *k, void **args);
/** The kernel of a host stub function, or NULL. */
struct softgpu_kernel *softgpu_find_kernel_of(const void *func);
/** Bytes of static shared memory per block, with those of device functions. */
size_t softgpu_static_shared(const struct softgpu_kernel *kernel);
/** Maximum dynamic shared memory of a launch in bytes. */
size_t softgpu_dynamic_limit(const struct softgpu_kernel *kernel);
/** Check a launch against the card's limits.  @return CUDA's error */
cudaError_t softgpu_check_launch(const struct softgpu_kernel_command *k);
/** Check grid and block dimensions against CUDA's limits. */
cudaError_t softgpu_check_launch_config(dim3 grid, dim3 block);
/** Fraction of the card's SMs that the grid's blocks fill, 0 to 1. */
double softgpu_sm_share(const struct softgpu_kernel_command *k);
/** Make the command of a launch with an argument array; not queued yet. */
cudaError_t softgpu_make_kernel_command(
    struct softgpu_command *command, const struct cudaKernelNodeParams *params,
    int cooperative);

/** Let a kernel fail when it runs, with cudaErrorLaunchFailure.
 *  @param number  of the kernels that run from now on, from 1; 0: none */
void softgpu_fail_kernel(unsigned number);
/** A kernel is about to run; the lock is held.  @return 1 if it must fail */
int softgpu_kernel_fails(void);

#endif
