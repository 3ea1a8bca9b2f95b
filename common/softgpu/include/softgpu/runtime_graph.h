/* SPDX-License-Identifier: MIT */
/** @file
 *  C++ overloads of the graph API: signatures of other CUDA versions, and nodes
 *  that copy to or from a symbol.
 */
#ifndef SOFTGPU_RUNTIME_GRAPH_H
#define SOFTGPU_RUNTIME_GRAPH_H

#include "cuda_runtime_api.h"

/** Signature of CUDA 11: with the failed node, and a text of up to `bytes`
 *  bytes. */
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec,
                                        cudaGraph_t graph,
                                        cudaGraphNode_t *node, char *text,
                                        size_t bytes)
{
    if (node)
        *node = nullptr;
    if (text && bytes)
        *text = '\0';
    return ::cudaGraphInstantiate(exec, graph, 0ull);
}

/** Signature of CUDA 11: with the node that differs, and the result. */
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                       cudaGraphNode_t *node,
                                       cudaGraphExecUpdateResult *result)
{
    cudaGraphExecUpdateResultInfo info = {cudaGraphExecUpdateError, nullptr,
                                          nullptr};
    const cudaError_t error = ::cudaGraphExecUpdate(exec, graph, &info);
    *node = info.errorNode;
    *result = info.result;
    return error;
}

/** Signature of CUDA 13: edge data must be zero or NULL. */
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph,
                                            const cudaGraphNode_t *from,
                                            const cudaGraphNode_t *to,
                                            const cudaGraphEdgeData *,
                                            size_t n)
{
    return ::cudaGraphAddDependencies(graph, from, to, n);
}

/** With default arguments. */
inline cudaError_t
cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle,
                                 cudaGraph_t graph, unsigned value = 0)
{
    return ::cudaGraphConditionalHandleCreate(handle, graph, value, 0u);
}

/** Signature of CUDA 13: edge data must be zero or NULL. */
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *dependencies,
                                    const cudaGraphEdgeData *, size_t n,
                                    cudaGraphNodeParams *params)
{
    return ::cudaGraphAddNode(node, graph, dependencies, n, params);
}

/** Signature of CUDA 13, with edge data: all zero. */
inline cudaError_t cudaStreamGetCaptureInfo(
    cudaStream_t stream, cudaStreamCaptureStatus *status,
    unsigned long long *id, cudaGraph_t *graph,
    const cudaGraphNode_t **dependencies = nullptr,
    const cudaGraphEdgeData **edges = nullptr, size_t *count = nullptr)
{
    if (edges)
        *edges = nullptr;
    return ::cudaStreamGetCaptureInfo_v2(stream, status, id, graph,
                                         dependencies, count);
}

/** Signature of CUDA 13: edge data must be zero or NULL. */
inline cudaError_t cudaStreamUpdateCaptureDependencies(
    cudaStream_t stream, cudaGraphNode_t *dependencies,
    const cudaGraphEdgeData *, size_t count, unsigned flags = 0)
{
    return ::cudaStreamUpdateCaptureDependencies(stream, dependencies, count,
                                                 flags);
}

/** Add a node that copies to a __device__ variable, at a byte offset. */
template <class S>
inline cudaError_t cudaGraphAddMemcpyNodeToSymbol(
    cudaGraphNode_t *node, cudaGraph_t graph,
    const cudaGraphNode_t *dependencies, size_t n, const S &symbol,
    const void *src, size_t bytes, size_t offset, cudaMemcpyKind kind)
{
    char *address = nullptr;
    const cudaError_t error = ::softgpu_symbol_address(
        (void **)(void *)&address, (const void *)&symbol,
        softgpu::symbol_bytes(symbol));
    return error ? error
                 : ::cudaGraphAddMemcpyNode1D(node, graph, dependencies, n,
                                              address + offset, src, bytes,
                                              kind);
}

/** Add a node that copies from a __device__ variable, at a byte offset. */
template <class S>
inline cudaError_t cudaGraphAddMemcpyNodeFromSymbol(
    cudaGraphNode_t *node, cudaGraph_t graph,
    const cudaGraphNode_t *dependencies, size_t n, void *dst, const S &symbol,
    size_t bytes, size_t offset, cudaMemcpyKind kind)
{
    char *address = nullptr;
    const cudaError_t error = ::softgpu_symbol_address(
        (void **)(void *)&address, (const void *)&symbol,
        softgpu::symbol_bytes(symbol));
    return error ? error
                 : ::cudaGraphAddMemcpyNode1D(node, graph, dependencies, n,
                                              dst, address + offset, bytes,
                                              kind);
}

#endif
