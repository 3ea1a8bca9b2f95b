/* SPDX-License-Identifier: MIT */
/** @file
 *  Conditional nodes.  A condition belongs to a graph and to all its copies: no
 *  two launches of one graph run at a time.  It lives as long as the program,
 *  for an executable graph may outlive its graph.
 */
#include "graph_condition.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "call.h"

/* The graphs of a conditional node, for the program. */
struct bodies {
    struct bodies *next; /* of the same condition */
    cudaGraph_t graph[];
};

struct softgpu_condition {
    _Atomic unsigned value;
    unsigned initial;
    int resets;                     /**< 1: each launch sets `initial` */
    struct bodies *bodies;          /**< of its nodes */
    struct softgpu_condition *next; /**< in the list of all */
};

static struct softgpu_condition *all;

/* The condition of a handle; NULL if it is none. */
static struct softgpu_condition *find(cudaGraphConditionalHandle handle)
{
    struct softgpu_condition *c = all;
    while (c && (uintptr_t)c != handle)
        c = c->next;
    return c;
}

static cudaError_t create(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                          unsigned value, unsigned flags)
{
    if (!handle || !softgpu_is_graph(graph)
        || flags & ~(unsigned)cudaGraphCondAssignDefault)
        return cudaErrorInvalidValue;
    struct softgpu_condition *c = calloc(1, sizeof *c);
    if (!c)
        return cudaErrorMemoryAllocation;
    c->value = c->initial = value;
    c->resets = flags == cudaGraphCondAssignDefault;
    c->next = all;
    all = c;
    *handle = (uintptr_t)c;
    return cudaSuccess;
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle,
                                             cudaGraph_t graph, unsigned value,
                                             unsigned flags)
{
    SOFTGPU_CALL(create(handle, graph, value, flags));
}

/* Kernels run while the list does not change: only host calls add to it, and
 * never to what a kernel has a handle of. */
void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value)
{
    struct softgpu_condition *c = (struct softgpu_condition *)(uintptr_t)handle;
    atomic_store(&c->value, value);
}

/* Does the number of bodies fit the type? */
static bool is_valid_size(const struct cudaConditionalNodeParams *params)
{
    switch (params->type) {
    case cudaGraphCondTypeIf:
        return params->size == 1 || params->size == 2;
    case cudaGraphCondTypeWhile:
        return params->size == 1;
    case cudaGraphCondTypeSwitch:
        return params->size > 0;
    }
    return false;
}

static enum softgpu_choice choice_of(const struct cudaConditionalNodeParams *p)
{
    if (p->type == cudaGraphCondTypeSwitch)
        return SOFTGPU_SWITCH;
    if (p->type == cudaGraphCondTypeWhile)
        return SOFTGPU_WHILE;
    return p->size == 2 ? SOFTGPU_ELSE : SOFTGPU_IF;
}

static bool has_many_bodies(enum softgpu_choice choice)
{
    return choice == SOFTGPU_ELSE || choice == SOFTGPU_SWITCH;
}

/* Add an empty child graph, which becomes *body. */
static cudaError_t add_body(struct CUgraph_st *to, cudaGraph_t *body)
{
    const struct softgpu_dependencies none = {NULL, 0};
    struct softgpu_command command = {.kind = SOFTGPU_GRAPH,
                                      .device = softgpu_device(),
                                      .graph = softgpu_graph_new()};
    struct CUgraphNode_st *node;
    *body = command.graph;
    return command.graph ? softgpu_graph_add_node(to, none, &command, &node)
                         : cudaErrorMemoryAllocation;
}

/* The array of a node's graphs, which lives as long as its condition. */
static struct bodies *new_bodies(struct softgpu_condition *c, unsigned size)
{
    struct bodies *bodies =
        calloc(1, sizeof *bodies + size * sizeof bodies->graph[0]);
    if (bodies) {
        bodies->next = c->bodies;
        c->bodies = bodies;
    }
    return bodies;
}

cudaError_t
softgpu_build_conditional_node(struct softgpu_node_spec *spec,
                               struct cudaConditionalNodeParams *params)
{
    struct softgpu_condition *c = find(params->handle);
    if (!c || !is_valid_size(params))
        return cudaErrorInvalidValue;
    struct bodies *bodies = new_bodies(c, params->size);
    spec->command = (struct softgpu_command){
        .kind = SOFTGPU_GRAPH, .device = softgpu_device(),
        .graph = softgpu_graph_new(), .condition = c,
        .choice = choice_of(params)};
    cudaError_t error = bodies && spec->command.graph
                            ? cudaSuccess : cudaErrorMemoryAllocation;
    if (!error && !has_many_bodies(spec->command.choice))
        bodies->graph[0] = spec->command.graph;
    else
        for (unsigned i = 0; !error && i < params->size; i++)
            error = add_body(spec->command.graph, &bodies->graph[i]);
    if (error)
        softgpu_command_destroy(&spec->command);
    else
        params->phGraph_out = bodies->graph;
    return error;
}

void softgpu_conditions_reset(const struct CUgraph_st *graph)
{
    for (size_t i = 0; i < graph->count; i++) {
        const struct softgpu_command *command = &graph->nodes[i]->command;
        if (command->kind != SOFTGPU_GRAPH)
            continue;
        if (command->condition && command->condition->resets)
            atomic_store(&command->condition->value,
                         command->condition->initial);
        softgpu_conditions_reset(command->graph);
    }
}

/* The child graph that the value selects, or NULL. */
static struct CUgraph_st *selected(const struct softgpu_command *command,
                                   unsigned value)
{
    const struct CUgraph_st *bodies = command->graph;
    const unsigned n = command->choice == SOFTGPU_ELSE ? !value : value;
    return n < bodies->count ? bodies->nodes[n]->command.graph : NULL;
}

cudaError_t softgpu_condition_run(struct softgpu_command *command,
                                  uint64_t *now)
{
    const struct softgpu_condition *c = command->condition;
    const unsigned value = c ? atomic_load(&c->value) : 1;
    struct CUgraph_st *graph = command->graph;
    cudaError_t error = cudaSuccess;
    if (has_many_bodies(command->choice))
        graph = selected(command, value);
    else if (!value)
        graph = NULL;
    if (!graph)
        return cudaSuccess;
    do
        error = softgpu_graph_run(graph, command->device, now);
    while (!error && !command->device->failure
           && command->choice == SOFTGPU_WHILE && atomic_load(&c->value));
    return error;
}
