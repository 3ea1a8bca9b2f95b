/* SPDX-License-Identifier: MIT */
/** @file
 *  Memory of allocation nodes.
 */
#include "graph_memory.h"

#include <stdlib.h>

#include "memory.h"
#include "command.h"

/** One allocation of a graph. */
struct softgpu_graph_memory {
    char *ptr; /**< a device reset may have freed the allocation */
    int ref_count;
    int is_allocated; /**< 1: between allocation and free */
};

/* Its allocation, or NULL after a device reset. */
static struct softgpu_allocation *allocation_of(struct softgpu_graph_memory *r)
{
    struct softgpu_allocation *a = softgpu_find_allocation(r->ptr);
    return a && a->graph_memory == r ? a : NULL;
}

static cudaError_t submit_node(struct CUstream_st *stream,
                               struct softgpu_graph_memory *r,
                               enum softgpu_command_kind kind)
{
    struct softgpu_command command = {.kind = kind, .device = stream->device,
                                .graph_memory = r};
    r->ref_count++;
    return softgpu_submit(stream, &command);
}

cudaError_t softgpu_capture_alloc(struct CUstream_st *stream,
                                  struct softgpu_allocation *allocation)
{
    struct softgpu_graph_memory *r = calloc(1, sizeof *r);
    if (!r) {
        softgpu_free_allocation(allocation);
        return cudaErrorMemoryAllocation;
    }
    r->ptr = allocation->ptr;
    allocation->graph_memory = r;
    return submit_node(stream, r, SOFTGPU_GRAPH_ALLOC);
}

cudaError_t softgpu_capture_free(struct CUstream_st *stream,
                                 struct softgpu_allocation *allocation)
{
    return allocation->graph_memory
               ? submit_node(stream, allocation->graph_memory,
                             SOFTGPU_GRAPH_FREE)
               : cudaErrorNotSupported;
}

cudaError_t softgpu_graph_memory_free(struct softgpu_graph_memory *memory)
{
    const int is_allocated = memory->is_allocated;
    memory->is_allocated = 0;
    return is_allocated ? cudaSuccess : cudaErrorInvalidValue;
}

void softgpu_graph_memory_run(struct softgpu_graph_memory *memory,
                              int allocates)
{
    memory->is_allocated = allocates;
}

void softgpu_graph_memory_retain(struct softgpu_graph_memory *memory)
{
    memory->ref_count++;
}

void softgpu_graph_memory_release(struct softgpu_graph_memory *memory)
{
    struct softgpu_allocation *a = allocation_of(memory);
    if (--memory->ref_count)
        return;
    if (a)
        a->graph_memory = NULL;
    if (a && !memory->is_allocated)
        softgpu_free_allocation(a);
    free(memory);
}
