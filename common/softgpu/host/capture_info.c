/* SPDX-License-Identifier: MIT */
/** @file
 *  Queries of the state of a capture.
 */
#include "call.h"
#include "capture.h"

/** The results of cudaStreamGetCaptureInfo_v2(); each may be NULL. */
struct capture_info {
    enum cudaStreamCaptureStatus *status;
    unsigned long long *id;
    cudaGraph_t *graph;
    const cudaGraphNode_t **nodes;
    size_t *count;
};

static cudaError_t get_capture_info(cudaStream_t handle,
                                    const struct capture_info *to)
{
    struct CUstream_st *s = softgpu_stream(handle);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if (!to->status)
        return cudaErrorInvalidValue;
    if (s->is_default && softgpu_capture_check_stream(s))
        return cudaErrorStreamCaptureImplicit;
    const struct softgpu_capture *c = s->capture;
    *to->status = !c           ? cudaStreamCaptureStatusNone
                  : c->invalidated ? cudaStreamCaptureStatusInvalidated
                               : cudaStreamCaptureStatusActive;
    if (!c)
        return cudaSuccess;
    if (to->id)
        *to->id = c->id;
    if (to->graph)
        *to->graph = c->graph;
    if (to->nodes)
        *to->nodes = s->capture_dependencies;
    if (to->count)
        *to->count = s->capture_dependency_count;
    return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream,
                                        enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id,
                                        cudaGraph_t *graph,
                                        const cudaGraphNode_t **dependencies,
                                        size_t *count)
{
    const struct capture_info to = {status, id, graph, dependencies, count};
    SOFTGPU_CALL(get_capture_info(stream, &to));
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
