/* SPDX-License-Identifier: MIT */
/** @file
 *  Stream capture.
 */
#include "capture.h"

#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "graph.h"

static unsigned long long ids;
static _Thread_local enum cudaStreamCaptureMode thread_capture_mode;

/* Replace a stream's capture dependencies. */
static cudaError_t set_capture_dependencies(struct CUstream_st *s,
                                            struct CUgraphNode_st *const *nodes,
                                            size_t n)
{
    struct CUgraphNode_st **list = malloc((n + 1) * sizeof(*list));
    if (!list)
        return cudaErrorMemoryAllocation;
    if (n)
        memcpy(list, nodes, n * sizeof(*list));
    free(s->capture_dependencies);
    s->capture_dependencies = list;
    s->capture_dependency_count = n;
    return cudaSuccess;
}

/* Add nodes to a stream's capture dependencies, without duplicates. */
static cudaError_t add_capture_dependencies(struct CUstream_st *s,
                                            struct CUgraphNode_st *const *nodes,
                                            size_t n)
{
    struct CUgraphNode_st **list =
        malloc((s->capture_dependency_count + n + 1) * sizeof(*list));
    if (!list)
        return cudaErrorMemoryAllocation;
    size_t count = s->capture_dependency_count;
    if (count)
        memcpy(list, s->capture_dependencies, count * sizeof(*list));
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < count && list[k] != nodes[i])
            k++;
        list[k] = nodes[i];
        count += k == count;
    }
    free(s->capture_dependencies);
    s->capture_dependencies = list;
    s->capture_dependency_count = count;
    return cudaSuccess;
}

/* End the capture of one stream. */
static void leave_capture(struct CUstream_st *s)
{
    free(s->capture_dependencies);
    s->capture_dependencies = NULL;
    s->capture_dependency_count = 0;
    s->capture = NULL;
}

cudaError_t softgpu_capture_add(struct CUstream_st *stream,
                                struct softgpu_command *command)
{
    struct softgpu_capture *c = stream->capture;
    struct CUgraphNode_st *node;
    if (c->invalidated) {
        softgpu_command_destroy(command);
        return cudaErrorStreamCaptureInvalidated;
    }
    const struct softgpu_dependencies deps = {stream->capture_dependencies,
                                              stream->capture_dependency_count};
    const cudaError_t error =
        softgpu_graph_add_node(c->graph, deps, command, &node);
    if (error)
        c->invalidated = 1;
    return error ? error : set_capture_dependencies(stream, &node, 1);
}

cudaError_t softgpu_capture_record(struct CUstream_st *stream,
                                   struct CUevent_st *event)
{
    if (stream->capture->invalidated)
        return cudaErrorStreamCaptureInvalidated;
    softgpu_event_clear_capture(event);
    event->captured_nodes =
        malloc((stream->capture_dependency_count + 1) * sizeof(void *));
    if (!event->captured_nodes)
        return cudaErrorMemoryAllocation;
    if (stream->capture_dependency_count)
        memcpy(event->captured_nodes, stream->capture_dependencies,
               stream->capture_dependency_count * sizeof(void *));
    event->captured_count = stream->capture_dependency_count;
    event->capture = stream->capture->id;
    return cudaSuccess;
}

/* The capture with this id; NULL if it has ended.  An event stores the id,
 * because its capture may have ended. */
static struct softgpu_capture *find_capture(unsigned long long id)
{
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        if (s->capture && s->capture->id == id)
            return s->capture;
    return NULL;
}

cudaError_t softgpu_capture_join(struct CUstream_st *stream,
                                 struct CUevent_st *event)
{
    struct softgpu_capture *c = find_capture(event->capture);
    if (!c)
        return cudaErrorCapturedEvent; /* its capture has ended */
    if (stream->is_default) {
        c->invalidated = 1;
        return cudaErrorStreamCaptureImplicit;
    }
    if (stream->capture && stream->capture != c) {
        c->invalidated = stream->capture->invalidated = 1;
        return cudaErrorStreamCaptureMerge;
    }
    if (c->invalidated)
        return cudaErrorStreamCaptureInvalidated;
    stream->capture = c;
    return add_capture_dependencies(stream, event->captured_nodes,
                                    event->captured_count);
}

cudaError_t softgpu_capture_reject_dependency(struct CUstream_st *stream)
{
    stream->capture->invalidated = 1;
    return cudaErrorStreamCaptureIsolation;
}

/* The error is returned when the capture ends: name the call now. */
static void invalidate_capture(struct softgpu_capture *c)
{
    if (!c->invalidated)
        softgpu_warn_at_call(
            "a call that stream capture does not permit, because it "
            "synchronizes,");
    c->invalidated = 1;
}

cudaError_t softgpu_capture_check_stream(struct CUstream_st *stream)
{
    if (!stream->is_default)
        return cudaSuccess;
    cudaError_t error = cudaSuccess;
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        if (s->capture && s->device == stream->device
            && !(s->flags & cudaStreamNonBlocking)) {
            invalidate_capture(s->capture);
            error = cudaErrorStreamCaptureImplicit;
        }
    return error;
}

int softgpu_is_capturing(const struct softgpu_device *device)
{
    for (const struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        if (s->capture && s->device == device)
            return 1;
    return 0;
}

void softgpu_capture_invalidate(struct CUstream_st *stream)
{
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        if (s->capture && (!stream || s == stream))
            invalidate_capture(s->capture);
}

/* End a capture in all its streams.  @return its graph */
static struct CUgraph_st *end_capture(struct softgpu_capture *c)
{
    struct CUgraph_st *graph = c->graph;
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        if (s->capture == c)
            leave_capture(s);
    free(c);
    return graph;
}

/* 1 if the origin's capture dependencies depend on those of this stream. */
static int has_joined(const struct softgpu_capture *c,
                      const struct CUstream_st *s)
{
    const int mark = softgpu_graph_new_mark();
    for (size_t i = 0; i < c->origin->capture_dependency_count; i++)
        softgpu_graph_mark_ancestors(c->origin->capture_dependencies[i], mark);
    for (size_t i = 0; i < s->capture_dependency_count; i++)
        if (s->capture_dependencies[i]->mark != mark)
            return 0;
    return 1;
}

void softgpu_capture_detach(struct CUstream_st *stream)
{
    if (!stream->capture)
        return;
    if (stream->capture->origin == stream)
        softgpu_graph_release(end_capture(stream->capture));
    else if (!has_joined(stream->capture, stream))
        stream->capture->invalidated = 1;
    leave_capture(stream);
}

/* Begin with these dependencies of the first node. */
static cudaError_t begin_with_dependencies(struct CUstream_st *s,
                                           const struct softgpu_capture *c,
                                           struct softgpu_dependencies deps)
{
    const cudaError_t error =
        set_capture_dependencies(s, deps.nodes, deps.count);
    if (error)
        return error;
    s->capture = malloc(sizeof *c);
    if (!s->capture)
        return cudaErrorMemoryAllocation;
    *s->capture = *c;
    return cudaSuccess;
}

/* Begin a capture into `graph`, or into a new one if NULL. */
static cudaError_t begin_capture(cudaStream_t handle, struct CUgraph_st *graph,
                                 struct softgpu_dependencies deps,
                                 enum cudaStreamCaptureMode mode)
{
    struct CUstream_st *s = softgpu_stream(handle);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if ((unsigned)mode > cudaStreamCaptureModeRelaxed)
        return cudaErrorInvalidValue;
    if (s->is_default)
        return cudaErrorStreamCaptureUnsupported;
    if (s->capture)
        return cudaErrorIllegalState;
    const int is_borrowed = graph != NULL;
    graph = is_borrowed ? softgpu_graph_retain(graph) : softgpu_graph_new();
    if (!graph)
        return cudaErrorMemoryAllocation;
    const struct softgpu_capture c = {
        .graph = graph, .origin = s, .id = ++ids, .mode = mode,
        .thread = pthread_self(), .is_borrowed = is_borrowed};
    const cudaError_t error = begin_with_dependencies(s, &c, deps);
    if (error) {
        softgpu_graph_release(graph);
        return error;
    }
    softgpu_graph_add_handle(graph);
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream,
                                   enum cudaStreamCaptureMode mode)
{
    const struct softgpu_dependencies none = {NULL, 0};
    SOFTGPU_CALL(begin_capture(stream, NULL, none, mode));
}

/* Check that the nodes belong to the graph and the edges have no data. */
static cudaError_t check_dependencies(cudaGraph_t graph,
                                      struct softgpu_dependencies deps,
                                      const cudaGraphEdgeData *edges)
{
    static const cudaGraphEdgeData plain;
    if (!softgpu_is_graph(graph) || (deps.count && !deps.nodes))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < deps.count; i++) {
        if (!softgpu_is_node(deps.nodes[i])
            || deps.nodes[i]->graph != graph)
            return cudaErrorInvalidValue;
        if (edges && memcmp(&edges[i], &plain, sizeof plain))
            return cudaErrorNotSupported;
    }
    return cudaSuccess;
}

static cudaError_t begin_in_graph(cudaStream_t stream, cudaGraph_t graph,
                                  struct softgpu_dependencies deps,
                                  const cudaGraphEdgeData *edges,
                                  enum cudaStreamCaptureMode mode)
{
    const cudaError_t error = check_dependencies(graph, deps, edges);
    return error ? error : begin_capture(stream, graph, deps, mode);
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream,
                                          cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies,
                                          const cudaGraphEdgeData *edges,
                                          size_t n,
                                          enum cudaStreamCaptureMode mode)
{
    const struct softgpu_dependencies deps = {dependencies, n};
    SOFTGPU_CALL(begin_in_graph(stream, graph, deps, edges, mode));
}

static int all_streams_joined(const struct softgpu_capture *c)
{
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        if (s->capture == c && !has_joined(c, s))
            return 0;
    return 1;
}

static cudaError_t finish_capture(cudaStream_t handle, cudaGraph_t *graph)
{
    struct CUstream_st *s = softgpu_stream(handle);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    struct softgpu_capture *c = s->capture;
    if (!graph && !(c && c->is_borrowed)) /* the program has that graph */
        return cudaErrorInvalidValue;
    if (graph)
        *graph = NULL;
    if (!c)
        return cudaErrorIllegalState;
    if (c->origin != s)
        return cudaErrorStreamCaptureUnmatched;
    if (c->mode != cudaStreamCaptureModeRelaxed
        && !pthread_equal(c->thread, pthread_self()))
        return cudaErrorStreamCaptureWrongThread;
    const cudaError_t error = c->invalidated ? cudaErrorStreamCaptureInvalidated
                              : all_streams_joined(c) ? cudaSuccess
                                          : cudaErrorStreamCaptureUnjoined;
    const int is_borrowed = c->is_borrowed;
    struct CUgraph_st *made = end_capture(c);
    if (error || is_borrowed)
        softgpu_graph_release(made); /* of a borrowed graph: a reference */
    if (!error && graph)
        *graph = made;
    return error;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    SOFTGPU_CALL(finish_capture(stream, graph));
}

static cudaError_t update_dependencies(cudaStream_t handle,
                                       cudaGraphNode_t *nodes, size_t n,
                                       unsigned flags)
{
    struct CUstream_st *s = softgpu_stream(handle);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if (!s->capture)
        return cudaErrorIllegalState;
    if (s->capture->invalidated)
        return cudaErrorStreamCaptureInvalidated;
    if (flags > cudaStreamSetCaptureDependencies || (n && !nodes))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < n; i++)
        if (!softgpu_graph_has_node(s->capture->graph, nodes[i]))
            return cudaErrorInvalidValue;
    return flags == cudaStreamSetCaptureDependencies
               ? set_capture_dependencies(s, nodes, n)
               : add_capture_dependencies(s, nodes, n);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                cudaGraphNode_t *dependencies,
                                                size_t count,
                                                unsigned int flags)
{
    SOFTGPU_CALL(update_dependencies(stream, dependencies, count, flags));
}

cudaError_t cudaThreadExchangeStreamCaptureMode(
    enum cudaStreamCaptureMode *mode)
{
    if (!mode || (unsigned)*mode > cudaStreamCaptureModeRelaxed)
        return softgpu_record_error(cudaErrorInvalidValue);
    const enum cudaStreamCaptureMode old = thread_capture_mode;
    thread_capture_mode = *mode;
    *mode = old;
    return cudaSuccess;
}
