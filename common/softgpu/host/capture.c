/* SPDX-License-Identifier: MIT */
/** @file
 *  Capturing streams.
 */
#include "capture.h"

#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "graph.h"

static unsigned long long ids;
static _Thread_local enum cudaStreamCaptureMode thread_mode;

/* Replace the list of a stream's last nodes. */
static cudaError_t set_last(struct CUstream_st *s,
                            struct CUgraphNode_st *const *nodes, size_t n)
{
    struct CUgraphNode_st **list = malloc((n + 1) * sizeof(*list));
    if (!list)
        return cudaErrorMemoryAllocation;
    if (n)
        memcpy(list, nodes, n * sizeof(*list));
    free(s->last);
    s->last = list;
    s->last_count = n;
    return cudaSuccess;
}

/* Add to the list of a stream's last nodes those that are not there. */
static cudaError_t add_last(struct CUstream_st *s,
                            struct CUgraphNode_st *const *nodes, size_t n)
{
    struct CUgraphNode_st **list =
        malloc((s->last_count + n + 1) * sizeof(*list));
    if (!list)
        return cudaErrorMemoryAllocation;
    size_t count = s->last_count;
    if (count)
        memcpy(list, s->last, count * sizeof(*list));
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < count && list[k] != nodes[i])
            k++;
        list[k] = nodes[i];
        count += k == count;
    }
    free(s->last);
    s->last = list;
    s->last_count = count;
    return cudaSuccess;
}

/* The stream is an ordinary one again. */
static void leave(struct CUstream_st *s)
{
    free(s->last);
    s->last = NULL;
    s->last_count = 0;
    s->capture = NULL;
}

cudaError_t softgpu_capture_add(struct CUstream_st *stream,
                                struct softgpu_work *work)
{
    struct softgpu_capture *c = stream->capture;
    struct CUgraphNode_st *node;
    if (c->spoiled) {
        softgpu_work_drop(work);
        return cudaErrorStreamCaptureInvalidated;
    }
    const struct softgpu_before before = {stream->last, stream->last_count};
    const cudaError_t error = softgpu_graph_add(c->graph, before, work, &node);
    if (error)
        c->spoiled = 1;
    return error ? error : set_last(stream, &node, 1);
}

cudaError_t softgpu_capture_record(struct CUstream_st *stream,
                                   struct CUevent_st *event)
{
    if (stream->capture->spoiled)
        return cudaErrorStreamCaptureInvalidated;
    softgpu_event_uncapture(event);
    event->captured = malloc((stream->last_count + 1) * sizeof(void *));
    if (!event->captured)
        return cudaErrorMemoryAllocation;
    if (stream->last_count)
        memcpy(event->captured, stream->last,
               stream->last_count * sizeof(void *));
    event->captured_count = stream->last_count;
    event->capture = stream->capture->id;
    return cudaSuccess;
}

/* The capture of this number; NULL when it is over.  An event keeps the number,
 * for the capture may be gone. */
static struct softgpu_capture *by_id(unsigned long long id)
{
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        if (s->capture && s->capture->id == id)
            return s->capture;
    return NULL;
}

cudaError_t softgpu_capture_join(struct CUstream_st *stream,
                                 struct CUevent_st *event)
{
    struct softgpu_capture *c = by_id(event->capture);
    if (!c)
        return cudaErrorCapturedEvent; /* that capture is over */
    if (stream->is_default) {
        c->spoiled = 1;
        return cudaErrorStreamCaptureImplicit;
    }
    if (stream->capture && stream->capture != c) {
        c->spoiled = stream->capture->spoiled = 1;
        return cudaErrorStreamCaptureMerge;
    }
    if (c->spoiled)
        return cudaErrorStreamCaptureInvalidated;
    stream->capture = c;
    return add_last(stream, event->captured, event->captured_count);
}

cudaError_t softgpu_capture_isolated(struct CUstream_st *stream)
{
    stream->capture->spoiled = 1;
    return cudaErrorStreamCaptureIsolation;
}

/* The error comes at the capture's end; say now which call it was. */
static void spoil(struct softgpu_capture *c)
{
    if (!c->spoiled)
        softgpu_note("a call that no capture into a graph allows, for it "
                     "waits or makes others wait,");
    c->spoiled = 1;
}

cudaError_t softgpu_capture_allows(struct CUstream_st *stream)
{
    if (!stream->is_default)
        return cudaSuccess;
    cudaError_t error = cudaSuccess;
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        if (s->capture && s->device == stream->device
            && !(s->flags & cudaStreamNonBlocking)) {
            spoil(s->capture);
            error = cudaErrorStreamCaptureImplicit;
        }
    return error;
}

int softgpu_capturing(const struct softgpu_device *device)
{
    for (const struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        if (s->capture && s->device == device)
            return 1;
    return 0;
}

void softgpu_capture_spoil(struct CUstream_st *stream)
{
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        if (s->capture && (!stream || s == stream))
            spoil(s->capture);
}

/* End a capture: its streams leave it.  @return its graph */
static struct CUgraph_st *end(struct softgpu_capture *c)
{
    struct CUgraph_st *graph = c->graph;
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        if (s->capture == c)
            leave(s);
    free(c);
    return graph;
}

void softgpu_capture_forget(struct CUstream_st *stream)
{
    if (!stream->capture)
        return;
    if (stream->capture->origin == stream)
        softgpu_graph_free(end(stream->capture));
    else
        stream->capture->spoiled = 1;
    leave(stream);
}

/* The first node of a capture into a graph comes behind these. */
static cudaError_t begin_behind(struct CUstream_st *s,
                                const struct softgpu_capture *c,
                                struct softgpu_before before)
{
    const cudaError_t error = set_last(s, before.nodes, before.count);
    if (error)
        return error;
    s->capture = malloc(sizeof *c);
    if (!s->capture)
        return cudaErrorMemoryAllocation;
    *s->capture = *c;
    return cudaSuccess;
}

/* Into `graph`, or with NULL into a new one. */
static cudaError_t begin(cudaStream_t handle, struct CUgraph_st *graph,
                         struct softgpu_before before,
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
    const int lent = graph != NULL;
    graph = lent ? softgpu_graph_hold(graph) : softgpu_graph_new();
    if (!graph)
        return cudaErrorMemoryAllocation;
    const struct softgpu_capture c = {
        .graph = graph, .origin = s, .id = ++ids, .mode = mode,
        .thread = pthread_self(), .lent = lent};
    const cudaError_t error = begin_behind(s, &c, before);
    if (error) {
        softgpu_graph_free(graph);
        return error;
    }
    softgpu_graph_publish(graph);
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream,
                                   enum cudaStreamCaptureMode mode)
{
    const struct softgpu_before none = {NULL, 0};
    SOFTGPU_CALL(begin(stream, NULL, none, mode));
}

/* Whether n nodes of the graph are there, and the edges from them plain. */
static cudaError_t check_before(cudaGraph_t graph,
                                struct softgpu_before before,
                                const cudaGraphEdgeData *edges)
{
    static const cudaGraphEdgeData plain;
    if (!softgpu_is_graph(graph) || (before.count && !before.nodes))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < before.count; i++) {
        if (!softgpu_is_node(before.nodes[i])
            || before.nodes[i]->graph != graph)
            return cudaErrorInvalidValue;
        if (edges && memcmp(&edges[i], &plain, sizeof plain))
            return cudaErrorNotSupported;
    }
    return cudaSuccess;
}

static cudaError_t begin_in(cudaStream_t stream, cudaGraph_t graph,
                            struct softgpu_before before,
                            const cudaGraphEdgeData *edges,
                            enum cudaStreamCaptureMode mode)
{
    const cudaError_t error = check_before(graph, before, edges);
    return error ? error : begin(stream, graph, before, mode);
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream,
                                          cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies,
                                          const cudaGraphEdgeData *edges,
                                          size_t n,
                                          enum cudaStreamCaptureMode mode)
{
    const struct softgpu_before before = {dependencies, n};
    SOFTGPU_CALL(begin_in(stream, graph, before, edges, mode));
}

/* 1 when all that joined the capture comes before the origin's last nodes. */
static int joined(const struct softgpu_capture *c)
{
    const int mark = softgpu_graph_new_mark();
    for (size_t i = 0; i < c->origin->last_count; i++)
        softgpu_graph_mark(c->origin->last[i], mark);
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        for (size_t i = 0; s->capture == c && i < s->last_count; i++)
            if (s->last[i]->mark != mark)
                return 0;
    return 1;
}

static cudaError_t finish(cudaStream_t handle, cudaGraph_t *graph)
{
    struct CUstream_st *s = softgpu_stream(handle);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if (!graph)
        return cudaErrorInvalidValue;
    *graph = NULL;
    struct softgpu_capture *c = s->capture;
    if (!c)
        return cudaErrorIllegalState;
    if (c->origin != s)
        return cudaErrorStreamCaptureUnmatched;
    if (c->mode != cudaStreamCaptureModeRelaxed
        && !pthread_equal(c->thread, pthread_self()))
        return cudaErrorStreamCaptureWrongThread;
    const cudaError_t error = c->spoiled ? cudaErrorStreamCaptureInvalidated
                              : joined(c) ? cudaSuccess
                                          : cudaErrorStreamCaptureUnjoined;
    const int lent = c->lent;
    struct CUgraph_st *made = end(c);
    if (error || lent)
        softgpu_graph_free(made); /* a lent one: only let go of */
    if (!error)
        *graph = made;
    return error;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    SOFTGPU_CALL(finish(stream, graph));
}

static cudaError_t update(cudaStream_t handle, cudaGraphNode_t *nodes,
                          size_t n, unsigned flags)
{
    struct CUstream_st *s = softgpu_stream(handle);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if (!s->capture)
        return cudaErrorIllegalState;
    if (flags > cudaStreamSetCaptureDependencies || (n && !nodes))
        return cudaErrorInvalidValue;
    return flags == cudaStreamSetCaptureDependencies ? set_last(s, nodes, n)
                                                     : add_last(s, nodes, n);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                cudaGraphNode_t *dependencies,
                                                size_t count,
                                                unsigned int flags)
{
    SOFTGPU_CALL(update(stream, dependencies, count, flags));
}

cudaError_t cudaThreadExchangeStreamCaptureMode(
    enum cudaStreamCaptureMode *mode)
{
    if (!mode || (unsigned)*mode > cudaStreamCaptureModeRelaxed)
        return softgpu_record(cudaErrorInvalidValue);
    const enum cudaStreamCaptureMode old = thread_mode;
    thread_mode = *mode;
    *mode = old;
    return cudaSuccess;
}
