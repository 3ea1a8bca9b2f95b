/* SPDX-License-Identifier: MIT */
/* Launches on the soft device: every <<<...>>> becomes a softgpu_push. */
#include <softgpu/abi.h>

#include "launch.h"

int __real_softgpu_push(dim3 grid, dim3 block, size_t bytes, void *stream);
int __wrap_softgpu_push(dim3 grid, dim3 block, size_t bytes, void *stream);

int __wrap_softgpu_push(dim3 grid, dim3 block, size_t bytes, void *stream)
{
    count_launch(grid, block);
    return __real_softgpu_push(grid, block, bytes, stream);
}

WRAP_LAUNCH(cudaLaunchKernel)
