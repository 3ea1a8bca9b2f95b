/* SPDX-License-Identifier: MIT */
/** @file
 *  The calls that read and change what nodes do.
 */
#include "call.h"
#include "event.h"
#include "node.h"

/* Whether this is a node of this kind. */
static cudaError_t check(cudaGraphNode_t node, enum softgpu_work_kind kind)
{
    return softgpu_is_node(node) && node->work.kind == kind
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
        [SOFTGPU_RECORD] = cudaGraphNodeTypeEventRecord,
        [SOFTGPU_WAIT] = cudaGraphNodeTypeWaitEvent,
        [SOFTGPU_GRAPH] = cudaGraphNodeTypeGraph,
        [SOFTGPU_ALLOCATE] = cudaGraphNodeTypeMemAlloc,
        [SOFTGPU_RELEASE] = cudaGraphNodeTypeMemFree};
    if (!type || !softgpu_is_node(node))
        return cudaErrorInvalidValue;
    *type = types[node->work.kind];
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
    *graph = node->work.graph;
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
    const struct softgpu_kernel_work *k = &node->work.kernel;
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

/* Change a node, unless cooking went wrong. */
static cudaError_t change(cudaGraphNode_t node, cudaError_t error,
                          struct softgpu_recipe *recipe)
{
    if (!error)
        softgpu_recook(node, recipe);
    return error;
}

/* The body of every call that changes a node of a kind. */
#define CHANGE(kind, cook)                                          \
    do {                                                            \
        struct softgpu_recipe recipe = {0};                         \
        SOFTGPU_CALL(check(node, kind)                              \
                         ? cudaErrorInvalidValue                    \
                         : change(node, (cook), &recipe));          \
    } while (0)

cudaError_t cudaGraphKernelNodeSetParams(
    cudaGraphNode_t node, const struct cudaKernelNodeParams *params)
{
    CHANGE(SOFTGPU_KERNEL, softgpu_cook_kernel(&recipe, params, &node->work));
}

/* A captured copy has no parameters yet: make them of its work. */
static struct cudaMemcpy3DParms copy_params(const struct CUgraphNode_st *node)
{
    if (node->copy.extent.width)
        return node->copy;
    const struct softgpu_copy_work *c = &node->work.copy;
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
    CHANGE(SOFTGPU_COPY, softgpu_cook_copy(&recipe, params));
}

static cudaError_t get_fill(cudaGraphNode_t node, struct cudaMemsetParams *to)
{
    if (!to || check(node, SOFTGPU_FILL))
        return cudaErrorInvalidValue;
    const struct softgpu_fill_work *f = &node->work.fill;
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
    CHANGE(SOFTGPU_FILL, softgpu_cook_fill(&recipe, params));
}

static cudaError_t get_host(cudaGraphNode_t node,
                            struct cudaHostNodeParams *to)
{
    if (!to || check(node, SOFTGPU_HOST))
        return cudaErrorInvalidValue;
    to->fn = node->work.host.fn;
    to->userData = node->work.host.data;
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
    CHANGE(SOFTGPU_HOST, softgpu_cook_host(&recipe, params));
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node,
                                   struct cudaGraphNodeParams *params)
{
    struct softgpu_recipe recipe = {0};
    SOFTGPU_CALL(!softgpu_is_node(node)
                     ? cudaErrorInvalidValue
                     : change(node,
                              softgpu_cook_again(&recipe, params, &node->work),
                              &recipe));
}
