/* SPDX-License-Identifier: MIT */
/** @file
 *  CUDA graphs: nodes, edges, topological order, and running them.
 */
#ifndef SOFTGPU_GRAPH_H
#define SOFTGPU_GRAPH_H

#include "user_object.h"
#include "command.h"

/** A node of a graph. */
struct CUgraphNode_st {
    struct CUgraph_st *graph;
    struct softgpu_command command;
    struct CUgraphNode_st **dependencies; /**< owned */
    size_t dependency_count;
    const struct CUgraphNode_st *origin; /**< the node that it is a copy of */
    struct cudaMemsetParams fill;        /**< as the program passed them */
    struct cudaMemcpy3DParms copy;       /**< likewise */
    int disabled; /**< 1: cudaGraphNodeSetEnabled(..., 0) */
    uint64_t end; /**< modeled end while the graph runs, ns */
    int mark;     /**< for traversals */
};

/** A graph; also the content of an executable graph. */
struct CUgraph_st {
    struct CUgraphNode_st **nodes; /**< owned, in order of creation */
    size_t count, capacity;
    int ref_count;           /**< the last reference frees it */
    int has_handle;          /**< 1: the program has a handle of it */
    int nested;              /**< 1: a child graph of a node */
    struct CUgraph_st *next; /**< in the list of graphs with handles */
    /** Owned: its references to user objects. */
    struct softgpu_object_reference *references;
};

/** Run all nodes in topological order; see softgpu_command_run(). */
cudaError_t softgpu_graph_run(struct CUgraph_st *graph,
                              struct softgpu_device *device, uint64_t *now);
/** An empty graph without a handle; NULL without memory. */
struct CUgraph_st *softgpu_graph_new(void);
/** A deep copy without a handle; NULL without memory. */
struct CUgraph_st *softgpu_graph_copy(const struct CUgraph_st *graph);
/** Add a reference.  @return the graph */
struct CUgraph_st *softgpu_graph_retain(struct CUgraph_st *graph);
/** Drop a reference; the last one frees the graph. */
void softgpu_graph_release(struct CUgraph_st *graph);
/** Make a graph and its child graphs valid handles of the program. */
void softgpu_graph_add_handle(struct CUgraph_st *graph);
/** Make the handle invalid. */
void softgpu_graph_remove_handle(struct CUgraph_st *graph);
/** 1 if this is a valid handle of a graph. */
int softgpu_is_graph(const struct CUgraph_st *graph);
/** 1 if this is a node of the graph itself, not of its child graphs. */
int softgpu_graph_has_node(const struct CUgraph_st *graph,
                           const struct CUgraphNode_st *node);
/** 1 if this is a node of a graph with a valid handle. */
int softgpu_is_node(const struct CUgraphNode_st *node);

/** The nodes that a new node depends on. */
struct softgpu_dependencies {
    struct CUgraphNode_st *const *nodes;
    size_t count;
};
/** Add a node.  Takes ownership of the command, also on failure. */
cudaError_t softgpu_graph_add_node(struct CUgraph_st *graph,
                                   struct softgpu_dependencies dependencies,
                                   struct softgpu_command *command,
                                   struct CUgraphNode_st **node);
/** Add an edge; cudaErrorInvalidValue if it exists or would make a cycle. */
cudaError_t softgpu_graph_add_edge(struct CUgraphNode_st *from,
                                   struct CUgraphNode_st *to);
/** Mark a node and all nodes that it depends on, directly or not. */
void softgpu_graph_mark_ancestors(struct CUgraphNode_st *node, int mark);
/** A new mark, which no node has. */
int softgpu_graph_new_mark(void);
/** The copy of a node in a graph or in its child graphs, or NULL. */
struct CUgraphNode_st *softgpu_graph_find_copy(
    struct CUgraph_st *graph, const struct CUgraphNode_st *node);
/** The nodes in topological order, graph->count of them; NULL without memory.
 *  The caller frees the array. */
struct CUgraphNode_st **softgpu_graph_topological_order(
    const struct CUgraph_st *graph);
/** Replace the content of an executable graph by a copy of a graph with the
 *  same topology.  The new nodes take over the origins of the old ones.
 *  @param[out] result  the reason of a cudaErrorGraphExecUpdateFailure */
cudaError_t softgpu_graph_update(struct CUgraph_st **graph,
                                 const struct CUgraph_st *by,
                                 cudaGraphExecUpdateResultInfo *result);

#endif
