/* SPDX-License-Identifier: MIT */
/* The remote calls of the runtime and of cuRAND, and what host code may call
 * in its own process. */
#include <cuda_runtime_api.h>
#include <curand.h>

#include "common/softgpu/host/remote.h"

#define REMOTE_TABLE remote_runtime
#define REMOTE_CALLS "grader/runner/soft/remote_runtime.def.h"
#include "remote_table.inc"

/* The query calls a function of the program, and needs no device. */
cudaError_t __real_softgpu_max_potential_block(
    int *grid, int *block, const struct softgpu_occupancy_query *query);
cudaError_t __wrap_softgpu_max_potential_block(
    int *grid, int *block, const struct softgpu_occupancy_query *query);

cudaError_t __wrap_softgpu_max_potential_block(
    int *grid, int *block, const struct softgpu_occupancy_query *query)
{
    const int had_none = softgpu_has_no_device;
    cudaError_t error;

    softgpu_has_no_device = 0;
    error = __real_softgpu_max_potential_block(grid, block, query);
    softgpu_has_no_device = had_none;
    return error;
}
