/* SPDX-License-Identifier: MIT */
/** @file
 *  Messages about failed launches.
 */
#include "launch_error.h"

#include <stdio.h>
#include <stdlib.h>

#include "launch.h"

/* Of a loop around a launch that fails, or a recursion, some messages say
 * enough; the rest would hide what ends it. */
static int explain_is_enabled(void)
{
    enum { MOST = 100 };
    static int wanted = -1;
    static _Atomic int messages;
    if (wanted < 0)
        wanted = getenv("SOFTGPU_EXPLAIN") != NULL;
    return wanted && messages++ < MOST;
}

void softgpu_explain_launch_config(dim3 grid, dim3 block)
{
    if (!softgpu_check_launch_config(grid, block) || !explain_is_enabled())
        return;
    fprintf(stderr, "softgpu: no launch of <<<(%u,%u,%u), (%u,%u,%u)>>>: ",
            grid.x, grid.y, grid.z, block.x, block.y, block.z);
    if (!grid.x || !grid.y || !grid.z)
        fprintf(stderr, "a grid without blocks\n");
    else if (!block.x || !block.y || !block.z)
        fprintf(stderr, "a block without threads\n");
    else if ((uint64_t)block.x * block.y * block.z > 1024)
        fprintf(stderr, "%llu threads per block, at most 1024\n",
                (unsigned long long)block.x * block.y * block.z);
    else if (block.z > 64)
        fprintf(stderr, "a block has at most 64 threads in z\n");
    else
        fprintf(stderr, "a grid has at most 65535 blocks in y and in z\n");
}

void softgpu_explain_call(const struct softgpu_kernel *kernel)
{
    if (explain_is_enabled())
        fprintf(stderr, "softgpu: no launch of %s: it was called like a "
                "function; write %s<<<blocks, threads>>>(...)\n",
                kernel->name, kernel->name);
}

void softgpu_explain_launch(const struct softgpu_kernel_command *k,
                            cudaError_t error)
{
    const struct softgpu_kernel *kernel = k->kernel;
    const size_t fixed = softgpu_static_shared(kernel);
    if (!explain_is_enabled())
        return;
    if (error == cudaErrorLaunchOutOfResources)
        fprintf(stderr, "softgpu: no launch of %s: %u threads per block, but "
                "its __launch_bounds__ are %u\n", kernel->name,
                k->block.x * k->block.y * k->block.z, kernel->max_threads);
    else if (error == cudaErrorInvalidValue
             && fixed > softgpu_card()->shared_block)
        fprintf(stderr, "softgpu: no launch of %s: its __shared__ arrays are "
                "%zu bytes, at most %u\n", kernel->name, fixed,
                softgpu_card()->shared_block);
    else if (error == cudaErrorInvalidValue)
        fprintf(stderr, "softgpu: no launch of %s: %zu bytes of dynamic shared "
                "memory, at most %zu unless cudaFuncSetAttribute() allows "
                "more\n", kernel->name, k->dynamic,
                softgpu_dynamic_limit(kernel));
}
