/* SPDX-License-Identifier: MIT */
/** @file
 *  Updating an executable graph from a graph with the same topology.
 */
#include "graph.h"

/* Number the nodes of a graph, so that edges can be compared. */
static void number_nodes(const struct CUgraph_st *graph)
{
    for (size_t i = 0; i < graph->count; i++)
        graph->nodes[i]->mark = -1 - (int)i;
}

/* How a node of the new graph differs from the executable graph's. */
static enum cudaGraphExecUpdateResult compare_nodes(
    const struct CUgraphNode_st *old, const struct CUgraphNode_st *new)
{
    if (old->command.kind != new->command.kind)
        return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (old->dependency_count != new->dependency_count)
        return cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t i = 0; i < old->dependency_count; i++)
        if (old->dependencies[i]->mark != new->dependencies[i]->mark)
            return cudaGraphExecUpdateErrorTopologyChanged;
    return cudaGraphExecUpdateSuccess;
}

static cudaError_t fail_update(cudaGraphExecUpdateResultInfo *result,
                               enum cudaGraphExecUpdateResult why,
                               struct CUgraphNode_st *node)
{
    result->result = why;
    result->errorNode = node;
    return cudaErrorGraphExecUpdateFailure;
}

static cudaError_t compare_graphs(const struct CUgraph_st *old,
                                  const struct CUgraph_st *new,
                                  cudaGraphExecUpdateResultInfo *result)
{
    if (old->count != new->count)
        return fail_update(result, cudaGraphExecUpdateErrorTopologyChanged,
                           NULL);
    number_nodes(old);
    number_nodes(new);
    for (size_t i = 0; i < old->count; i++) {
        struct CUgraphNode_st *node = new->nodes[i];
        const enum cudaGraphExecUpdateResult why =
            compare_nodes(old->nodes[i], node);
        if (why)
            return fail_update(result, why, node);
        if (node->command.kind == SOFTGPU_GRAPH
            && compare_graphs(old->nodes[i]->command.graph, node->command.graph,
                              result))
            return cudaErrorGraphExecUpdateFailure;
    }
    return cudaSuccess;
}

/* Copy the origins of the old nodes to the new ones. */
static void copy_origins(struct CUgraph_st *to, const struct CUgraph_st *from)
{
    for (size_t i = 0; i < to->count; i++) {
        to->nodes[i]->origin = from->nodes[i]->origin;
        to->nodes[i]->disabled = from->nodes[i]->disabled;
        if (to->nodes[i]->command.kind == SOFTGPU_GRAPH)
            copy_origins(to->nodes[i]->command.graph,
                         from->nodes[i]->command.graph);
    }
}

cudaError_t softgpu_graph_update(struct CUgraph_st **graph,
                                 const struct CUgraph_st *by,
                                 cudaGraphExecUpdateResultInfo *result)
{
    const cudaError_t error = compare_graphs(*graph, by, result);
    if (error)
        return error;
    struct CUgraph_st *copy = softgpu_graph_copy(by);
    if (!copy)
        return cudaErrorMemoryAllocation;
    copy_origins(copy, *graph);
    softgpu_graph_release(*graph);
    *graph = copy;
    return cudaSuccess;
}
