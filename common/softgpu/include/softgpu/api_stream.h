/* SPDX-License-Identifier: MIT */
/** @file
 *  Runtime API: streams and events.  Part of cuda_runtime_api.h.
 *
 *  Work is queued, and runs when somebody waits for it: then as much of it as
 *  that wait needs, in an order that keeps streams, events and the default
 *  stream's rule.  So a wait that was forgotten shows.
 */
#ifndef SOFTGPU_API_STREAM_H
#define SOFTGPU_API_STREAM_H

#ifdef __cplusplus
extern "C" {
#endif

/** A stream of the current device. */
cudaError_t cudaStreamCreate(cudaStream_t *stream);
/** With cudaStreamDefault or cudaStreamNonBlocking. */
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream,
                                      unsigned int flags);
/** With a priority too, moved into the range there is. */
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream,
                                         unsigned int flags, int priority);
/** Destroy it when its work is done; does not wait. */
cudaError_t cudaStreamDestroy(cudaStream_t stream);
/** Run all it has; returns a failure. */
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
/** cudaSuccess or cudaErrorNotReady; each call lets one piece of work run. */
cudaError_t cudaStreamQuery(cudaStream_t stream);
/** What comes next on the stream waits for the event's last record. */
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned int flags SOFTGPU_DEFAULT(0));
/** Its flags. */
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags);
/** Its priority. */
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
/** Its device. */
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device);
/** A number no other stream of the process has. */
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id);
/** Queue a call of a host function; it may call no CUDA. */
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn,
                               void *userData);
/** The older kind; flags 0. */
cudaError_t cudaStreamAddCallback(cudaStream_t stream,
                                  cudaStreamCallback_t callback,
                                  void *userData, unsigned int flags);
/** Set a hint of a stream: kept. */
cudaError_t cudaStreamSetAttribute(cudaStream_t stream,
                                   cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue *value);
/** Read it. */
cudaError_t cudaStreamGetAttribute(cudaStream_t stream,
                                   cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue *value);

/** Make what follows on the stream nodes of a graph. */
cudaError_t cudaStreamBeginCapture(cudaStream_t stream,
                                   enum cudaStreamCaptureMode mode
                                       SOFTGPU_DEFAULT(
                                           cudaStreamCaptureModeGlobal));
/** Likewise, of a graph that is there; the first of them depends on n of its
 *  nodes.  edges: NULL, or zero.  The end returns this graph. */
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream,
                                          cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies,
                                          const cudaGraphEdgeData *edges,
                                          size_t n,
                                          enum cudaStreamCaptureMode mode);
/** End that; *graph is NULL when the capture failed. */
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
/** Whether it captures. */
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
/** Swap this thread's capture mode with *mode: kept, not enforced. */
cudaError_t cudaThreadExchangeStreamCaptureMode(
    enum cudaStreamCaptureMode *mode);

/** An event with time. */
cudaError_t cudaEventCreate(cudaEvent_t *event);
/** With cudaEvent... flags. */
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
/** Queue a record of it. */
cudaError_t cudaEventRecord(cudaEvent_t event,
                            cudaStream_t stream SOFTGPU_DEFAULT(0));
/** With cudaEventRecord... flags. */
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event,
                                     cudaStream_t stream SOFTGPU_DEFAULT(0),
                                     unsigned int flags SOFTGPU_DEFAULT(0));
/** cudaSuccess if its last record has run, else cudaErrorNotReady; each call
 *  lets one piece of work run. */
cudaError_t cudaEventQuery(cudaEvent_t event);
/** Run what its last record waits for. */
cudaError_t cudaEventSynchronize(cudaEvent_t event);
/** Destroy it; records that are queued still run. */
cudaError_t cudaEventDestroy(cudaEvent_t event);
/** Modelled milliseconds from start to end, in steps of 0.5 us.
 *  cudaErrorInvalidResourceHandle if one was never recorded or has no time,
 *  cudaErrorNotReady if one has not run. */
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start,
                                 cudaEvent_t end);

#ifdef __cplusplus
}
#endif
#endif
