/* SPDX-License-Identifier: MIT */
/** @file
 *  One graph in the place of another of the same shape.
 */
#include "graph.h"

/* Number the nodes of both graphs, so that edges can be compared. */
static void number(const struct CUgraph_st *graph)
{
    for (size_t i = 0; i < graph->count; i++)
        graph->nodes[i]->mark = -1 - (int)i;
}

/* How node i of the new graph differs from the executable's. */
static enum cudaGraphExecUpdateResult compare(
    const struct CUgraphNode_st *old, const struct CUgraphNode_st *new)
{
    if (old->work.kind != new->work.kind)
        return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (old->before_count != new->before_count)
        return cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t i = 0; i < old->before_count; i++)
        if (old->before[i]->mark != new->before[i]->mark)
            return cudaGraphExecUpdateErrorTopologyChanged;
    return cudaGraphExecUpdateSuccess;
}

static cudaError_t refuse(cudaGraphExecUpdateResultInfo *result,
                          enum cudaGraphExecUpdateResult why,
                          struct CUgraphNode_st *node)
{
    result->result = why;
    result->errorNode = node;
    return cudaErrorGraphExecUpdateFailure;
}

static cudaError_t same_shape(const struct CUgraph_st *old,
                              const struct CUgraph_st *new,
                              cudaGraphExecUpdateResultInfo *result)
{
    if (old->count != new->count)
        return refuse(result, cudaGraphExecUpdateErrorTopologyChanged, NULL);
    number(old);
    number(new);
    for (size_t i = 0; i < old->count; i++) {
        struct CUgraphNode_st *node = new->nodes[i];
        const enum cudaGraphExecUpdateResult why =
            compare(old->nodes[i], node);
        if (why)
            return refuse(result, why, node);
        if (node->work.kind == SOFTGPU_GRAPH
            && same_shape(old->nodes[i]->work.graph, node->work.graph, result))
            return cudaErrorGraphExecUpdateFailure;
    }
    return cudaSuccess;
}

/* Let the new graph's copies know the old graph's nodes as their origins. */
static void take_origins(struct CUgraph_st *to, const struct CUgraph_st *from)
{
    for (size_t i = 0; i < to->count; i++) {
        to->nodes[i]->origin = from->nodes[i]->origin;
        to->nodes[i]->disabled = from->nodes[i]->disabled;
        if (to->nodes[i]->work.kind == SOFTGPU_GRAPH)
            take_origins(to->nodes[i]->work.graph,
                         from->nodes[i]->work.graph);
    }
}

cudaError_t softgpu_graph_replace(struct CUgraph_st **graph,
                                  const struct CUgraph_st *by,
                                  cudaGraphExecUpdateResultInfo *result)
{
    const cudaError_t error = same_shape(*graph, by, result);
    if (error)
        return error;
    struct CUgraph_st *copy = softgpu_graph_copy(by);
    if (!copy)
        return cudaErrorMemoryAllocation;
    take_origins(copy, *graph);
    softgpu_graph_free(*graph);
    *graph = copy;
    return cudaSuccess;
}
