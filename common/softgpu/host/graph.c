/* SPDX-License-Identifier: MIT */
/** @file
 *  Graphs: nodes, edges, copies, and running.
 */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

static struct CUgraph_st *all;
static int last_mark;

int softgpu_graph_new_mark(void)
{
    return ++last_mark;
}

struct CUgraph_st *softgpu_graph_new(void)
{
    struct CUgraph_st *graph = calloc(1, sizeof *graph);
    if (graph)
        graph->ref_count = 1;
    return graph;
}

struct CUgraph_st *softgpu_graph_retain(struct CUgraph_st *graph)
{
    graph->ref_count++;
    return graph;
}

static void free_node(struct CUgraphNode_st *node)
{
    softgpu_command_destroy(&node->command);
    free(node->dependencies);
    free(node);
}

void softgpu_graph_release(struct CUgraph_st *graph)
{
    if (!graph || --graph->ref_count)
        return;
    softgpu_graph_remove_handle(graph);
    for (size_t i = 0; i < graph->count; i++)
        free_node(graph->nodes[i]);
    free(graph->nodes);
    softgpu_references_release(graph->references);
    free(graph);
}

static void add_child_handle(const struct CUgraphNode_st *node)
{
    if (node->command.kind != SOFTGPU_GRAPH)
        return;
    node->command.graph->nested = 1;
    softgpu_graph_add_handle(node->command.graph);
}

void softgpu_graph_add_handle(struct CUgraph_st *graph)
{
    if (graph->has_handle)
        return;
    graph->has_handle = 1;
    graph->next = all;
    all = graph;
    for (size_t i = 0; i < graph->count; i++)
        add_child_handle(graph->nodes[i]);
}

void softgpu_graph_remove_handle(struct CUgraph_st *graph)
{
    if (!graph->has_handle)
        return;
    graph->has_handle = 0;
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

/* Newest first: new nodes mostly depend on the last ones. */
int softgpu_graph_has_node(const struct CUgraph_st *graph,
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
        if (softgpu_graph_has_node(g, node))
            return 1;
    return 0;
}

/* Grow the array of nodes for one more. */
static int grow_nodes(struct CUgraph_st *graph)
{
    if (graph->count < graph->capacity)
        return 0;
    const size_t capacity = graph->capacity ? 2 * graph->capacity : 16;
    void *nodes = realloc(graph->nodes, capacity * sizeof(*graph->nodes));
    if (!nodes)
        return -1;
    graph->nodes = nodes;
    graph->capacity = capacity;
    return 0;
}

static cudaError_t add_dependency(struct CUgraphNode_st *node,
                                  struct CUgraphNode_st *dependencies)
{
    for (size_t i = 0; i < node->dependency_count; i++)
        if (node->dependencies[i] == dependencies)
            return cudaErrorInvalidValue; /* the edge exists */
    const size_t n = node->dependency_count + 1;
    void *list = realloc(node->dependencies, n * sizeof(*node->dependencies));
    if (!list)
        return cudaErrorMemoryAllocation;
    node->dependencies = list;
    node->dependencies[n - 1] = dependencies;
    node->dependency_count = n;
    return cudaSuccess;
}

/* Add the edges of a node that is not yet in the graph. */
static cudaError_t add_dependencies(struct CUgraphNode_st *node,
                                    struct softgpu_dependencies dependencies)
{
    for (size_t i = 0; i < dependencies.count; i++) {
        if (!softgpu_graph_has_node(node->graph, dependencies.nodes[i]))
            return cudaErrorInvalidValue;
        const cudaError_t error = add_dependency(node, dependencies.nodes[i]);
        if (error)
            return error;
    }
    return cudaSuccess;
}

cudaError_t softgpu_graph_add_node(struct CUgraph_st *graph,
                                   struct softgpu_dependencies dependencies,
                                   struct softgpu_command *command,
                                   struct CUgraphNode_st **node)
{
    cudaError_t error = cudaErrorMemoryAllocation;
    struct CUgraphNode_st *new = calloc(1, sizeof *new);
    if (!new || grow_nodes(graph))
        goto fail;
    new->graph = graph;
    error = add_dependencies(new, dependencies);
    if (error)
        goto fail;
    new->command = *command;
    graph->nodes[graph->count++] = new;
    add_child_handle(new);
    *node = new;
    return cudaSuccess;
fail:
    softgpu_command_destroy(command);
    if (new)
        free(new->dependencies);
    free(new);
    return error;
}

void softgpu_graph_mark_ancestors(struct CUgraphNode_st *node, int mark)
{
    if (node->mark == mark)
        return;
    node->mark = mark;
    for (size_t i = 0; i < node->dependency_count; i++)
        softgpu_graph_mark_ancestors(node->dependencies[i], mark);
}

cudaError_t softgpu_graph_add_edge(struct CUgraphNode_st *from,
                                   struct CUgraphNode_st *to)
{
    if (!from || !to || from == to || from->graph != to->graph)
        return cudaErrorInvalidValue;
    const int mark = softgpu_graph_new_mark();
    softgpu_graph_mark_ancestors(from, mark);
    return to->mark == mark ? cudaErrorInvalidValue : add_dependency(to, from);
}

/* Append a node after all nodes that it depends on (depth-first search). */
static void visit_postorder(struct CUgraphNode_st *node, int mark,
                            struct CUgraphNode_st **order, size_t *n)
{
    if (node->mark == mark)
        return;
    node->mark = mark;
    for (size_t i = 0; i < node->dependency_count; i++)
        visit_postorder(node->dependencies[i], mark, order, n);
    order[(*n)++] = node;
}

struct CUgraphNode_st **softgpu_graph_topological_order(
    const struct CUgraph_st *graph)
{
    struct CUgraphNode_st **order =
        malloc((graph->count + 1) * sizeof(*order));
    const int mark = softgpu_graph_new_mark();
    size_t n = 0;
    for (size_t i = 0; order && i < graph->count; i++)
        visit_postorder(graph->nodes[i], mark, order, &n);
    return order;
}

/* Copy one node without its edges. */
static struct CUgraphNode_st *copy_node(const struct CUgraphNode_st *node,
                                        struct CUgraph_st *graph)
{
    struct CUgraphNode_st *copy = malloc(sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *node;
    copy->graph = graph;
    copy->origin = node;
    copy->dependencies = NULL;
    copy->dependency_count = 0;
    if (softgpu_command_clone(&copy->command, &node->command)) {
        free_node(copy);
        return NULL;
    }
    return copy;
}

/* Copy the edges; mark gives the index of an original node. */
static int copy_edges(struct CUgraph_st *copy, const struct CUgraph_st *graph)
{
    for (size_t i = 0; i < graph->count; i++)
        graph->nodes[i]->mark = (int)i;
    for (size_t i = 0; i < graph->count; i++) {
        const struct CUgraphNode_st *node = graph->nodes[i];
        for (size_t k = 0; k < node->dependency_count; k++)
            if (add_dependency(copy->nodes[i],
                               copy->nodes[node->dependencies[k]->mark]))
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
            grow_nodes(copy) ? NULL : copy_node(graph->nodes[i], copy);
        if (!node) {
            softgpu_graph_release(copy);
            return NULL;
        }
        copy->nodes[copy->count++] = node;
    }
    if (copy
        && (copy_edges(copy, graph)
            || softgpu_references_copy(&copy->references, graph->references))) {
        softgpu_graph_release(copy);
        return NULL;
    }
    return copy;
}

struct CUgraphNode_st *softgpu_graph_find_copy(
    struct CUgraph_st *graph, const struct CUgraphNode_st *node)
{
    for (size_t i = 0; i < graph->count; i++) {
        struct CUgraphNode_st *n = graph->nodes[i];
        if (n->origin == node)
            return n;
        if (n->command.kind == SOFTGPU_GRAPH) {
            n = softgpu_graph_find_copy(n->command.graph, node);
            if (n)
                return n;
        }
    }
    return NULL;
}

/* Run one node; it starts when all its dependencies have ended. */
static cudaError_t run_node(struct CUgraphNode_st *node, uint64_t begin)
{
    node->end = begin;
    for (size_t i = 0; i < node->dependency_count; i++)
        if (node->dependencies[i]->end > node->end)
            node->end = node->dependencies[i]->end;
    return node->disabled ? cudaSuccess
                          : softgpu_command_run(&node->command, &node->end);
}

cudaError_t softgpu_graph_run(struct CUgraph_st *graph,
                              struct softgpu_device *device, uint64_t *now)
{
    struct CUgraphNode_st **order = softgpu_graph_topological_order(graph);
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
