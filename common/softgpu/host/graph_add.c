/* SPDX-License-Identifier: MIT */
/** @file
 *  The calls that add nodes.
 */
#include "call.h"
#include "node.h"

/** Where a node goes. */
struct place {
    cudaGraphNode_t *node;
    cudaGraph_t graph;
    struct softgpu_before before;
};

/* Whether a node may go there. */
static cudaError_t check(const struct place *to)
{
    if (!to->node || !softgpu_is_graph(to->graph)
        || (to->before.count && !to->before.nodes))
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

/* Add what was cooked, unless cooking went wrong. */
static cudaError_t add(const struct place *to, cudaError_t error,
                       struct softgpu_recipe *recipe)
{
    if (error)
        return error;
    struct CUgraphNode_st *node;
    error = softgpu_graph_add(to->graph, to->before, &recipe->work, &node);
    if (error)
        return error;
    node->fill = recipe->fill;
    node->copy = recipe->copy;
    *to->node = node;
    return cudaSuccess;
}

/* The body of every call here: a place, then what to cook. */
#define ADD(cook)                                                     \
    do {                                                              \
        const struct place to = {node, graph, {dependencies, n}};     \
        struct softgpu_recipe recipe = {0};                           \
        SOFTGPU_CALL(check(&to) ? check(&to)                          \
                                : add(&to, (cook), &recipe));         \
    } while (0)

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                             const cudaGraphNode_t *dependencies, size_t n,
                             struct cudaGraphNodeParams *params)
{
    ADD(params ? softgpu_cook(&recipe, params) : cudaErrorInvalidValue);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies,
                                   size_t n,
                                   const struct cudaKernelNodeParams *params)
{
    ADD(softgpu_cook_kernel(&recipe, params, NULL));
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies,
                                   size_t n,
                                   const struct cudaMemcpy3DParms *params)
{
    ADD(softgpu_cook_copy(&recipe, params));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies,
                                     size_t n, void *dst, const void *src,
                                     size_t bytes, enum cudaMemcpyKind kind)
{
    const struct cudaMemcpy3DParms params =
        softgpu_line_params(dst, src, bytes, kind);
    ADD(softgpu_cook_copy(&recipe, &params));
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies,
                                   size_t n,
                                   const struct cudaMemsetParams *params)
{
    ADD(softgpu_cook_fill(&recipe, params));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *dependencies, size_t n,
                                 const struct cudaHostNodeParams *params)
{
    ADD(softgpu_cook_host(&recipe, params));
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node,
                                       cudaGraph_t graph,
                                       const cudaGraphNode_t *dependencies,
                                       size_t n, cudaGraph_t child)
{
    ADD(softgpu_cook_child(&recipe, child));
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *dependencies,
                                  size_t n)
{
    const struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeEmpty};
    ADD(softgpu_cook(&recipe, &params));
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node,
                                        cudaGraph_t graph,
                                        const cudaGraphNode_t *dependencies,
                                        size_t n, cudaEvent_t event)
{
    ADD(softgpu_cook_event(&recipe, event, SOFTGPU_RECORD));
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node,
                                      cudaGraph_t graph,
                                      const cudaGraphNode_t *dependencies,
                                      size_t n, cudaEvent_t event)
{
    ADD(softgpu_cook_event(&recipe, event, SOFTGPU_WAIT));
}
