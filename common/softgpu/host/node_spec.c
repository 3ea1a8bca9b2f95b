/* SPDX-License-Identifier: MIT */
/** @file
 *  Building the commands of graph nodes.
 */
#include "node_spec.h"
#include "graph_condition.h"

#include "call.h"
#include "copy.h"
#include "event.h"
#include "launch.h"

/* Keep the old closure and arguments, change the launch configuration. */
static cudaError_t set_launch_config(struct softgpu_command *command,
                                     const struct cudaKernelNodeParams *p,
                                     const struct softgpu_command *old)
{
    if (softgpu_command_clone(command, old))
        return cudaErrorMemoryAllocation;
    command->kernel.grid = p->gridDim;
    command->kernel.block = p->blockDim;
    command->kernel.dynamic = p->sharedMemBytes;
    const cudaError_t error = softgpu_check_launch(&command->kernel);
    if (error)
        softgpu_command_destroy(command);
    return error;
}

cudaError_t softgpu_build_kernel_node(struct softgpu_node_spec *spec,
                                      const struct cudaKernelNodeParams *params,
                                      const struct softgpu_command *old)
{
    if (!params)
        return cudaErrorInvalidValue;
    const struct softgpu_kernel *kernel = softgpu_find_kernel_of(params->func);
    if (old && !params->kernelParams && old->kernel.kernel == kernel)
        return set_launch_config(&spec->command, params, old);
    return softgpu_make_kernel_command(&spec->command, params,
                                       old ? old->kernel.cooperative : 0);
}

struct cudaMemcpy3DParms softgpu_linear_copy_params(void *dst, const void *src,
                                                    size_t bytes,
                                                    enum cudaMemcpyKind kind)
{
    void *from = (void *)(uintptr_t)src;
    return (struct cudaMemcpy3DParms){
        .dstPtr = {dst, bytes, bytes, 1}, .srcPtr = {from, bytes, bytes, 1},
        .extent = {bytes, 1, 1}, .kind = kind};
}

cudaError_t softgpu_build_copy_node(struct softgpu_node_spec *spec,
                                    const struct cudaMemcpy3DParms *params)
{
    struct softgpu_copy_request request;
    int must_wait;
    cudaError_t error = softgpu_box_copy(&request, params);
    if (!error)
        error = softgpu_make_copy(&spec->command, &request, &must_wait);
    if (!error)
        spec->copy = *params;
    if (!error && spec->command.kind == SOFTGPU_EMPTY) {
        spec->command.kind = SOFTGPU_COPY; /* a copy node even of no bytes */
        spec->command.copy = (struct softgpu_copy_command){.gbs = 1};
    }
    return error;
}

cudaError_t softgpu_build_fill_node(struct softgpu_node_spec *spec,
                                    const struct cudaMemsetParams *params)
{
    if (!params || (params->elementSize != 1 && params->elementSize != 2
                    && params->elementSize != 4))
        return cudaErrorInvalidValue;
    const struct softgpu_fill_command fill = {
        .dst = {params->dst, params->pitch, 0},
        .extent = {params->width * params->elementSize, params->height, 1},
        .value = params->value, .element = params->elementSize};
    const cudaError_t error = softgpu_make_fill(&spec->command, &fill);
    spec->fill = *params;
    if (!error)
        spec->command.kind = SOFTGPU_FILL; /* likewise */
    if (!error)
        spec->command.fill = fill;
    return error;
}

cudaError_t softgpu_build_host_node(struct softgpu_node_spec *spec,
                                    const struct cudaHostNodeParams *params)
{
    if (!params || !params->fn)
        return cudaErrorInvalidValue;
    spec->command = (struct softgpu_command){
        .kind = SOFTGPU_HOST, .device = softgpu_device(),
        .host = {.fn = params->fn, .data = params->userData}};
    return cudaSuccess;
}

cudaError_t softgpu_build_event_node(struct softgpu_node_spec *spec,
                                     cudaEvent_t event,
                                     enum softgpu_command_kind kind)
{
    struct CUevent_st *e = softgpu_event(event);
    if (!e)
        return cudaErrorInvalidValue;
    if (e->shared) /* an event between processes */
        return cudaErrorNotSupported;
    spec->command = (struct softgpu_command){
        .kind = kind, .device = softgpu_device(),
        .event = {.event = softgpu_event_retain(e)}};
    return cudaSuccess;
}

cudaError_t softgpu_build_child_node(struct softgpu_node_spec *spec,
                                     cudaGraph_t child)
{
    if (!softgpu_is_graph(child))
        return cudaErrorInvalidValue;
    spec->command = (struct softgpu_command){.kind = SOFTGPU_GRAPH,
                                         .device = softgpu_device(),
                                         .graph = softgpu_graph_copy(child)};
    return spec->command.graph ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t softgpu_build_node(struct softgpu_node_spec *spec,
                               struct cudaGraphNodeParams *params)
{
    switch (params->type) {
    case cudaGraphNodeTypeKernel:
        return softgpu_build_kernel_node(spec, &params->kernel, NULL);
    case cudaGraphNodeTypeMemcpy:
        return softgpu_build_copy_node(spec, &params->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
        return softgpu_build_fill_node(spec, &params->memset);
    case cudaGraphNodeTypeHost:
        return softgpu_build_host_node(spec, &params->host);
    case cudaGraphNodeTypeGraph:
        return softgpu_build_child_node(spec, params->graph.graph);
    case cudaGraphNodeTypeConditional:
        return softgpu_build_conditional_node(spec, &params->conditional);
    case cudaGraphNodeTypeEmpty:
        spec->command = (struct softgpu_command){.kind = SOFTGPU_EMPTY,
                                             .device = softgpu_device()};
        return cudaSuccess;
    case cudaGraphNodeTypeWaitEvent:
        return softgpu_build_event_node(spec, params->eventWait.event,
                                        SOFTGPU_EVENT_WAIT);
    case cudaGraphNodeTypeEventRecord:
        return softgpu_build_event_node(spec, params->eventRecord.event,
                                        SOFTGPU_EVENT_RECORD);
    default:
        return cudaErrorNotSupported;
    }
}

cudaError_t softgpu_rebuild_node(struct softgpu_node_spec *spec,
                                 struct cudaGraphNodeParams *params,
                                 const struct softgpu_command *old)
{
    if (!params)
        return cudaErrorInvalidValue;
    if (old->kind == SOFTGPU_GRAPH || old->kind == SOFTGPU_GRAPH_ALLOC
        || old->kind == SOFTGPU_GRAPH_FREE)
        return cudaErrorNotSupported;
    if (old->kind == SOFTGPU_KERNEL && params->type == cudaGraphNodeTypeKernel)
        return softgpu_build_kernel_node(spec, &params->kernel, old);
    const cudaError_t error = softgpu_build_node(spec, params);
    if (error || spec->command.kind == old->kind)
        return error;
    softgpu_command_destroy(&spec->command);
    return cudaErrorInvalidValue;
}

void softgpu_node_replace_command(struct CUgraphNode_st *node,
                                  struct softgpu_node_spec *spec)
{
    softgpu_command_destroy(&node->command);
    node->command = spec->command;
    node->fill = spec->fill;
    node->copy = spec->copy;
}
