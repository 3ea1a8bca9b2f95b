/* SPDX-License-Identifier: MIT */
/** @file
 *  Executable graphs: a copy of a graph, shared with queued launches by
 *  reference counting and copied on write.
 */
#include <stdlib.h>

#include "call.h"
#include "event.h"
#include "graph_memory.h"
#include "node_spec.h"
#include "stream.h"

/** An executable graph. */
struct CUgraphExec_st {
    struct CUgraph_st *graph; /**< holds a reference; its nodes have origins */
    struct CUevent_st *launched; /**< owned; recorded by the last launch */
    struct CUgraphExec_st *next;
};

static struct CUgraphExec_st *all;

static int is_exec(const struct CUgraphExec_st *exec)
{
    const struct CUgraphExec_st *e = all;
    while (e && e != exec)
        e = e->next;
    return e != NULL;
}

static void free_exec(struct CUgraphExec_st *exec)
{
    if (exec->graph)
        softgpu_graph_release(exec->graph);
    if (exec->launched)
        softgpu_event_release(exec->launched);
    free(exec);
}

static cudaError_t instantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                               unsigned long long flags)
{
    const unsigned long long known = cudaGraphInstantiateFlagAutoFreeOnLaunch
                                     | cudaGraphInstantiateFlagUpload
                                     | cudaGraphInstantiateFlagUseNodePriority;
    if (!exec || !softgpu_is_graph(graph))
        return cudaErrorInvalidValue;
    if (flags & cudaGraphInstantiateFlagDeviceLaunch)
        return cudaErrorNotSupported;
    if (flags & ~known)
        return cudaErrorInvalidValue;
    struct CUgraphExec_st *e = calloc(1, sizeof *e);
    if (!e)
        return cudaErrorMemoryAllocation;
    e->graph = softgpu_graph_copy(graph);
    e->launched = softgpu_event_new(softgpu_device(), 0);
    if (!e->graph || !e->launched) {
        free_exec(e);
        return cudaErrorMemoryAllocation;
    }
    e->launched->is_of_launches = 1;
    e->next = all;
    all = e;
    *exec = e;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags)
{
    SOFTGPU_CALL(instantiate(exec, graph, flags));
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec,
                                          cudaGraph_t graph,
                                          unsigned long long flags)
{
    SOFTGPU_CALL(instantiate(exec, graph, flags));
}

static cudaError_t instantiate_with_params(cudaGraphExec_t *exec,
                                           cudaGraph_t graph,
                                           cudaGraphInstantiateParams *params)
{
    if (!params)
        return cudaErrorInvalidValue;
    const cudaError_t error = instantiate(exec, graph, params->flags);
    params->errNode_out = NULL;
    params->result_out = error ? cudaGraphInstantiateError
                               : cudaGraphInstantiateSuccess;
    return error;
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec,
                                           cudaGraph_t graph,
                                           cudaGraphInstantiateParams *params)
{
    SOFTGPU_CALL(instantiate_with_params(exec, graph, params));
}

static cudaError_t destroy(cudaGraphExec_t exec)
{
    struct CUgraphExec_st **link = &all;
    while (*link && *link != exec)
        link = &(*link)->next;
    if (!*link)
        return cudaErrorInvalidValue;
    *link = exec->next;
    free_exec(exec);
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    SOFTGPU_CALL(destroy(exec));
}

/* Order a launch behind the last one, as cudaGraphLaunch() does; in one stream
 * it is. */
static cudaError_t wait_for_last_launch(const struct CUgraphExec_st *exec,
                                        struct CUstream_st *stream)
{
    struct CUevent_st *last = exec->launched;
    if (!last->recorded || last->position.stream == stream)
        return cudaSuccess;
    struct softgpu_command command = {.kind = SOFTGPU_EVENT_WAIT,
                                      .device = stream->device};
    command.event.event = softgpu_event_retain(last);
    command.event.position = last->position;
    return softgpu_submit(stream, &command);
}

/* The graph has been queued in a stream. */
static void record_launch(struct CUevent_st *launched,
                          struct CUstream_st *stream)
{
    launched->position = softgpu_stream_end(stream);
    launched->clock = stream->clock;
    launched->recorded = 1;
}

static cudaError_t launch(cudaGraphExec_t exec, cudaStream_t handle)
{
    struct CUstream_st *s = softgpu_stream(handle);
    if (!is_exec(exec))
        return cudaErrorInvalidValue;
    if (!s)
        return cudaErrorInvalidResourceHandle;
    struct softgpu_command command = {.kind = SOFTGPU_GRAPH,
                                      .device = s->device};
    /* a captured node must own its graph alone */
    command.graph = s->capture ? softgpu_graph_copy(exec->graph)
                            : softgpu_graph_retain(exec->graph);
    if (!command.graph)
        return cudaErrorMemoryAllocation;
    if (s->capture)
        return softgpu_submit(s, &command);
    softgpu_graph_memory_queued(exec->graph);
    cudaError_t error = wait_for_last_launch(exec, s);
    if (error) {
        softgpu_command_destroy(&command);
        return error;
    }
    error = softgpu_submit(s, &command);
    if (!error)
        record_launch(exec->launched, s);
    return error;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    SOFTGPU_CALL(launch(exec, stream));
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream)
{
    SOFTGPU_CALL(!is_exec(exec)           ? cudaErrorInvalidValue
                 : softgpu_stream(stream) ? cudaSuccess
                                          : cudaErrorInvalidResourceHandle);
}

/* Set the origins of a second copy to those of the first. */
static void inherit_origins(struct CUgraph_st *graph)
{
    for (size_t i = 0; i < graph->count; i++) {
        struct CUgraphNode_st *node = graph->nodes[i];
        node->origin = node->origin->origin;
        if (node->command.kind == SOFTGPU_GRAPH)
            inherit_origins(node->command.graph);
    }
}

/* Copy on write: make the graph private, so that it can be changed. */
static cudaError_t make_private(struct CUgraphExec_st *exec)
{
    if (exec->graph->ref_count == 1)
        return cudaSuccess;
    struct CUgraph_st *copy = softgpu_graph_copy(exec->graph);
    if (!copy)
        return cudaErrorMemoryAllocation;
    inherit_origins(copy);
    softgpu_graph_release(exec->graph);
    exec->graph = copy;
    return cudaSuccess;
}

/* The executable graph's copy of a node for a change, or NULL. */
static struct CUgraphNode_st *find_node(cudaGraphExec_t exec,
                                        cudaGraphNode_t node)
{
    if (!is_exec(exec) || !node || make_private(exec))
        return NULL;
    return softgpu_graph_find_copy(exec->graph, node);
}

static struct CUgraphNode_st *find_kind(cudaGraphExec_t exec,
                                        cudaGraphNode_t node,
                                        enum softgpu_command_kind kind)
{
    struct CUgraphNode_st *copy = find_node(exec, node);
    return copy && copy->command.kind == kind ? copy : NULL;
}

/* Replace a node's command, unless building the new one failed. */
static cudaError_t set_node(struct CUgraphNode_st *copy, cudaError_t error,
                            struct softgpu_node_spec *spec)
{
    if (!error)
        softgpu_node_replace_command(copy, spec);
    return error;
}

#define SET_NODE(build)                                                  \
    do {                                                              \
        struct softgpu_node_spec spec = {0};                           \
        return copy ? set_node(copy, (build), &spec)                   \
                    : cudaErrorInvalidValue;                          \
    } while (0)

static cudaError_t set_kernel(struct CUgraphNode_st *copy,
                              const struct cudaKernelNodeParams *params)
{
    SET_NODE(softgpu_build_kernel_node(&spec, params, &copy->command));
}

cudaError_t cudaGraphExecKernelNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node,
    const struct cudaKernelNodeParams *params)
{
    SOFTGPU_CALL(set_kernel(find_kind(exec, node, SOFTGPU_KERNEL), params));
}

static cudaError_t set_copy(struct CUgraphNode_st *copy,
                            const struct cudaMemcpy3DParms *params)
{
    SET_NODE(softgpu_build_copy_node(&spec, params));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node,
    const struct cudaMemcpy3DParms *params)
{
    SOFTGPU_CALL(set_copy(find_kind(exec, node, SOFTGPU_COPY), params));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec,
                                               cudaGraphNode_t node, void *dst,
                                               const void *src, size_t bytes,
                                               enum cudaMemcpyKind kind)
{
    const struct cudaMemcpy3DParms params =
        softgpu_linear_copy_params(dst, src, bytes, kind);
    SOFTGPU_CALL(set_copy(find_kind(exec, node, SOFTGPU_COPY), &params));
}

static cudaError_t set_fill(struct CUgraphNode_st *copy,
                            const struct cudaMemsetParams *params)
{
    SET_NODE(softgpu_build_fill_node(&spec, params));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node,
    const struct cudaMemsetParams *params)
{
    SOFTGPU_CALL(set_fill(find_kind(exec, node, SOFTGPU_FILL), params));
}

static cudaError_t set_host(struct CUgraphNode_st *copy,
                            const struct cudaHostNodeParams *params)
{
    SET_NODE(softgpu_build_host_node(&spec, params));
}

cudaError_t cudaGraphExecHostNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node,
    const struct cudaHostNodeParams *params)
{
    SOFTGPU_CALL(set_host(find_kind(exec, node, SOFTGPU_HOST), params));
}

/* Nodes of other types synchronize or allocate: others rely on them. */
static int can_be_disabled(const struct CUgraphNode_st *node)
{
    return node
           && (node->command.kind == SOFTGPU_KERNEL
               || node->command.kind == SOFTGPU_COPY
               || node->command.kind == SOFTGPU_FILL);
}

static cudaError_t set_enabled(struct CUgraphNode_st *copy, unsigned enabled)
{
    if (!can_be_disabled(copy) || enabled > 1)
        return cudaErrorInvalidValue;
    copy->disabled = !enabled;
    return cudaSuccess;
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int enabled)
{
    SOFTGPU_CALL(set_enabled(find_node(exec, node), enabled));
}

static cudaError_t get_enabled(const struct CUgraphNode_st *copy,
                               unsigned *enabled)
{
    if (!can_be_disabled(copy) || !enabled)
        return cudaErrorInvalidValue;
    *enabled = !copy->disabled;
    return cudaSuccess;
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int *enabled)
{
    SOFTGPU_CALL(get_enabled(find_node(exec, node), enabled));
}

static cudaError_t update(cudaGraphExec_t exec, cudaGraph_t graph,
                          cudaGraphExecUpdateResultInfo *result)
{
    cudaGraphExecUpdateResultInfo unused;
    if (!result)
        result = &unused;
    *result = (cudaGraphExecUpdateResultInfo){0};
    if (!is_exec(exec) || !softgpu_is_graph(graph)) {
        result->result = cudaGraphExecUpdateError;
        return cudaErrorInvalidValue;
    }
    return softgpu_graph_update(&exec->graph, graph, result);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result)
{
    SOFTGPU_CALL(update(exec, graph, result));
}

static cudaError_t set_child(struct CUgraphNode_st *node, cudaGraph_t child)
{
    cudaGraphExecUpdateResultInfo unused;
    if (!node || !softgpu_is_graph(child))
        return cudaErrorInvalidValue;
    const cudaError_t error =
        softgpu_graph_update(&node->command.graph, child, &unused);
    return error == cudaErrorGraphExecUpdateFailure ? cudaErrorInvalidValue
                                                    : error;
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec,
                                                 cudaGraphNode_t node,
                                                 cudaGraph_t child)
{
    SOFTGPU_CALL(set_child(find_kind(exec, node, SOFTGPU_GRAPH), child));
}

static cudaError_t set_any(struct CUgraphNode_st *copy,
                           struct cudaGraphNodeParams *params)
{
    if (params && params->type == cudaGraphNodeTypeGraph)
        return copy && copy->command.kind == SOFTGPU_GRAPH
                   ? set_child(copy, params->graph.graph)
                   : cudaErrorInvalidValue;
    SET_NODE(softgpu_rebuild_node(&spec, params, &copy->command));
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec,
                                       cudaGraphNode_t node,
                                       struct cudaGraphNodeParams *params)
{
    SOFTGPU_CALL(set_any(find_node(exec, node), params));
}
