/* SPDX-License-Identifier: MIT */
/** @file
 *  The calls on graphs, their edges and lists.
 */
#include <stdio.h>
#include <stdlib.h>

#include "call.h"
#include "node.h"

static cudaError_t create(cudaGraph_t *graph, unsigned flags)
{
    if (!graph || flags)
        return cudaErrorInvalidValue;
    *graph = softgpu_graph_new();
    if (!*graph)
        return cudaErrorMemoryAllocation;
    softgpu_graph_publish(*graph);
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
    softgpu_graph_free(graph);
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
    softgpu_graph_publish(*to);
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
    *node = softgpu_graph_copy_of(copy, original);
    return *node ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node,
                                     cudaGraphNode_t original,
                                     cudaGraph_t copy)
{
    SOFTGPU_CALL(find_in_clone(node, original, copy));
}

/* Take edge from -> to out; cudaErrorInvalidValue if there is none. */
static cudaError_t unlink_nodes(const struct CUgraphNode_st *from,
                                struct CUgraphNode_st *to)
{
    for (size_t i = 0; to && i < to->before_count; i++)
        if (to->before[i] == from) {
            for (size_t k = i + 1; k < to->before_count; k++)
                to->before[k - 1] = to->before[k];
            to->before_count--;
            return cudaSuccess;
        }
    return cudaErrorInvalidValue;
}

/* Add (1) or remove (0) n edges. */
static cudaError_t edit(cudaGraph_t graph, const cudaGraphNode_t *from,
                        const cudaGraphNode_t *to, size_t n, int add)
{
    if (!softgpu_is_graph(graph) || (n && (!from || !to)))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < n; i++) {
        if (!softgpu_is_node(from[i]) || !softgpu_is_node(to[i])
            || from[i]->graph != graph || to[i]->graph != graph)
            return cudaErrorInvalidValue;
        const cudaError_t error = add ? softgpu_graph_link(from[i], to[i])
                                      : unlink_nodes(from[i], to[i]);
        if (error)
            return error;
    }
    return cudaSuccess;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph,
                                     const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t n)
{
    SOFTGPU_CALL(edit(graph, from, to, n, 1));
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph,
                                        const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, size_t n)
{
    SOFTGPU_CALL(edit(graph, from, to, n, 0));
}

static cudaError_t destroy_node(cudaGraphNode_t node)
{
    if (!softgpu_is_node(node))
        return cudaErrorInvalidValue;
    struct CUgraph_st *g = node->graph;
    size_t kept = 0;
    for (size_t i = 0; i < g->count; i++) {
        unlink_nodes(node, g->nodes[i]);
        if (g->nodes[i] != node)
            g->nodes[kept++] = g->nodes[i];
    }
    g->count = kept;
    softgpu_work_drop(&node->work);
    free(node->before);
    free(node);
    return cudaSuccess;
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)
{
    SOFTGPU_CALL(destroy_node(node));
}

/** A list the program gave room for: with NULL only its length is told. */
struct list {
    cudaGraphNode_t *nodes, *second;
    size_t *room;
    size_t count;
};

static void put(struct list *l, cudaGraphNode_t node, cudaGraphNode_t second)
{
    if (l->nodes && l->count < *l->room)
        l->nodes[l->count] = node;
    if (l->second && l->count < *l->room)
        l->second[l->count] = second;
    l->count++;
}

/* Write the length; entries behind the last become NULL. */
static cudaError_t finish(struct list *l)
{
    for (size_t i = l->count; l->nodes && i < *l->room; i++)
        l->nodes[i] = NULL;
    if (!l->nodes || l->count < *l->room)
        *l->room = l->count;
    return cudaSuccess;
}

static cudaError_t list_nodes(cudaGraph_t graph, struct list l, int only_roots)
{
    if (!softgpu_is_graph(graph) || !l.room)
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < graph->count; i++)
        if (!only_roots || !graph->nodes[i]->before_count)
            put(&l, graph->nodes[i], NULL);
    return finish(&l);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                              size_t *n)
{
    const struct list l = {.nodes = nodes, .room = n};
    SOFTGPU_CALL(list_nodes(graph, l, 0));
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                                  size_t *n)
{
    const struct list l = {.nodes = nodes, .room = n};
    SOFTGPU_CALL(list_nodes(graph, l, 1));
}

static cudaError_t list_edges(cudaGraph_t graph, struct list l)
{
    if (!softgpu_is_graph(graph) || !l.room || !l.nodes != !l.second)
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < graph->count; i++) {
        struct CUgraphNode_st *to = graph->nodes[i];
        for (size_t k = 0; k < to->before_count; k++)
            put(&l, to->before[k], to);
    }
    return finish(&l);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
                              cudaGraphNode_t *to, size_t *n)
{
    const struct list l = {.nodes = from, .second = to, .room = n};
    SOFTGPU_CALL(list_edges(graph, l));
}

static cudaError_t list_before(cudaGraphNode_t node, struct list l)
{
    if (!softgpu_is_node(node) || !l.room)
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < node->before_count; i++)
        put(&l, node->before[i], NULL);
    return finish(&l);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                         cudaGraphNode_t *nodes, size_t *n)
{
    const struct list l = {.nodes = nodes, .room = n};
    SOFTGPU_CALL(list_before(node, l));
}

static int depends_on(const struct CUgraphNode_st *node,
                      const struct CUgraphNode_st *on)
{
    for (size_t i = 0; i < node->before_count; i++)
        if (node->before[i] == on)
            return 1;
    return 0;
}

static cudaError_t list_after(cudaGraphNode_t node, struct list l)
{
    if (!softgpu_is_node(node) || !l.room)
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < node->graph->count; i++)
        if (depends_on(node->graph->nodes[i], node))
            put(&l, node->graph->nodes[i], NULL);
    return finish(&l);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                           cudaGraphNode_t *nodes, size_t *n)
{
    const struct list l = {.nodes = nodes, .room = n};
    SOFTGPU_CALL(list_after(node, l));
}

/* What Graphviz shows of a node. */
static void draw(FILE *file, const struct CUgraphNode_st *node)
{
    static const char *const names[] = {"empty", "kernel", "copy", "fill",
                                        "host", "record", "wait", "graph",
                                        "free"};
    fprintf(file, "  n%p [label=\"%s", (const void *)node,
            names[node->work.kind]);
    if (node->work.kind == SOFTGPU_KERNEL)
        fprintf(file, "\\n%s", node->work.kernel.kernel->name);
    fprintf(file, "\"];\n");
    for (size_t i = 0; i < node->before_count; i++)
        fprintf(file, "  n%p -> n%p;\n", (const void *)node->before[i],
                (const void *)node);
}

static cudaError_t print(cudaGraph_t graph, const char *path)
{
    if (!softgpu_is_graph(graph) || !path)
        return cudaErrorInvalidValue;
    FILE *file = fopen(path, "w");
    if (!file)
        return cudaErrorOperatingSystem;
    fprintf(file, "digraph graph_1 {\n");
    for (size_t i = 0; i < graph->count; i++)
        draw(file, graph->nodes[i]);
    fprintf(file, "}\n");
    return fclose(file) ? cudaErrorOperatingSystem : cudaSuccess;
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path,
                                   unsigned int flags)
{
    (void)flags; /* all there is to say is always said */
    SOFTGPU_CALL(print(graph, path));
}
