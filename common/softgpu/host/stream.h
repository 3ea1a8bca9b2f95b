/* SPDX-License-Identifier: MIT */
/** @file
 *  Streams: queues of work that run when somebody waits.
 *
 *  Every piece of work gets the next number of the process.  What it depends
 *  on has a smaller one: what is before it in its stream; for the default
 *  stream of a device all that its blocking streams queued before, and the
 *  other way round; for a wait the record it waits for.  A piece of work is
 *  done when its stream's first piece has a greater number.
 */
#ifndef SOFTGPU_STREAM_H
#define SOFTGPU_STREAM_H

#include "work.h"

#define SOFTGPU_QUEUE 1024 /* pieces a stream holds before a call waits */

/** A piece of work in a queue. */
struct softgpu_op {
    struct softgpu_op *next;
    uint64_t number;
    uint64_t issued; /**< the host's clock then */
    const void *site; /**< return address of the call that queued it */
    struct softgpu_work work;
};

struct softgpu_capture;
struct CUgraphNode_st;

/** A stream.  Never freed: used again, so that a point in it stays good. */
struct CUstream_st {
    struct softgpu_device *device;
    struct softgpu_op *head, *tail;
    unsigned count;
    int alive;       /**< a handle the program may use */
    int is_default;  /**< the legacy default stream */
    unsigned flags;
    int priority;
    unsigned long long id;
    uint64_t end; /**< modelled: when what ran last ended */
    struct softgpu_capture *capture; /**< or NULL */
    struct CUgraphNode_st **last;    /**< owned: what its next node is behind */
    size_t last_count;
    struct CUstream_st *next;        /**< of all streams */
    cudaLaunchAttributeValue window, policy; /**< hints, kept */
};

/** The stream a handle means, with the default ones made at need.
 *  @return NULL when it is none */
struct CUstream_st *softgpu_stream(cudaStream_t handle);
/** All streams, alive or not. */
struct CUstream_st *softgpu_streams(void);
/** A stream nobody uses; NULL without memory. */
struct CUstream_st *softgpu_stream_new(struct softgpu_device *device);

/** Queue work, or make it a node if the stream captures.  The work is taken
 *  over, whatever is returned. */
cudaError_t softgpu_submit(struct CUstream_st *stream,
                           struct softgpu_work *work);
/** Queue work in any case. */
cudaError_t softgpu_enqueue(struct CUstream_st *stream,
                            struct softgpu_work *work);
/** The point behind all that is queued now. */
struct softgpu_point softgpu_point_of(struct CUstream_st *stream);
/** 1 when all up to a point has run. */
int softgpu_reached(struct softgpu_point point);
/** Run all up to a point.  @return the device's failure */
cudaError_t softgpu_wait_for(struct softgpu_point point);
/** Let one piece of work run towards a point.  @return cudaSuccess when it is
 *  reached, cudaErrorNotReady, or the device's failure */
cudaError_t softgpu_progress(struct softgpu_point point);
/** Run all that is queued on a device, or on all with NULL. */
cudaError_t softgpu_wait_device(struct softgpu_device *device);
/** 1 while some thread runs work. */
int softgpu_running(void);
/** A piece of work is queued (1) or leaves its queue (-1). */
void softgpu_count_in_flight(const struct softgpu_work *work, int by);
/** A copy that is queued, and so not waited for, and that needs these bytes
 *  of the host's memory to stay (`writes`: the host writes them), or writes
 *  them.  @return the return address of the call that queued it, or NULL */
const void *softgpu_copy_in_flight(const void *p, size_t bytes, int writes);
/** Drop what is queued on a device without running it. */
void softgpu_drop_queues(struct softgpu_device *device);

/** Whether a call that waits may be made while streams capture:
 *  cudaSuccess or cudaErrorStreamCaptureUnsupported. */
cudaError_t softgpu_may_wait(struct CUstream_st *stream);

#endif
