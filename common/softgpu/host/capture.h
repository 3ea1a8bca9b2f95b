/* SPDX-License-Identifier: MIT */
/** @file
 *  Stream capture: commands submitted to a stream become nodes of a graph.
 *
 *  A capture has one graph and one or more streams: the stream where it began,
 *  and those that joined by waiting for an event of the capture.  Each stream
 *  has a list of the nodes that its next node depends on.
 */
#ifndef SOFTGPU_CAPTURE_H
#define SOFTGPU_CAPTURE_H

#include <pthread.h>

#include "event.h"
#include "stream.h"

/** A capture in progress. */
struct softgpu_capture {
    struct CUgraph_st *graph;        /**< the graph being built */
    struct CUstream_st *origin;      /**< the stream where it began */
    unsigned long long id;           /**< unique */
    enum cudaStreamCaptureMode mode; /**< of cudaStreamBeginCapture() */
    pthread_t thread;                /**< the thread that began it */
    int invalidated; /**< 1: cudaStreamEndCapture() will fail */
    int is_borrowed; /**< 1: into an existing graph; holds a reference */
};

/** Add a command as a node after the stream's capture dependencies.  Takes
 *  ownership of the command. */
cudaError_t softgpu_capture_add(struct CUstream_st *stream,
                                struct softgpu_command *command);
/** Record the stream's capture dependencies in an event. */
cudaError_t softgpu_capture_record(struct CUstream_st *stream,
                                   struct CUevent_st *event);
/** Let the stream's next node depend on the nodes of a captured event.  A
 *  stream that is not capturing joins the event's capture. */
cudaError_t softgpu_capture_join(struct CUstream_st *stream,
                                 struct CUevent_st *event);
/** A capturing stream waits for an event outside the capture: invalidates the
 *  capture.  @return cudaErrorStreamCaptureIsolation */
cudaError_t softgpu_capture_reject_dependency(struct CUstream_st *stream);
/** Check that a stream that is not capturing may be used: the default stream
 *  may not while blocking streams of its device are capturing. */
cudaError_t softgpu_capture_check_stream(struct CUstream_st *stream);
/** 1 while a stream of the device is capturing. */
int softgpu_is_capturing(const struct softgpu_device *device);
/** Invalidate the stream's capture, or all captures with NULL. */
void softgpu_capture_invalidate(struct CUstream_st *stream);
/** The stream is being destroyed: end its capture, or invalidate the one that
 *  it has not joined again. */
void softgpu_capture_detach(struct CUstream_st *stream);

#endif
