/* SPDX-License-Identifier: MIT */
/* Counts launches on the gpu device: the runner is linked with
 * --wrap=cudaLaunchKernel, which nvcc's stubs call. */
#include <cuda_runtime_api.h>

#include "device.h"

cudaError_t __real_cudaLaunchKernel(const void *stub, dim3 grid, dim3 block,
                                    void **args, size_t bytes,
                                    cudaStream_t stream);
cudaError_t __wrap_cudaLaunchKernel(const void *stub, dim3 grid, dim3 block,
                                    void **args, size_t bytes,
                                    cudaStream_t stream);

cudaError_t __wrap_cudaLaunchKernel(const void *stub, dim3 grid, dim3 block,
                                    void **args, size_t bytes,
                                    cudaStream_t stream)
{
    device_launched((unsigned[]){grid.x, grid.y, grid.z},
                    (unsigned[]){block.x, block.y, block.z});
    return __real_cudaLaunchKernel(stub, grid, block, args, bytes, stream);
}
