/* SPDX-License-Identifier: MIT */
/* Launches and symbol copies on the software GPU: softcc turns every <<<...>>>
 * into softgpu_push_config, every cudaMemcpyToSymbol or FromSymbol into
 * softgpu_copy_symbol. */
#include <softgpu/abi.h>

#include "launch_wrappers.h"
#include "wrappers.h"

int __real_softgpu_push_config(dim3 grid, dim3 block, size_t bytes,
                               void *stream);
int counted_softgpu_push_config(dim3 grid, dim3 block, size_t bytes,
                               void *stream);

int counted_softgpu_push_config(dim3 grid, dim3 block, size_t bytes,
                               void *stream)
{
    if (launch_fails(CALL_SITE))
        return cudaErrorMemoryAllocation;
    count_launch(grid, block);
    return __real_softgpu_push_config(grid, block, bytes, stream);
}

WRAP_LAUNCH(cudaLaunchKernel)
WRAP_LAUNCH(cudaLaunchCooperativeKernel)
WRAP_LAUNCH_EX(cudaLaunchKernelExC)

/* Count the bytes of a symbol copy. */
static void count_symbol_copy(const struct softgpu_symbol_copy *c)
{
    if (c && c->to)
        count_copy(c->symbol, c->other, c->bytes, c->kind);
    else if (c)
        count_copy(c->other, c->symbol, c->bytes, c->kind);
}

WRAP_CALL(softgpu_copy_symbol, (const struct softgpu_symbol_copy *c), (c),
          count_symbol_copy(c))
WRAP_CALL(softgpu_copy_symbol_async,
          (const struct softgpu_symbol_copy *c, cudaStream_t stream),
          (c, stream), count_symbol_copy(c))
