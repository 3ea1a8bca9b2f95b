/* SPDX-License-Identifier: MIT */
/** @file
 *  Calls for graphs, their edges, and lists of nodes.
 */
#include <stdio.h>
#include <stdlib.h>

#include "call.h"
#include "node_spec.h"

static cudaError_t create(cudaGraph_t *graph, unsigned flags)
{
    if (!graph || flags)
        return cudaErrorInvalidValue;
    *graph = softgpu_graph_new();
    if (!*graph)
        return cudaErrorMemoryAllocation;
    softgpu_graph_add_handle(*graph);
    return cudaSuccess;
}

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags)
{
    SOFTGPU_CALL(create(graph, flags));
}

static cudaError_t destroy(cudaGraph_t graph)
{
    if (!softgpu_is_graph(graph) || graph->nested)
        return cudaErrorInvalidValue;
    softgpu_graph_release(graph);
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    SOFTGPU_CALL(destroy(graph));
}

static cudaError_t clone_graph(cudaGraph_t *to, cudaGraph_t graph)
{
    if (!to || !softgpu_is_graph(graph))
        return cudaErrorInvalidValue;
    *to = softgpu_graph_copy(graph);
    if (!*to)
        return cudaErrorMemoryAllocation;
    softgpu_graph_add_handle(*to);
    return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t *to, cudaGraph_t graph)
{
    SOFTGPU_CALL(clone_graph(to, graph));
}

static cudaError_t find_in_clone(cudaGraphNode_t *node,
                                 cudaGraphNode_t original, cudaGraph_t copy)
{
    if (!node || !softgpu_is_graph(copy))
        return cudaErrorInvalidValue;
    *node = softgpu_graph_find_copy(copy, original);
    return *node ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node,
                                     cudaGraphNode_t original,
                                     cudaGraph_t copy)
{
    SOFTGPU_CALL(find_in_clone(node, original, copy));
}

/* Remove the edge from -> to; cudaErrorInvalidValue if there is none. */
static cudaError_t remove_edge(const struct CUgraphNode_st *from,
                               struct CUgraphNode_st *to)
{
    for (size_t i = 0; to && i < to->dependency_count; i++)
        if (to->dependencies[i] == from) {
            for (size_t k = i + 1; k < to->dependency_count; k++)
                to->dependencies[k - 1] = to->dependencies[k];
            to->dependency_count--;
            return cudaSuccess;
        }
    return cudaErrorInvalidValue;
}

/* Add (1) or remove (0) n edges. */
static cudaError_t edit_edges(cudaGraph_t graph, const cudaGraphNode_t *from,
                              const cudaGraphNode_t *to, size_t n, int add)
{
    if (!softgpu_is_graph(graph) || (n && (!from || !to)))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < n; i++) {
        if (!softgpu_is_node(from[i]) || !softgpu_is_node(to[i])
            || from[i]->graph != graph || to[i]->graph != graph)
            return cudaErrorInvalidValue;
        const cudaError_t error = add ? softgpu_graph_add_edge(from[i], to[i])
                                      : remove_edge(from[i], to[i]);
        if (error)
            return error;
    }
    return cudaSuccess;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph,
                                     const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t n)
{
    SOFTGPU_CALL(edit_edges(graph, from, to, n, 1));
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph,
                                        const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, size_t n)
{
    SOFTGPU_CALL(edit_edges(graph, from, to, n, 0));
}

static cudaError_t destroy_node(cudaGraphNode_t node)
{
    if (!softgpu_is_node(node))
        return cudaErrorInvalidValue;
    struct CUgraph_st *g = node->graph;
    size_t references = 0;
    for (size_t i = 0; i < g->count; i++) {
        remove_edge(node, g->nodes[i]);
        if (g->nodes[i] != node)
            g->nodes[references++] = g->nodes[i];
    }
    g->count = references;
    softgpu_command_destroy(&node->command);
    free(node->dependencies);
    free(node);
    return cudaSuccess;
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)
{
    SOFTGPU_CALL(destroy_node(node));
}

/** A caller's array for results; with NULL only their number is returned. */
struct list {
    cudaGraphNode_t *nodes, *second;
    size_t *capacity;
    size_t count;
};

static void append_entry(struct list *l, cudaGraphNode_t node,
                         cudaGraphNode_t second)
{
    if (l->nodes && l->count < *l->capacity)
        l->nodes[l->count] = node;
    if (l->second && l->count < *l->capacity)
        l->second[l->count] = second;
    l->count++;
}

/* Write the number of results; unused entries become NULL. */
static cudaError_t finish_list(struct list *l)
{
    for (size_t i = l->count; l->nodes && i < *l->capacity; i++)
        l->nodes[i] = NULL;
    if (!l->nodes || l->count < *l->capacity)
        *l->capacity = l->count;
    return cudaSuccess;
}

static cudaError_t list_nodes(cudaGraph_t graph, struct list l, int only_roots)
{
    if (!softgpu_is_graph(graph) || !l.capacity)
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < graph->count; i++)
        if (!only_roots || !graph->nodes[i]->dependency_count)
            append_entry(&l, graph->nodes[i], NULL);
    return finish_list(&l);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                              size_t *n)
{
    const struct list l = {.nodes = nodes, .capacity = n};
    SOFTGPU_CALL(list_nodes(graph, l, 0));
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                                  size_t *n)
{
    const struct list l = {.nodes = nodes, .capacity = n};
    SOFTGPU_CALL(list_nodes(graph, l, 1));
}

static cudaError_t list_edges(cudaGraph_t graph, struct list l)
{
    if (!softgpu_is_graph(graph) || !l.capacity || !l.nodes != !l.second)
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < graph->count; i++) {
        struct CUgraphNode_st *to = graph->nodes[i];
        for (size_t k = 0; k < to->dependency_count; k++)
            append_entry(&l, to->dependencies[k], to);
    }
    return finish_list(&l);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
                              cudaGraphNode_t *to, size_t *n)
{
    const struct list l = {.nodes = from, .second = to, .capacity = n};
    SOFTGPU_CALL(list_edges(graph, l));
}

static cudaError_t list_dependencies(cudaGraphNode_t node, struct list l)
{
    if (!softgpu_is_node(node) || !l.capacity)
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < node->dependency_count; i++)
        append_entry(&l, node->dependencies[i], NULL);
    return finish_list(&l);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                         cudaGraphNode_t *nodes, size_t *n)
{
    const struct list l = {.nodes = nodes, .capacity = n};
    SOFTGPU_CALL(list_dependencies(node, l));
}

static int depends_on(const struct CUgraphNode_st *node,
                      const struct CUgraphNode_st *on)
{
    for (size_t i = 0; i < node->dependency_count; i++)
        if (node->dependencies[i] == on)
            return 1;
    return 0;
}

static cudaError_t list_dependents(cudaGraphNode_t node, struct list l)
{
    if (!softgpu_is_node(node) || !l.capacity)
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < node->graph->count; i++)
        if (depends_on(node->graph->nodes[i], node))
            append_entry(&l, node->graph->nodes[i], NULL);
    return finish_list(&l);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                           cudaGraphNode_t *nodes, size_t *n)
{
    const struct list l = {.nodes = nodes, .capacity = n};
    SOFTGPU_CALL(list_dependents(node, l));
}

/* Print a node in the DOT language of Graphviz. */
static void print_dot_node(FILE *file, const struct CUgraphNode_st *node)
{
    static const char *const names[] = {"empty", "kernel", "copy", "fill",
                                        "host", "record", "wait", "graph",
                                        "free"};
    fprintf(file, "  n%p [label=\"%s", (const void *)node,
            names[node->command.kind]);
    if (node->command.kind == SOFTGPU_KERNEL)
        fprintf(file, "\\n%s", node->command.kernel.kernel->name);
    fprintf(file, "\"];\n");
    for (size_t i = 0; i < node->dependency_count; i++)
        fprintf(file, "  n%p -> n%p;\n", (const void *)node->dependencies[i],
                (const void *)node);
}

static cudaError_t print_dot(cudaGraph_t graph, const char *path)
{
    if (!softgpu_is_graph(graph) || !path)
        return cudaErrorInvalidValue;
    FILE *file = fopen(path, "w");
    if (!file)
        return cudaErrorOperatingSystem;
    fprintf(file, "digraph graph_1 {\n");
    for (size_t i = 0; i < graph->count; i++)
        print_dot_node(file, graph->nodes[i]);
    fprintf(file, "}\n");
    return fclose(file) ? cudaErrorOperatingSystem : cudaSuccess;
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path,
                                   unsigned int flags)
{
    (void)flags; /* all information is always printed */
    SOFTGPU_CALL(print_dot(graph, path));
}
