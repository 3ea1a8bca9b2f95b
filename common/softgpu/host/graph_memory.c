/* SPDX-License-Identifier: MIT */
/** @file
 *  Memory of allocation nodes.
 */
#include "graph_memory.h"

#include <stdlib.h>

#include "call.h"
#include "command.h"
#include "graph.h"
#include "memory.h"

/** One allocation of a graph. */
struct softgpu_graph_memory {
    char *ptr; /**< a device reset may have freed the allocation */
    int ref_count;
    int is_allocated; /**< 1: between allocation and free */
    int will_be;      /**< the same after all commands that are queued */
    size_t bytes;
    int device;
};

/* Bytes by device: now, and at most. */
static struct {
    uint64_t used, used_high, reserved, reserved_high;
} sums[SOFTGPU_MAX_DEVICES];

/* Change a sum and its maximum. */
static void add_bytes(uint64_t *sum, uint64_t *high, uint64_t by)
{
    *sum += by;
    if (*sum > *high)
        *high = *sum;
}

/* Note whether the program may use the memory. */
static void set_allocated(struct softgpu_graph_memory *r, int is_allocated)
{
    const uint64_t by = is_allocated ? r->bytes : 0 - (uint64_t)r->bytes;
    if (r->is_allocated != is_allocated)
        add_bytes(&sums[r->device].used, &sums[r->device].used_high, by);
    r->is_allocated = is_allocated;
}

/* The record of a new allocation.  @return NULL without memory; the allocation
 * is freed then */
static struct softgpu_graph_memory *new_record(
    struct softgpu_allocation *allocation)
{
    struct softgpu_graph_memory *r = calloc(1, sizeof *r);
    if (!r) {
        softgpu_free_allocation(allocation);
        return NULL;
    }
    r->ptr = allocation->ptr;
    r->bytes = allocation->bytes;
    r->device = allocation->device;
    allocation->graph_memory = r;
    add_bytes(&sums[r->device].reserved, &sums[r->device].reserved_high,
              r->bytes);
    return r;
}

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
    struct softgpu_graph_memory *r = new_record(allocation);
    if (!r)
        return cudaErrorMemoryAllocation;
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
    set_allocated(memory, 0);
    memory->will_be = 0;
    return is_allocated ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t softgpu_graph_memory_free_async(struct CUstream_st *stream,
                                            struct softgpu_graph_memory *memory)
{
    if (!memory->will_be)
        return cudaErrorInvalidValue;
    memory->will_be = 0;
    return submit_node(stream, memory, SOFTGPU_GRAPH_FREE);
}

void softgpu_graph_memory_queued(const struct CUgraph_st *graph)
{
    for (size_t i = 0; i < graph->count; i++)
        if (graph->nodes[i]->command.kind == SOFTGPU_GRAPH_ALLOC)
            graph->nodes[i]->command.graph_memory->will_be = 1;
    /* a free node comes after the allocation node of its memory */
    for (size_t i = 0; i < graph->count; i++)
        if (graph->nodes[i]->command.kind == SOFTGPU_GRAPH_FREE)
            graph->nodes[i]->command.graph_memory->will_be = 0;
}

void softgpu_graph_memory_run(struct softgpu_graph_memory *memory,
                              int allocates)
{
    set_allocated(memory, allocates);
}

int softgpu_graph_memory_is_free(const void *ptr)
{
    const struct softgpu_allocation *a = softgpu_find_allocation(ptr);
    return a && a->graph_memory && !a->graph_memory->is_allocated;
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
    const int is_used = memory->is_allocated;
    set_allocated(memory, 0);
    sums[memory->device].reserved -= memory->bytes;
    if (a)
        a->graph_memory = NULL;
    if (a && !is_used)
        softgpu_free_allocation(a);
    free(memory);
}

/* --- nodes that the program adds ------------------------------------------ */

cudaError_t softgpu_build_alloc_node(struct softgpu_node_spec *spec,
                                     struct cudaMemAllocNodeParams *p)
{
    struct softgpu_allocation *a;
    if (!p || !p->bytesize
        || p->poolProps.allocType != cudaMemAllocationTypePinned
        || p->poolProps.location.type != cudaMemLocationTypeDevice)
        return cudaErrorInvalidValue;
    struct softgpu_device *device =
        softgpu_device_at(p->poolProps.location.id);
    if (!device)
        return cudaErrorInvalidDevice;
    const cudaError_t error =
        softgpu_alloc_device_memory(device, p->bytesize, &a);
    if (error)
        return error;
    struct softgpu_graph_memory *r = new_record(a);
    if (!r)
        return cudaErrorMemoryAllocation;
    r->ref_count = 1;
    spec->command = (struct softgpu_command){
        .kind = SOFTGPU_GRAPH_ALLOC, .device = device, .graph_memory = r};
    p->dptr = r->ptr;
    return cudaSuccess;
}

cudaError_t softgpu_build_free_node(struct softgpu_node_spec *spec,
                                    const void *ptr)
{
    struct softgpu_allocation *a = softgpu_find_allocation(ptr);
    if (!a || a->ptr != ptr || !a->graph_memory)
        return cudaErrorInvalidValue;
    a->graph_memory->ref_count++;
    spec->command = (struct softgpu_command){
        .kind = SOFTGPU_GRAPH_FREE, .device = softgpu_device_at(a->device),
        .graph_memory = a->graph_memory};
    return cudaSuccess;
}

/* The sum of an attribute, or NULL. */
static uint64_t *sum_of(int device, enum cudaGraphMemAttributeType attribute)
{
    uint64_t *const all[] = {&sums[device].used, &sums[device].used_high,
                             &sums[device].reserved,
                             &sums[device].reserved_high};
    return (unsigned)attribute < 4 ? all[attribute] : NULL;
}

/* Read an attribute. */
static cudaError_t get_attribute(int device,
                                 enum cudaGraphMemAttributeType attribute,
                                 uint64_t *value)
{
    if (!softgpu_device_at(device))
        return cudaErrorInvalidDevice;
    if (!value || !sum_of(device, attribute))
        return cudaErrorInvalidValue;
    *value = *sum_of(device, attribute);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetGraphMemAttribute(
    int device, enum cudaGraphMemAttributeType attribute, void *value)
{
    SOFTGPU_CALL(get_attribute(device, attribute, value));
}

/* Only a maximum can be set, and only to 0: it is the present sum then. */
static cudaError_t set_attribute(int device,
                                 enum cudaGraphMemAttributeType attribute,
                                 const uint64_t *value)
{
    if (!softgpu_device_at(device))
        return cudaErrorInvalidDevice;
    if (!value || *value
        || (attribute != cudaGraphMemAttrUsedMemHigh
            && attribute != cudaGraphMemAttrReservedMemHigh))
        return cudaErrorInvalidValue;
    sum_of(device, attribute)[0] =
        *sum_of(device, (enum cudaGraphMemAttributeType)(attribute - 1));
    return cudaSuccess;
}

cudaError_t cudaDeviceSetGraphMemAttribute(
    int device, enum cudaGraphMemAttributeType attribute, void *value)
{
    SOFTGPU_CALL(set_attribute(device, attribute, value));
}

cudaError_t cudaDeviceGraphMemTrim(int device)
{
    SOFTGPU_CALL(softgpu_device_at(device) ? cudaSuccess
                                           : cudaErrorInvalidDevice);
}
