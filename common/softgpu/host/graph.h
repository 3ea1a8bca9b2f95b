/* SPDX-License-Identifier: MIT */
/** @file
 *  Graphs: nodes, their order, and running them.
 */
#ifndef SOFTGPU_GRAPH_H
#define SOFTGPU_GRAPH_H

#include "user_object.h"
#include "work.h"

/** A node. */
struct CUgraphNode_st {
    struct CUgraph_st *graph;
    struct softgpu_work work;
    struct CUgraphNode_st **before; /**< owned: what it depends on */
    size_t before_count;
    const struct CUgraphNode_st *origin; /**< the node it is a copy of */
    struct cudaMemsetParams fill;        /**< as given */
    struct cudaMemcpy3DParms copy;       /**< as given */
    int disabled;
    uint64_t end; /**< modelled, while the graph runs */
    int mark;     /**< for walks over the graph */
};

/** A graph; also the inside of an executable one. */
struct CUgraph_st {
    struct CUgraphNode_st **nodes; /**< owned, in order of making */
    size_t count, room;
    int holders;             /**< who frees it: the last of them */
    int known;               /**< the program has a handle of it */
    int nested;              /**< a node's: not the program's to destroy */
    struct CUgraph_st *next; /**< of all the program has */
    struct softgpu_kept *kept; /**< owned: references to user objects */
};

/** Run all nodes in an order that keeps the edges; as softgpu_work_run. */
cudaError_t softgpu_graph_run(struct CUgraph_st *graph,
                              struct softgpu_device *device, uint64_t *now);
/** A graph that the program does not know yet; NULL without memory. */
struct CUgraph_st *softgpu_graph_new(void);
/** A deep copy, likewise. */
struct CUgraph_st *softgpu_graph_copy(const struct CUgraph_st *graph);
/** Hold a graph. */
struct CUgraph_st *softgpu_graph_hold(struct CUgraph_st *graph);
/** Let go of it. */
void softgpu_graph_free(struct CUgraph_st *graph);
/** Let the program know a graph and those in it, so that they are handles. */
void softgpu_graph_publish(struct CUgraph_st *graph);
/** Take the handle away. */
void softgpu_graph_retract(struct CUgraph_st *graph);
/** 1 if this is a graph the program knows. */
int softgpu_is_graph(const struct CUgraph_st *graph);
/** 1 if this is a node of a graph the program knows. */
int softgpu_is_node(const struct CUgraphNode_st *node);

/** What a new node depends on. */
struct softgpu_before {
    struct CUgraphNode_st *const *nodes;
    size_t count;
};
/** Add a node; takes the work over, whatever is returned. */
cudaError_t softgpu_graph_add(struct CUgraph_st *graph,
                              struct softgpu_before before,
                              struct softgpu_work *work,
                              struct CUgraphNode_st **node);
/** Add an edge; cudaErrorInvalidValue if it is there or makes a cycle. */
cudaError_t softgpu_graph_link(struct CUgraphNode_st *from,
                               struct CUgraphNode_st *to);
/** Mark a node and all it depends on, directly or not, with `mark`. */
void softgpu_graph_mark(struct CUgraphNode_st *node, int mark);
/** A mark that no node has. */
int softgpu_graph_new_mark(void);
/** The copy of a node in a graph, its child graphs included; or NULL. */
struct CUgraphNode_st *softgpu_graph_copy_of(struct CUgraph_st *graph,
                                             const struct CUgraphNode_st *node);
/** The nodes in an order that keeps the edges, count of them; NULL without
 *  memory.  The caller frees it. */
struct CUgraphNode_st **softgpu_graph_order(const struct CUgraph_st *graph);
/** Put a copy of a graph in the place of an executable one of the same shape;
 *  its nodes keep the origins that the old ones had.
 *  @param[out] result  why not, with cudaErrorGraphExecUpdateFailure */
cudaError_t softgpu_graph_replace(struct CUgraph_st **graph,
                                  const struct CUgraph_st *by,
                                  cudaGraphExecUpdateResultInfo *result);

#endif
