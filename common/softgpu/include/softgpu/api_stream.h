/* SPDX-License-Identifier: MIT */
/** @file
 *  Runtime API: streams and events.  Part of cuda_runtime_api.h.
 *
 *  Work is enqueued.  It runs when a host thread waits for it: as much as this
 *  wait requires, in an order that respects streams, events and the rules of
 *  the default stream.  So a missing wait has an effect.
 */
#ifndef SOFTGPU_API_STREAM_H
#define SOFTGPU_API_STREAM_H

#ifdef __cplusplus
extern "C" {
#endif

/** Create a stream of the current device. */
cudaError_t cudaStreamCreate(cudaStream_t *stream);
/** With cudaStreamDefault or cudaStreamNonBlocking. */
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream,
                                      unsigned int flags);
/** With a priority, which is clamped to the valid range. */
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream,
                                         unsigned int flags, int priority);
/** Destroy a stream when its work is complete; returns immediately. */
cudaError_t cudaStreamDestroy(cudaStream_t stream);
/** Run all work of the stream.  @return the error of failed work */
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
/** cudaSuccess or cudaErrorNotReady; each call can run a part of the work. */
cudaError_t cudaStreamQuery(cudaStream_t stream);
/** Later work of the stream waits for the last record of the event. */
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned int flags SOFTGPU_DEFAULT(0));
/** Flags of a stream. */
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags);
/** Priority of a stream. */
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
/** Device of a stream. */
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device);
/** A number that is unique in the process. */
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id);
/** Enqueue a call of a host function, which must not call CUDA. */
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn,
                               void *userData);
/** The older form, with the status of the stream; flags must be 0. */
cudaError_t cudaStreamAddCallback(cudaStream_t stream,
                                  cudaStreamCallback_t callback,
                                  void *userData, unsigned int flags);
/** Set a hint; stored. */
cudaError_t cudaStreamSetAttribute(cudaStream_t stream,
                                   cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue *value);
/** Get the hint. */
cudaError_t cudaStreamGetAttribute(cudaStream_t stream,
                                   cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue *value);

/** Begin capture: later work of the stream becomes nodes of a graph. */
cudaError_t cudaStreamBeginCapture(cudaStream_t stream,
                                   enum cudaStreamCaptureMode mode
                                       SOFTGPU_DEFAULT(
                                           cudaStreamCaptureModeGlobal));
/** Begin capture to an existing graph, which the end of capture returns.  The
 *  first node depends on n of its nodes; `edges` is NULL or zero. */
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream,
                                          cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies,
                                          const cudaGraphEdgeData *edges,
                                          size_t n,
                                          enum cudaStreamCaptureMode mode);
/** End capture; *graph is NULL if it failed. */
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
/** Capture status of a stream. */
cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                  enum cudaStreamCaptureStatus *status);
/** That, and the capture's number; id may be NULL. */
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                     enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id SOFTGPU_DEFAULT(
                                         NULL));
/** That, its graph, and the nodes that the next one depends on; all but
 *  status may be NULL.  The list is good until the next call. */
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream,
                                        enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id,
                                        cudaGraph_t *graph,
                                        const cudaGraphNode_t **dependencies,
                                        size_t *count);
/** Add to these nodes, or replace them. */
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                cudaGraphNode_t *dependencies,
                                                size_t count,
                                                unsigned int flags
                                                    SOFTGPU_DEFAULT(0));
/** Exchange this thread's capture mode with *mode; stored, not enforced. */
cudaError_t cudaThreadExchangeStreamCaptureMode(
    enum cudaStreamCaptureMode *mode);

/** Create an event with timing. */
cudaError_t cudaEventCreate(cudaEvent_t *event);
/** Create an event with cudaEvent... flags. */
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
/** Enqueue a record of the event. */
cudaError_t cudaEventRecord(cudaEvent_t event,
                            cudaStream_t stream SOFTGPU_DEFAULT(0));
/** With cudaEventRecord... flags. */
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event,
                                     cudaStream_t stream SOFTGPU_DEFAULT(0),
                                     unsigned int flags SOFTGPU_DEFAULT(0));
/** cudaSuccess if the last record is complete, else cudaErrorNotReady; each
 *  call can run a part of the work. */
cudaError_t cudaEventQuery(cudaEvent_t event);
/** Run the work before the last record. */
cudaError_t cudaEventSynchronize(cudaEvent_t event);
/** Destroy an event; enqueued records still run. */
cudaError_t cudaEventDestroy(cudaEvent_t event);
/** Modeled milliseconds from start to end, in steps of 0.5 us.
 *  @return cudaErrorInvalidResourceHandle if an event has no record or no
 *      timing, cudaErrorNotReady if a record is not complete */
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start,
                                 cudaEvent_t end);

#ifdef __cplusplus
}
#endif
#endif
