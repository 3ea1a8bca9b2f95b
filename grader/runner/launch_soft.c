/* SPDX-License-Identifier: MIT */
/* Counts launches on the soft device: the runner is linked with
 * --wrap=softgpu_push, so every <<<...>>> of the student comes by here. */
#include <softgpu/abi.h>

#include "device.h"

int __real_softgpu_push(dim3 grid, dim3 block, size_t bytes, void *stream);
int __wrap_softgpu_push(dim3 grid, dim3 block, size_t bytes, void *stream);

int __wrap_softgpu_push(dim3 grid, dim3 block, size_t bytes, void *stream)
{
    device_launched((unsigned[]){grid.x, grid.y, grid.z},
                    (unsigned[]){block.x, block.y, block.z});
    return __real_softgpu_push(grid, block, bytes, stream);
}
