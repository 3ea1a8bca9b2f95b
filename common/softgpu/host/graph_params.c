/* SPDX-License-Identifier: MIT */
/** @file
 *  Calls that read and change the parameters of nodes.
 */
#include "call.h"
#include "event.h"
#include "node_spec.h"

/* Check that this is a node of this type. */
static cudaError_t check(cudaGraphNode_t node, enum softgpu_command_kind kind)
{
    return softgpu_is_node(node) && node->command.kind == kind
               ? cudaSuccess
               : cudaErrorInvalidValue;
}

static cudaError_t type_of(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
    static const enum cudaGraphNodeType types[] = {
        [SOFTGPU_EMPTY] = cudaGraphNodeTypeEmpty,
        [SOFTGPU_KERNEL] = cudaGraphNodeTypeKernel,
        [SOFTGPU_COPY] = cudaGraphNodeTypeMemcpy,
        [SOFTGPU_FILL] = cudaGraphNodeTypeMemset,
        [SOFTGPU_HOST] = cudaGraphNodeTypeHost,
        [SOFTGPU_EVENT_RECORD] = cudaGraphNodeTypeEventRecord,
        [SOFTGPU_EVENT_WAIT] = cudaGraphNodeTypeWaitEvent,
        [SOFTGPU_GRAPH] = cudaGraphNodeTypeGraph,
        [SOFTGPU_GRAPH_ALLOC] = cudaGraphNodeTypeMemAlloc,
        [SOFTGPU_GRAPH_FREE] = cudaGraphNodeTypeMemFree};
    if (!type || !softgpu_is_node(node))
        return cudaErrorInvalidValue;
    *type = node->command.condition ? cudaGraphNodeTypeConditional
                                    : types[node->command.kind];
    return cudaSuccess;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node,
                                 enum cudaGraphNodeType *type)
{
    SOFTGPU_CALL(type_of(node, type));
}

static cudaError_t child_of(cudaGraphNode_t node, cudaGraph_t *graph)
{
    const cudaError_t error = check(node, SOFTGPU_GRAPH);
    if (error || !graph)
        return cudaErrorInvalidValue;
    *graph = node->command.graph;
    return cudaSuccess;
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node,
                                            cudaGraph_t *graph)
{
    SOFTGPU_CALL(child_of(node, graph));
}

static cudaError_t get_kernel(cudaGraphNode_t node,
                              struct cudaKernelNodeParams *to)
{
    if (!to || check(node, SOFTGPU_KERNEL))
        return cudaErrorInvalidValue;
    const struct softgpu_kernel_command *k = &node->command.kernel;
    *to = (struct cudaKernelNodeParams){
        .func = (void *)(uintptr_t)k->kernel->stub, .gridDim = k->grid,
        .blockDim = k->block, .sharedMemBytes = (unsigned)k->dynamic,
        .kernelParams = k->args};
    return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                         struct cudaKernelNodeParams *params)
{
    SOFTGPU_CALL(get_kernel(node, params));
}

/* Replace a node's command, unless building the new one failed. */
static cudaError_t set_node(cudaGraphNode_t node, cudaError_t error,
                            struct softgpu_node_spec *spec)
{
    if (!error)
        softgpu_node_replace_command(node, spec);
    return error;
}

/* The body of the calls that change a node; `build` builds the new command. */
#define SET_NODE(kind, build)                                          \
    do {                                                            \
        struct softgpu_node_spec spec = {0};                         \
        SOFTGPU_CALL(check(node, kind)                              \
                         ? cudaErrorInvalidValue                    \
                         : set_node(node, (build), &spec));          \
    } while (0)

cudaError_t cudaGraphKernelNodeSetParams(
    cudaGraphNode_t node, const struct cudaKernelNodeParams *params)
{
    SET_NODE(SOFTGPU_KERNEL,
             softgpu_build_kernel_node(&spec, params, &node->command));
}

/* A captured copy has no parameters: derive them from its command. */
static struct cudaMemcpy3DParms copy_params(const struct CUgraphNode_st *node)
{
    if (node->copy.extent.width)
        return node->copy;
    const struct softgpu_copy_command *c = &node->command.copy;
    struct cudaMemcpy3DParms p = {.extent = c->extent, .kind = c->kind};
    p.dstPtr = make_cudaPitchedPtr(c->dst.ptr, c->dst.pitch, c->extent.width,
                                   c->extent.height);
    p.srcPtr = make_cudaPitchedPtr(c->src.ptr, c->src.pitch, c->extent.width,
                                   c->extent.height);
    return p;
}

static cudaError_t get_copy(cudaGraphNode_t node, struct cudaMemcpy3DParms *to)
{
    if (!to || check(node, SOFTGPU_COPY))
        return cudaErrorInvalidValue;
    *to = copy_params(node);
    return cudaSuccess;
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node,
                                         struct cudaMemcpy3DParms *params)
{
    SOFTGPU_CALL(get_copy(node, params));
}

cudaError_t cudaGraphMemcpyNodeSetParams(
    cudaGraphNode_t node, const struct cudaMemcpy3DParms *params)
{
    SET_NODE(SOFTGPU_COPY, softgpu_build_copy_node(&spec, params));
}

static cudaError_t get_fill(cudaGraphNode_t node, struct cudaMemsetParams *to)
{
    if (!to || check(node, SOFTGPU_FILL))
        return cudaErrorInvalidValue;
    const struct softgpu_fill_command *f = &node->command.fill;
    *to = (struct cudaMemsetParams){
        .dst = f->dst.ptr, .pitch = f->dst.pitch, .value = f->value,
        .elementSize = f->element, .width = f->extent.width / f->element,
        .height = f->extent.height};
    return cudaSuccess;
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node,
                                         struct cudaMemsetParams *params)
{
    SOFTGPU_CALL(get_fill(node, params));
}

cudaError_t cudaGraphMemsetNodeSetParams(
    cudaGraphNode_t node, const struct cudaMemsetParams *params)
{
    SET_NODE(SOFTGPU_FILL, softgpu_build_fill_node(&spec, params));
}

static cudaError_t get_host(cudaGraphNode_t node,
                            struct cudaHostNodeParams *to)
{
    if (!to || check(node, SOFTGPU_HOST))
        return cudaErrorInvalidValue;
    to->fn = node->command.host.fn;
    to->userData = node->command.host.data;
    return cudaSuccess;
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node,
                                       struct cudaHostNodeParams *params)
{
    SOFTGPU_CALL(get_host(node, params));
}

cudaError_t cudaGraphHostNodeSetParams(
    cudaGraphNode_t node, const struct cudaHostNodeParams *params)
{
    SET_NODE(SOFTGPU_HOST, softgpu_build_host_node(&spec, params));
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node,
                                   struct cudaGraphNodeParams *params)
{
    struct softgpu_node_spec spec = {0};
    SOFTGPU_CALL(
        !softgpu_is_node(node)
            ? cudaErrorInvalidValue
            : set_node(node,
                       softgpu_rebuild_node(&spec, params, &node->command),
                       &spec));
}
