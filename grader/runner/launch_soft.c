/* SPDX-License-Identifier: MIT */
/* Launches on the soft device: every <<<...>>> becomes a softgpu_push, and
 * every copy of a variable a softgpu_copy_symbol. */
#include <softgpu/abi.h>

#include "launch.h"
#include "traffic.h"

int __real_softgpu_push(dim3 grid, dim3 block, size_t bytes, void *stream);
int __wrap_softgpu_push(dim3 grid, dim3 block, size_t bytes, void *stream);

int __wrap_softgpu_push(dim3 grid, dim3 block, size_t bytes, void *stream)
{
    count_launch(grid, block);
    return __real_softgpu_push(grid, block, bytes, stream);
}

WRAP_LAUNCH(cudaLaunchKernel)

/* Note a copy of a variable. */
static void count_symbol(const struct softgpu_symbol_copy *c)
{
    if (c->to)
        count_copy(c->symbol, c->other, c->bytes, c->kind);
    else
        count_copy(c->other, c->symbol, c->bytes, c->kind);
}

WRAP_CALL(softgpu_copy_symbol, (const struct softgpu_symbol_copy *c), (c),
          count_symbol(c))
WRAP_CALL(softgpu_copy_symbol_async,
          (const struct softgpu_symbol_copy *c, cudaStream_t stream),
          (c, stream), count_symbol(c))
