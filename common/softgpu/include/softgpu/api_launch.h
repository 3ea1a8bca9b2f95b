/* SPDX-License-Identifier: MIT */
/** @file
 *  Runtime API: launching, attributes of kernels, occupancy.  Part of
 *  cuda_runtime_api.h.
 *
 *  A kernel is named by its host function's address; one that is none is
 *  cudaErrorInvalidDeviceFunction.
 */
#ifndef SOFTGPU_API_LAUNCH_H
#define SOFTGPU_API_LAUNCH_H

#ifdef __cplusplus
extern "C" {
#endif

/** Queue a kernel.  args: the address of each argument; they are copied.
 *
 *  cudaErrorInvalidConfiguration for a shape beyond the limits,
 *  cudaErrorLaunchOutOfResources beyond __launch_bounds__,
 *  cudaErrorInvalidValue for too much shared memory. */
cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim,
                             void **args, size_t sharedMem,
                             cudaStream_t stream);
/** Queue a kernel whose blocks may wait for each other.
 *  cudaErrorCooperativeLaunchTooLarge if they do not all fit the card. */
cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim,
                                        dim3 blockDim, void **args,
                                        size_t sharedMem, cudaStream_t stream);
/** Queue a kernel with attributes. */
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config,
                                const void *func, void **args);
/** What is known of a kernel. */
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes,
                                  const void *func);
/** Set the dynamic shared memory it may ask for, or its carve-out. */
cudaError_t cudaFuncSetAttribute(const void *func,
                                 enum cudaFuncAttribute attribute, int value);
/** A hint. */
cudaError_t cudaFuncSetCacheConfig(const void *func,
                                   enum cudaFuncCache config);
/** Without effect. */
cudaError_t cudaFuncSetSharedMemConfig(const void *func,
                                       enum cudaSharedMemConfig config);
/** The kernel's name as written. */
cudaError_t cudaFuncGetName(const char **name, const void *func);

/** How many blocks of this kernel fit one SM of the described card. */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                          const void *func,
                                                          int blockSize,
                                                          size_t dynamicBytes);
/** The same; flags change nothing. */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *func, int blockSize, size_t dynamicBytes,
    unsigned int flags);
/** Dynamic shared memory a block may have while `blocks` fit an SM. */
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes,
                                                      const void *func,
                                                      int blocks,
                                                      int blockSize);

/** One question to cudaOccupancyMaxPotentialBlockSize. */
struct softgpu_potential {
    const void *func;                /**< kernel */
    size_t (*dynamic)(void *, int);  /**< dynamic bytes of a block size */
    void *context;                   /**< its first argument */
    int limit;                       /**< largest block size, 0: any */
};
/** Block size with the most threads an SM, and the grid that fills the card.
 *  Called by the C++ templates. */
cudaError_t softgpu_potential_block(int *grid, int *block,
                                    const struct softgpu_potential *question);

#ifdef __cplusplus
}
#endif
#endif
