/* SPDX-License-Identifier: MIT */
/** @file
 *  The cudaGraphAdd...Node() calls.
 */
#include "call.h"
#include "graph_memory.h"
#include "node_spec.h"

/** The graph and the dependencies of a new node. */
struct node_target {
    cudaGraphNode_t *node;
    cudaGraph_t graph;
    struct softgpu_dependencies dependencies;
};

/* Check them. */
static cudaError_t check(const struct node_target *to)
{
    if (!to->node || !softgpu_is_graph(to->graph)
        || (to->dependencies.count && !to->dependencies.nodes))
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

/* Add the node that was built, unless building it failed. */
static cudaError_t add_node(const struct node_target *to, cudaError_t error,
                            struct softgpu_node_spec *spec)
{
    if (error)
        return error;
    struct CUgraphNode_st *node;
    error = softgpu_graph_add_node(to->graph, to->dependencies, &spec->command,
                                   &node);
    if (error)
        return error;
    node->fill = spec->fill;
    node->copy = spec->copy;
    *to->node = node;
    return cudaSuccess;
}

/* The body of every call here; `build` is the call that builds the node. */
#define ADD(build)                                                     \
    do {                                                              \
        const struct node_target to = {node, graph, {dependencies, n}};     \
        struct softgpu_node_spec spec = {0};                           \
        SOFTGPU_CALL(check(&to) ? check(&to)                          \
                                : add_node(&to, (build), &spec));         \
    } while (0)

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                             const cudaGraphNode_t *dependencies, size_t n,
                             struct cudaGraphNodeParams *params)
{
    ADD(params ? softgpu_build_node(&spec, params) : cudaErrorInvalidValue);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies,
                                   size_t n,
                                   const struct cudaKernelNodeParams *params)
{
    ADD(softgpu_build_kernel_node(&spec, params, NULL));
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies,
                                   size_t n,
                                   const struct cudaMemcpy3DParms *params)
{
    ADD(softgpu_build_copy_node(&spec, params));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies,
                                     size_t n, void *dst, const void *src,
                                     size_t bytes, enum cudaMemcpyKind kind)
{
    const struct cudaMemcpy3DParms params =
        softgpu_linear_copy_params(dst, src, bytes, kind);
    ADD(softgpu_build_copy_node(&spec, &params));
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies,
                                   size_t n,
                                   const struct cudaMemsetParams *params)
{
    ADD(softgpu_build_fill_node(&spec, params));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *dependencies, size_t n,
                                 const struct cudaHostNodeParams *params)
{
    ADD(softgpu_build_host_node(&spec, params));
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node,
                                       cudaGraph_t graph,
                                       const cudaGraphNode_t *dependencies,
                                       size_t n, cudaGraph_t child)
{
    ADD(softgpu_build_child_node(&spec, child));
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *dependencies,
                                  size_t n)
{
    struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeEmpty};
    ADD(softgpu_build_node(&spec, &params));
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node,
                                        cudaGraph_t graph,
                                        const cudaGraphNode_t *dependencies,
                                        size_t n, cudaEvent_t event)
{
    ADD(softgpu_build_event_node(&spec, event, SOFTGPU_EVENT_RECORD));
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node,
                                      cudaGraph_t graph,
                                      const cudaGraphNode_t *dependencies,
                                      size_t n, cudaEvent_t event)
{
    ADD(softgpu_build_event_node(&spec, event, SOFTGPU_EVENT_WAIT));
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies,
                                     size_t n,
                                     struct cudaMemAllocNodeParams *params)
{
    ADD(softgpu_build_alloc_node(&spec, params));
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *dependencies,
                                    size_t n, void *dptr)
{
    ADD(softgpu_build_free_node(&spec, dptr));
}
