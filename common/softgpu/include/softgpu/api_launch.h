/* SPDX-License-Identifier: MIT */
/** @file
 *  Runtime API: launches, attributes of kernels, occupancy.  Part of
 *  cuda_runtime_api.h.
 *
 *  A kernel is identified by the address of its host function; for another
 *  address the calls return cudaErrorInvalidDeviceFunction.
 */
#ifndef SOFTGPU_API_LAUNCH_H
#define SOFTGPU_API_LAUNCH_H

#ifdef __cplusplus
extern "C" {
#endif

/** A kernel as a function of the driver API. */
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol);
/** The address of a call of the driver API by its name; status may be NULL. */
cudaError_t cudaGetDriverEntryPoint(
    const char *name, void **function, unsigned long long flags,
    enum cudaDriverEntryPointQueryResult *status SOFTGPU_DEFAULT(NULL));
/** The same for a version of the API: all versions are one. */
cudaError_t cudaGetDriverEntryPointByVersion(
    const char *name, void **function, unsigned int version,
    unsigned long long flags,
    enum cudaDriverEntryPointQueryResult *status SOFTGPU_DEFAULT(NULL));
/** Launch a kernel.
 *  @param args  address of each argument; the arguments are copied
 *  @return cudaErrorInvalidConfiguration if a dimension exceeds the limits,
 *      cudaErrorLaunchOutOfResources if it exceeds __launch_bounds__,
 *      cudaErrorInvalidValue for too much shared memory */
cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim,
                             void **args, size_t sharedMem,
                             cudaStream_t stream);
/** Launch a kernel whose blocks can synchronize.
 *  @return cudaErrorCooperativeLaunchTooLarge if not all blocks can be resident
 */
cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim,
                                        dim3 blockDim, void **args,
                                        size_t sharedMem, cudaStream_t stream);
/** Launch a kernel with attributes. */
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config,
                                const void *func, void **args);
/** Attributes of a kernel. */
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes,
                                  const void *func);
/** Set the maximum of dynamic shared memory, or the carve-out. */
cudaError_t cudaFuncSetAttribute(const void *func,
                                 enum cudaFuncAttribute attribute, int value);
/** Set a hint. */
cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config);
/** No effect. */
cudaError_t cudaFuncSetSharedMemConfig(const void *func,
                                       enum cudaSharedMemConfig config);
/** The kernel's name as written. */
cudaError_t cudaFuncGetName(const char **name, const void *func);

/** Blocks of a kernel that can be resident on one SM of the described card. */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                          const void *func,
                                                          int blockSize,
                                                          size_t dynamicBytes);
/** The same; flags have no effect. */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *func, int blockSize, size_t dynamicBytes,
    unsigned int flags);
/** Dynamic shared memory of a block if `blocks` are resident on an SM. */
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes,
                                                      const void *func,
                                                      int blocks,
                                                      int blockSize);

/** A question of cudaOccupancyMaxPotentialBlockSize(). */
struct softgpu_occupancy_query {
    const void *func;               /**< kernel */
    size_t (*dynamic)(void *, int); /**< dynamic bytes of a block size */
    void *context;                  /**< its first argument */
    int limit;                      /**< largest block size, 0: any */
};
/** Block size with the highest occupancy, and the smallest grid that fills the
 *  card.  Called by the C++ templates. */
cudaError_t softgpu_max_potential_block(
    int *grid, int *block, const struct softgpu_occupancy_query *query);

#ifdef __cplusplus
}
#endif
#endif
