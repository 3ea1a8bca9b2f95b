/* SPDX-License-Identifier: MIT */
/** @file
 *  User objects.  What an object's end calls is the program's: it waits on a
 *  list until the runtime's lock is free again (error.c).
 */
#include "user_object.h"

#include <limits.h>
#include <stdlib.h>

#include "call.h"
#include "graph.h"

/** An object. */
struct CUuserObject_st {
    void *ptr;
    cudaHostFn_t destroy;
    size_t count; /**< references of all */
    size_t mine;  /**< of these, the program's */
    struct CUuserObject_st *next;
};

static struct CUuserObject_st *all; /* that have references */
static struct CUuserObject_st *due; /* that have none: destroy is to come */

static int is_object(const struct CUuserObject_st *object)
{
    const struct CUuserObject_st *o = all;
    while (o && o != object)
        o = o->next;
    return o != NULL;
}

static int is_count(unsigned count)
{
    return count > 0 && count <= INT_MAX;
}

/* Take n references away; the last takes the handle with it. */
static void let_go(struct CUuserObject_st *object, size_t n)
{
    object->count -= n;
    if (object->count)
        return;
    struct CUuserObject_st **link = &all;
    while (*link != object)
        link = &(*link)->next;
    *link = object->next;
    object->next = due;
    due = object;
}

struct CUuserObject_st *softgpu_objects_due(void)
{
    struct CUuserObject_st *list = due;
    due = NULL;
    return list;
}

void softgpu_objects_destroy(struct CUuserObject_st *list)
{
    softgpu_in_callback(1);
    while (list) {
        struct CUuserObject_st *object = list;
        list = object->next;
        object->destroy(object->ptr);
        free(object);
    }
    softgpu_in_callback(0);
}

static cudaError_t create(cudaUserObject_t *to, const cudaUserObject_t from,
                          unsigned flags)
{
    if (!to || !from->destroy || !is_count((unsigned)from->count)
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
    if (!is_object(object) || !is_count(count))
        return cudaErrorInvalidValue;
    object->count += count;
    object->mine += count;
    return cudaSuccess;
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count)
{
    SOFTGPU_CALL(retain(object, count));
}

static cudaError_t release(cudaUserObject_t object, unsigned count)
{
    if (!is_object(object) || !is_count(count) || count > object->mine)
        return cudaErrorInvalidValue;
    object->mine -= count;
    let_go(object, count);
    return cudaSuccess;
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count)
{
    SOFTGPU_CALL(release(object, count));
}

/* Where a graph has its references to an object: NULL there if it has none. */
static struct softgpu_kept **find(struct softgpu_kept **kept,
                                  const struct CUuserObject_st *object)
{
    while (*kept && (*kept)->object != object)
        kept = &(*kept)->next;
    return kept;
}

/* Note `count` references that are counted already. */
static int keep(struct softgpu_kept **list, struct CUuserObject_st *object,
                size_t count)
{
    struct softgpu_kept **at = find(list, object);
    if (!*at) {
        *at = calloc(1, sizeof **at);
        if (!*at)
            return -1;
        (*at)->object = object;
    }
    (*at)->count += count;
    return 0;
}

int softgpu_kept_copy(struct softgpu_kept **to,
                      const struct softgpu_kept *from)
{
    for (; from; from = from->next) {
        if (keep(to, from->object, from->count))
            return -1;
        from->object->count += from->count;
    }
    return 0;
}

void softgpu_kept_drop(struct softgpu_kept *kept)
{
    while (kept) {
        struct softgpu_kept *next = kept->next;
        let_go(kept->object, kept->count);
        free(kept);
        kept = next;
    }
}

static cudaError_t graph_retain(cudaGraph_t graph, cudaUserObject_t object,
                                unsigned count, unsigned flags)
{
    if (!softgpu_is_graph(graph) || !is_object(object) || !is_count(count)
        || flags & ~(unsigned)cudaGraphUserObjectMove
        || (flags && count > object->mine))
        return cudaErrorInvalidValue;
    if (keep(&graph->kept, object, count))
        return cudaErrorMemoryAllocation;
    if (flags)
        object->mine -= count;
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
    if (!softgpu_is_graph(graph) || !is_object(object) || !is_count(count))
        return cudaErrorInvalidValue;
    struct softgpu_kept **at = find(&graph->kept, object), *kept = *at;
    if (!kept || count > kept->count)
        return cudaErrorInvalidValue;
    kept->count -= count;
    if (!kept->count) {
        *at = kept->next;
        free(kept);
    }
    let_go(object, count);
    return cudaSuccess;
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph,
                                       cudaUserObject_t object,
                                       unsigned int count)
{
    SOFTGPU_CALL(graph_release(graph, object, count));
}
