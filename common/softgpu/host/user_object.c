/* SPDX-License-Identifier: MIT */
/** @file
 *  User objects.  An object's destroy function is the program's: the call is
 *  deferred until the runtime's lock has been released (error.c).
 */
#include "user_object.h"

#include <limits.h>
#include <stdlib.h>

#include "call.h"
#include "graph.h"

/** A user object. */
struct CUuserObject_st {
    void *ptr;
    cudaHostFn_t destroy;
    size_t count;         /**< references in total */
    size_t program_count; /**< those of the program */
    struct CUuserObject_st *next;
};

static struct CUuserObject_st *all;             /* with references */
static struct CUuserObject_st *pending_destroy; /* without references */

static int is_object(const struct CUuserObject_st *object)
{
    const struct CUuserObject_st *o = all;
    while (o && o != object)
        o = o->next;
    return o != NULL;
}

static int is_valid_count(unsigned count)
{
    return count > 0 && count <= INT_MAX;
}

/* Drop n references; the handle is invalid after the last. */
static void release_references(struct CUuserObject_st *object, size_t n)
{
    object->count -= n;
    if (object->count)
        return;
    struct CUuserObject_st **link = &all;
    while (*link != object)
        link = &(*link)->next;
    *link = object->next;
    object->next = pending_destroy;
    pending_destroy = object;
}

struct CUuserObject_st *softgpu_objects_to_destroy(void)
{
    struct CUuserObject_st *list = pending_destroy;
    pending_destroy = NULL;
    return list;
}

void softgpu_objects_destroy(struct CUuserObject_st *list)
{
    softgpu_set_in_callback(1);
    while (list) {
        struct CUuserObject_st *object = list;
        list = object->next;
        object->destroy(object->ptr);
        free(object);
    }
    softgpu_set_in_callback(0);
}

static cudaError_t create(cudaUserObject_t *to, const cudaUserObject_t from,
                          unsigned flags)
{
    if (!to || !from->destroy || !is_valid_count((unsigned)from->count)
        || flags != cudaUserObjectNoDestructorSync)
        return cudaErrorInvalidValue;
    struct CUuserObject_st *object = malloc(sizeof *object);
    if (!object)
        return cudaErrorMemoryAllocation;
    *object = *from;
    object->next = all;
    all = *to = object;
    return cudaSuccess;
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *ptr,
                                 cudaHostFn_t destroy, unsigned int count,
                                 unsigned int flags)
{
    struct CUuserObject_st from = {ptr, destroy, count, count, NULL};
    SOFTGPU_CALL(create(object, &from, flags));
}

static cudaError_t retain(cudaUserObject_t object, unsigned count)
{
    if (!is_object(object) || !is_valid_count(count))
        return cudaErrorInvalidValue;
    object->count += count;
    object->program_count += count;
    return cudaSuccess;
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count)
{
    SOFTGPU_CALL(retain(object, count));
}

static cudaError_t release(cudaUserObject_t object, unsigned count)
{
    if (!is_object(object) || !is_valid_count(count)
        || count > object->program_count)
        return cudaErrorInvalidValue;
    object->program_count -= count;
    release_references(object, count);
    return cudaSuccess;
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count)
{
    SOFTGPU_CALL(release(object, count));
}

/* The link to a graph's references to an object; points to NULL if none. */
static struct softgpu_object_reference **find_reference(
    struct softgpu_object_reference **references,
    const struct CUuserObject_st *object)
{
    while (*references && (*references)->object != object)
        references = &(*references)->next;
    return references;
}

/* Add `count` references to the list; the object counts them already. */
static int add_reference(struct softgpu_object_reference **list,
                         struct CUuserObject_st *object, size_t count)
{
    struct softgpu_object_reference **at = find_reference(list, object);
    if (!*at) {
        *at = calloc(1, sizeof **at);
        if (!*at)
            return -1;
        (*at)->object = object;
    }
    (*at)->count += count;
    return 0;
}

int softgpu_references_copy(struct softgpu_object_reference **to,
                            const struct softgpu_object_reference *from)
{
    for (; from; from = from->next) {
        if (add_reference(to, from->object, from->count))
            return -1;
        from->object->count += from->count;
    }
    return 0;
}

void softgpu_references_release(struct softgpu_object_reference *references)
{
    while (references) {
        struct softgpu_object_reference *next = references->next;
        release_references(references->object, references->count);
        free(references);
        references = next;
    }
}

static cudaError_t graph_retain(cudaGraph_t graph, cudaUserObject_t object,
                                unsigned count, unsigned flags)
{
    if (!softgpu_is_graph(graph) || !is_object(object) || !is_valid_count(count)
        || flags & ~(unsigned)cudaGraphUserObjectMove
        || (flags && count > object->program_count))
        return cudaErrorInvalidValue;
    if (add_reference(&graph->references, object, count))
        return cudaErrorMemoryAllocation;
    if (flags)
        object->program_count -= count;
    else
        object->count += count;
    return cudaSuccess;
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph,
                                      cudaUserObject_t object,
                                      unsigned int count, unsigned int flags)
{
    SOFTGPU_CALL(graph_retain(graph, object, count, flags));
}

static cudaError_t graph_release(cudaGraph_t graph, cudaUserObject_t object,
                                 unsigned count)
{
    if (!softgpu_is_graph(graph) || !is_object(object)
        || !is_valid_count(count))
        return cudaErrorInvalidValue;
    struct softgpu_object_reference **at = find_reference(&graph->references,
                                                          object),
                                    *references = *at;
    if (!references || count > references->count)
        return cudaErrorInvalidValue;
    references->count -= count;
    if (!references->count) {
        *at = references->next;
        free(references);
    }
    release_references(object, count);
    return cudaSuccess;
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph,
                                       cudaUserObject_t object,
                                       unsigned int count)
{
    SOFTGPU_CALL(graph_release(graph, object, count));
}
