/* SPDX-License-Identifier: MIT */
/** @file
 *  What a capture tells about itself.
 */
#include "call.h"
#include "capture.h"

/** Where cudaStreamGetCaptureInfo_v2 writes; each may be NULL. */
struct info {
    enum cudaStreamCaptureStatus *status;
    unsigned long long *id;
    cudaGraph_t *graph;
    const cudaGraphNode_t **nodes;
    size_t *count;
};

static cudaError_t tell(cudaStream_t handle, const struct info *to)
{
    struct CUstream_st *s = softgpu_stream(handle);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if (!to->status)
        return cudaErrorInvalidValue;
    if (s->is_default && softgpu_capture_allows(s))
        return cudaErrorStreamCaptureImplicit;
    const struct softgpu_capture *c = s->capture;
    *to->status = !c           ? cudaStreamCaptureStatusNone
                  : c->spoiled ? cudaStreamCaptureStatusInvalidated
                               : cudaStreamCaptureStatusActive;
    if (!c)
        return cudaSuccess;
    if (to->id)
        *to->id = c->id;
    if (to->graph)
        *to->graph = c->graph;
    if (to->nodes)
        *to->nodes = s->last;
    if (to->count)
        *to->count = s->last_count;
    return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream,
                                        enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id,
                                        cudaGraph_t *graph,
                                        const cudaGraphNode_t **dependencies,
                                        size_t *count)
{
    const struct info to = {status, id, graph, dependencies, count};
    SOFTGPU_CALL(tell(stream, &to));
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                     enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id)
{
    return cudaStreamGetCaptureInfo_v2(stream, status, id, NULL, NULL, NULL);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                  enum cudaStreamCaptureStatus *status)
{
    return cudaStreamGetCaptureInfo(stream, status, NULL);
}
