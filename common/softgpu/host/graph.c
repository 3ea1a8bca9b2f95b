/* SPDX-License-Identifier: MIT */
/** @file
 *  Graphs: nodes, edges, copies, and running.
 */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

static struct CUgraph_st *all;
static int marks;

int softgpu_graph_new_mark(void)
{
    return ++marks;
}

struct CUgraph_st *softgpu_graph_new(void)
{
    struct CUgraph_st *graph = calloc(1, sizeof *graph);
    if (graph)
        graph->holders = 1;
    return graph;
}

struct CUgraph_st *softgpu_graph_hold(struct CUgraph_st *graph)
{
    graph->holders++;
    return graph;
}

static void free_node(struct CUgraphNode_st *node)
{
    softgpu_work_drop(&node->work);
    free(node->before);
    free(node);
}

void softgpu_graph_free(struct CUgraph_st *graph)
{
    if (!graph || --graph->holders)
        return;
    softgpu_graph_retract(graph);
    for (size_t i = 0; i < graph->count; i++)
        free_node(graph->nodes[i]);
    free(graph->nodes);
    softgpu_kept_drop(graph->kept);
    free(graph);
}

static void publish_child(const struct CUgraphNode_st *node)
{
    if (node->work.kind != SOFTGPU_GRAPH)
        return;
    node->work.graph->nested = 1;
    softgpu_graph_publish(node->work.graph);
}

void softgpu_graph_publish(struct CUgraph_st *graph)
{
    if (graph->known)
        return;
    graph->known = 1;
    graph->next = all;
    all = graph;
    for (size_t i = 0; i < graph->count; i++)
        publish_child(graph->nodes[i]);
}

void softgpu_graph_retract(struct CUgraph_st *graph)
{
    if (!graph->known)
        return;
    graph->known = 0;
    struct CUgraph_st **link = &all;
    while (*link != graph)
        link = &(*link)->next;
    *link = graph->next;
}

int softgpu_is_graph(const struct CUgraph_st *graph)
{
    const struct CUgraph_st *g = all;
    while (g && g != graph)
        g = g->next;
    return g != NULL;
}

/* From the newest: chains are built from their end. */
static int has_node(const struct CUgraph_st *graph,
                    const struct CUgraphNode_st *node)
{
    for (size_t i = graph->count; i-- > 0;)
        if (graph->nodes[i] == node)
            return 1;
    return 0;
}

int softgpu_is_node(const struct CUgraphNode_st *node)
{
    for (const struct CUgraph_st *g = all; g; g = g->next)
        if (has_node(g, node))
            return 1;
    return 0;
}

/* Room for one more node. */
static int grow(struct CUgraph_st *graph)
{
    if (graph->count < graph->room)
        return 0;
    const size_t room = graph->room ? 2 * graph->room : 16;
    void *nodes = realloc(graph->nodes, room * sizeof(*graph->nodes));
    if (!nodes)
        return -1;
    graph->nodes = nodes;
    graph->room = room;
    return 0;
}

static cudaError_t append_before(struct CUgraphNode_st *node,
                                 struct CUgraphNode_st *before)
{
    for (size_t i = 0; i < node->before_count; i++)
        if (node->before[i] == before)
            return cudaErrorInvalidValue; /* it is there already */
    const size_t n = node->before_count + 1;
    void *list = realloc(node->before, n * sizeof(*node->before));
    if (!list)
        return cudaErrorMemoryAllocation;
    node->before = list;
    node->before[n - 1] = before;
    node->before_count = n;
    return cudaSuccess;
}

/* A node with its edges, not yet in the graph. */
static cudaError_t connect(struct CUgraphNode_st *node,
                           struct softgpu_before before)
{
    for (size_t i = 0; i < before.count; i++) {
        if (!has_node(node->graph, before.nodes[i]))
            return cudaErrorInvalidValue;
        const cudaError_t error = append_before(node, before.nodes[i]);
        if (error)
            return error;
    }
    return cudaSuccess;
}

cudaError_t softgpu_graph_add(struct CUgraph_st *graph,
                              struct softgpu_before before,
                              struct softgpu_work *work,
                              struct CUgraphNode_st **node)
{
    cudaError_t error = cudaErrorMemoryAllocation;
    struct CUgraphNode_st *new = calloc(1, sizeof *new);
    if (!new || grow(graph))
        goto fail;
    new->graph = graph;
    error = connect(new, before);
    if (error)
        goto fail;
    new->work = *work;
    graph->nodes[graph->count++] = new;
    publish_child(new);
    *node = new;
    return cudaSuccess;
fail:
    softgpu_work_drop(work);
    if (new)
        free(new->before);
    free(new);
    return error;
}

void softgpu_graph_mark(struct CUgraphNode_st *node, int mark)
{
    if (node->mark == mark)
        return;
    node->mark = mark;
    for (size_t i = 0; i < node->before_count; i++)
        softgpu_graph_mark(node->before[i], mark);
}

cudaError_t softgpu_graph_link(struct CUgraphNode_st *from,
                               struct CUgraphNode_st *to)
{
    if (!from || !to || from == to || from->graph != to->graph)
        return cudaErrorInvalidValue;
    const int mark = softgpu_graph_new_mark();
    softgpu_graph_mark(from, mark);
    return to->mark == mark ? cudaErrorInvalidValue : append_before(to, from);
}

/* Put a node behind all it depends on. */
static void visit(struct CUgraphNode_st *node, int mark,
                  struct CUgraphNode_st **order, size_t *n)
{
    if (node->mark == mark)
        return;
    node->mark = mark;
    for (size_t i = 0; i < node->before_count; i++)
        visit(node->before[i], mark, order, n);
    order[(*n)++] = node;
}

struct CUgraphNode_st **softgpu_graph_order(const struct CUgraph_st *graph)
{
    struct CUgraphNode_st **order =
        malloc((graph->count + 1) * sizeof(*order));
    const int mark = softgpu_graph_new_mark();
    size_t n = 0;
    for (size_t i = 0; order && i < graph->count; i++)
        visit(graph->nodes[i], mark, order, &n);
    return order;
}

/* The copy of one node, its edges still to come. */
static struct CUgraphNode_st *copy_node(const struct CUgraphNode_st *node,
                                        struct CUgraph_st *graph)
{
    struct CUgraphNode_st *copy = malloc(sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *node;
    copy->graph = graph;
    copy->origin = node;
    copy->before = NULL;
    copy->before_count = 0;
    if (softgpu_work_clone(&copy->work, &node->work)) {
        free_node(copy);
        return NULL;
    }
    return copy;
}

/* Give the copies the edges of their origins; `at` numbers the origins. */
static int copy_edges(struct CUgraph_st *copy, const struct CUgraph_st *graph)
{
    for (size_t i = 0; i < graph->count; i++)
        graph->nodes[i]->mark = (int)i;
    for (size_t i = 0; i < graph->count; i++) {
        const struct CUgraphNode_st *node = graph->nodes[i];
        for (size_t k = 0; k < node->before_count; k++)
            if (append_before(copy->nodes[i],
                              copy->nodes[node->before[k]->mark]))
                return -1;
    }
    for (size_t i = 0; i < graph->count; i++)
        graph->nodes[i]->mark = copy->nodes[i]->mark = 0;
    return 0;
}

struct CUgraph_st *softgpu_graph_copy(const struct CUgraph_st *graph)
{
    struct CUgraph_st *copy = softgpu_graph_new();
    for (size_t i = 0; copy && i < graph->count; i++) {
        struct CUgraphNode_st *node =
            grow(copy) ? NULL : copy_node(graph->nodes[i], copy);
        if (!node) {
            softgpu_graph_free(copy);
            return NULL;
        }
        copy->nodes[copy->count++] = node;
    }
    if (copy
        && (copy_edges(copy, graph)
            || softgpu_kept_copy(&copy->kept, graph->kept))) {
        softgpu_graph_free(copy);
        return NULL;
    }
    return copy;
}

struct CUgraphNode_st *softgpu_graph_copy_of(struct CUgraph_st *graph,
                                             const struct CUgraphNode_st *node)
{
    for (size_t i = 0; i < graph->count; i++) {
        struct CUgraphNode_st *n = graph->nodes[i];
        if (n->origin == node)
            return n;
        if (n->work.kind == SOFTGPU_GRAPH) {
            n = softgpu_graph_copy_of(n->work.graph, node);
            if (n)
                return n;
        }
    }
    return NULL;
}

/* Run one node when all before it have ended. */
static cudaError_t run_node(struct CUgraphNode_st *node, uint64_t begin)
{
    node->end = begin;
    for (size_t i = 0; i < node->before_count; i++)
        if (node->before[i]->end > node->end)
            node->end = node->before[i]->end;
    return node->disabled ? cudaSuccess
                          : softgpu_work_run(&node->work, &node->end);
}

cudaError_t softgpu_graph_run(struct CUgraph_st *graph,
                              struct softgpu_device *device, uint64_t *now)
{
    struct CUgraphNode_st **order = softgpu_graph_order(graph);
    cudaError_t error = order ? cudaSuccess : cudaErrorMemoryAllocation;
    const uint64_t begin = *now;
    for (size_t i = 0; !error && i < graph->count; i++) {
        error = run_node(order[i], begin);
        if (order[i]->end > *now)
            *now = order[i]->end;
    }
    free(order);
    (void)device;
    return error;
}
