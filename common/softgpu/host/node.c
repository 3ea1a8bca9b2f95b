/* SPDX-License-Identifier: MIT */
/** @file
 *  What nodes do.
 */
#include "node.h"

#include "call.h"
#include "copy.h"
#include "event.h"
#include "launch.h"

/* The old closure and arguments with a new shape. */
static cudaError_t reshape(struct softgpu_work *work,
                           const struct cudaKernelNodeParams *p,
                           const struct softgpu_work *old)
{
    if (softgpu_work_clone(work, old))
        return cudaErrorMemoryAllocation;
    work->kernel.grid = p->gridDim;
    work->kernel.block = p->blockDim;
    work->kernel.dynamic = p->sharedMemBytes;
    const cudaError_t error = softgpu_check_launch(&work->kernel);
    if (error)
        softgpu_work_drop(work);
    return error;
}

cudaError_t softgpu_cook_kernel(struct softgpu_recipe *recipe,
                                const struct cudaKernelNodeParams *params,
                                const struct softgpu_work *old)
{
    if (!params)
        return cudaErrorInvalidValue;
    const struct softgpu_kernel *kernel = softgpu_kernel_at(params->func);
    if (old && !params->kernelParams && old->kernel.kernel == kernel)
        return reshape(&recipe->work, params, old);
    return softgpu_make_kernel_work(&recipe->work, params,
                                    old ? old->kernel.cooperative : 0);
}

struct cudaMemcpy3DParms softgpu_line_params(void *dst, const void *src,
                                             size_t bytes,
                                             enum cudaMemcpyKind kind)
{
    void *from = (void *)(uintptr_t)src;
    return (struct cudaMemcpy3DParms){
        .dstPtr = {dst, bytes, bytes, 1}, .srcPtr = {from, bytes, bytes, 1},
        .extent = {bytes, 1, 1}, .kind = kind};
}

cudaError_t softgpu_cook_copy(struct softgpu_recipe *recipe,
                              const struct cudaMemcpy3DParms *params)
{
    struct softgpu_copy_request request;
    int at_once;
    cudaError_t error = softgpu_box_copy(&request, params);
    if (!error)
        error = softgpu_make_copy(&recipe->work, &request, &at_once);
    if (!error)
        recipe->copy = *params;
    if (!error && recipe->work.kind == SOFTGPU_EMPTY) {
        recipe->work.kind = SOFTGPU_COPY; /* of no bytes: still a copy node */
        recipe->work.copy = (struct softgpu_copy_work){.gbs = 1};
    }
    return error;
}

cudaError_t softgpu_cook_fill(struct softgpu_recipe *recipe,
                              const struct cudaMemsetParams *params)
{
    if (!params || (params->elementSize != 1 && params->elementSize != 2
                    && params->elementSize != 4))
        return cudaErrorInvalidValue;
    const struct softgpu_fill_work fill = {
        .dst = {params->dst, params->pitch, 0},
        .extent = {params->width * params->elementSize, params->height, 1},
        .value = params->value, .element = params->elementSize};
    const cudaError_t error = softgpu_make_fill(&recipe->work, &fill);
    recipe->fill = *params;
    if (!error)
        recipe->work.kind = SOFTGPU_FILL; /* of no bytes, too */
    if (!error)
        recipe->work.fill = fill;
    return error;
}

cudaError_t softgpu_cook_host(struct softgpu_recipe *recipe,
                              const struct cudaHostNodeParams *params)
{
    if (!params || !params->fn)
        return cudaErrorInvalidValue;
    recipe->work = (struct softgpu_work){
        .kind = SOFTGPU_HOST, .device = softgpu_device(),
        .host = {.fn = params->fn, .data = params->userData}};
    return cudaSuccess;
}

cudaError_t softgpu_cook_event(struct softgpu_recipe *recipe,
                               cudaEvent_t event,
                               enum softgpu_work_kind kind)
{
    struct CUevent_st *e = softgpu_event(event);
    if (!e)
        return cudaErrorInvalidValue;
    recipe->work = (struct softgpu_work){
        .kind = kind, .device = softgpu_device(),
        .event = {.event = softgpu_event_hold(e)}};
    return cudaSuccess;
}

cudaError_t softgpu_cook_child(struct softgpu_recipe *recipe,
                               cudaGraph_t child)
{
    if (!softgpu_is_graph(child))
        return cudaErrorInvalidValue;
    recipe->work = (struct softgpu_work){.kind = SOFTGPU_GRAPH,
                                         .device = softgpu_device(),
                                         .graph = softgpu_graph_copy(child)};
    return recipe->work.graph ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t softgpu_cook(struct softgpu_recipe *recipe,
                         const struct cudaGraphNodeParams *params)
{
    switch (params->type) {
    case cudaGraphNodeTypeKernel:
        return softgpu_cook_kernel(recipe, &params->kernel, NULL);
    case cudaGraphNodeTypeMemcpy:
        return softgpu_cook_copy(recipe, &params->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
        return softgpu_cook_fill(recipe, &params->memset);
    case cudaGraphNodeTypeHost:
        return softgpu_cook_host(recipe, &params->host);
    case cudaGraphNodeTypeGraph:
        return softgpu_cook_child(recipe, params->graph.graph);
    case cudaGraphNodeTypeEmpty:
        recipe->work = (struct softgpu_work){.kind = SOFTGPU_EMPTY,
                                             .device = softgpu_device()};
        return cudaSuccess;
    case cudaGraphNodeTypeWaitEvent:
        return softgpu_cook_event(recipe, params->eventWait.event,
                                  SOFTGPU_WAIT);
    case cudaGraphNodeTypeEventRecord:
        return softgpu_cook_event(recipe, params->eventRecord.event,
                                  SOFTGPU_RECORD);
    default:
        return cudaErrorNotSupported;
    }
}

cudaError_t softgpu_cook_again(struct softgpu_recipe *recipe,
                               const struct cudaGraphNodeParams *params,
                               const struct softgpu_work *old)
{
    if (!params)
        return cudaErrorInvalidValue;
    if (old->kind == SOFTGPU_GRAPH || old->kind == SOFTGPU_ALLOCATE
        || old->kind == SOFTGPU_RELEASE)
        return cudaErrorNotSupported;
    if (old->kind == SOFTGPU_KERNEL && params->type == cudaGraphNodeTypeKernel)
        return softgpu_cook_kernel(recipe, &params->kernel, old);
    const cudaError_t error = softgpu_cook(recipe, params);
    if (error || recipe->work.kind == old->kind)
        return error;
    softgpu_work_drop(&recipe->work);
    return cudaErrorInvalidValue;
}

void softgpu_recook(struct CUgraphNode_st *node, struct softgpu_recipe *recipe)
{
    softgpu_work_drop(&node->work);
    node->work = recipe->work;
    node->fill = recipe->fill;
    node->copy = recipe->copy;
}
