/* SPDX-License-Identifier: MIT */
/** @file
 *  Conditional nodes.  A condition belongs to a graph and to all its copies: no
 *  two launches of one graph run at a time.  It lives as long as the program,
 *  for an executable graph may outlive its graph.
 */
#include "graph_condition.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "call.h"

struct softgpu_condition {
    _Atomic unsigned value;
    unsigned initial;
    int resets;                     /**< 1: each launch sets `initial` */
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

cudaError_t
softgpu_build_conditional_node(struct softgpu_node_spec *spec,
                               const struct cudaConditionalNodeParams *params)
{
    struct softgpu_condition *c = find(params->handle);
    if (!c || !params->phGraph_out || !params->size)
        return cudaErrorInvalidValue;
    if (params->size > 1 || params->type == cudaGraphCondTypeSwitch)
        return cudaErrorNotSupported;
    spec->command = (struct softgpu_command){
        .kind = SOFTGPU_GRAPH, .device = softgpu_device(),
        .graph = softgpu_graph_new(), .condition = c,
        .loops = params->type == cudaGraphCondTypeWhile};
    if (!spec->command.graph)
        return cudaErrorMemoryAllocation;
    params->phGraph_out[0] = spec->command.graph;
    return cudaSuccess;
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

cudaError_t softgpu_condition_run(struct softgpu_command *command,
                                  uint64_t *now)
{
    const struct softgpu_condition *c = command->condition;
    cudaError_t error = cudaSuccess;
    if (c && !atomic_load(&c->value))
        return cudaSuccess;
    do
        error = softgpu_graph_run(command->graph, command->device, now);
    while (!error && !command->device->failure && command->loops
           && atomic_load(&c->value));
    return error;
}
