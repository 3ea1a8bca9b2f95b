/* SPDX-License-Identifier: MIT */
/** @file
 *  Capture: what is put on a stream becomes nodes of a graph.
 *
 *  A capture has one graph and one or more streams: the one it began in, and
 *  those that joined by waiting for an event of it.  Each stream has the list
 *  of nodes that its next one depends on.
 */
#ifndef SOFTGPU_CAPTURE_H
#define SOFTGPU_CAPTURE_H

#include <pthread.h>

#include "event.h"
#include "stream.h"

/** A capture under way. */
struct softgpu_capture {
    struct CUgraph_st *graph;    /**< it makes */
    struct CUstream_st *origin;  /**< it began in */
    unsigned long long id;       /**< no other has it */
    enum cudaStreamCaptureMode mode; /**< as asked for */
    pthread_t thread; /**< that began it */
    int spoiled; /**< its end will fail */
    int lent; /**< the graph was there before; held */
};

/** Make work a node behind the stream's last ones; takes it over. */
cudaError_t softgpu_capture_add(struct CUstream_st *stream,
                                struct softgpu_work *work);
/** Let an event stand for the stream's last nodes. */
cudaError_t softgpu_capture_record(struct CUstream_st *stream,
                                   struct CUevent_st *event);
/** Let the stream's next node depend on a captured event's; the stream joins
 *  the capture if it is in none. */
cudaError_t softgpu_capture_join(struct CUstream_st *stream,
                                 struct CUevent_st *event);
/** A capturing stream was to wait for something outside: spoils it. */
cudaError_t softgpu_capture_isolated(struct CUstream_st *stream);
/** Whether a stream that does not capture may be used: the default stream may
 *  not while blocking streams of its device capture. */
cudaError_t softgpu_capture_allows(struct CUstream_st *stream);
/** 1 while a stream of the device captures. */
int softgpu_capturing(const struct softgpu_device *device);
/** Make the stream's capture fail at its end; with NULL, all captures. */
void softgpu_capture_spoil(struct CUstream_st *stream);
/** The stream goes away. */
void softgpu_capture_forget(struct CUstream_st *stream);

#endif
