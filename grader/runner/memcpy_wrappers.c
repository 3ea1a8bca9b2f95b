/* SPDX-License-Identifier: MIT */
/* Wrappers that count copies between host and device, for calls that both
 * devices have.  grader/build/build.c has the list for the linker. */
#include "wrappers.h"

static void count_copy_3d(const struct cudaMemcpy3DParms *p)
{
    if (p)
        count_copy(p->dstPtr.ptr, p->srcPtr.ptr,
                   p->extent.width * p->extent.height * p->extent.depth,
                   p->kind);
}

WRAP_CALL(cudaMemcpy,
          (void *dst, const void *src, size_t n, enum cudaMemcpyKind kind),
          (dst, src, n, kind), count_copy(dst, src, n, kind))
WRAP_CALL(cudaMemcpyAsync,
          (void *dst, const void *src, size_t n, enum cudaMemcpyKind kind,
           cudaStream_t stream),
          (dst, src, n, kind, stream), count_copy(dst, src, n, kind))
WRAP_CALL(cudaMemcpy2D,
          (void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
           size_t width, size_t height, enum cudaMemcpyKind kind),
          (dst, dst_pitch, src, src_pitch, width, height, kind),
          count_copy(dst, src, width * height, kind))
WRAP_CALL(cudaMemcpy2DAsync,
          (void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
           size_t width, size_t height, enum cudaMemcpyKind kind,
           cudaStream_t stream),
          (dst, dst_pitch, src, src_pitch, width, height, kind, stream),
          count_copy(dst, src, width * height, kind))
WRAP_CALL(cudaMemcpy3D, (const struct cudaMemcpy3DParms *p), (p),
          count_copy_3d(p))
WRAP_CALL(cudaMemcpy3DAsync,
          (const struct cudaMemcpy3DParms *p, cudaStream_t stream),
          (p, stream), count_copy_3d(p))

/* Memcpy nodes count when they are added to a graph. */
WRAP_CALL(cudaGraphAddMemcpyNode,
          (cudaGraphNode_t *node, cudaGraph_t graph,
           const cudaGraphNode_t *dependencies, size_t n,
           const struct cudaMemcpy3DParms *p),
          (node, graph, dependencies, n, p), count_copy_3d(p))
WRAP_CALL(cudaGraphAddMemcpyNode1D,
          (cudaGraphNode_t *node, cudaGraph_t graph,
           const cudaGraphNode_t *dependencies, size_t n, void *dst,
           const void *src, size_t bytes, enum cudaMemcpyKind kind),
          (node, graph, dependencies, n, dst, src, bytes, kind),
          count_copy(dst, src, bytes, kind))
WRAP_CALL(cudaGraphMemcpyNodeSetParams,
          (cudaGraphNode_t node, const struct cudaMemcpy3DParms *p), (node, p),
          count_copy_3d(p))
WRAP_CALL(cudaGraphExecMemcpyNodeSetParams,
          (cudaGraphExec_t exec, cudaGraphNode_t node,
           const struct cudaMemcpy3DParms *p),
          (exec, node, p), count_copy_3d(p))
WRAP_CALL(cudaGraphExecMemcpyNodeSetParams1D,
          (cudaGraphExec_t exec, cudaGraphNode_t node, void *dst,
           const void *src, size_t bytes, enum cudaMemcpyKind kind),
          (exec, node, dst, src, bytes, kind),
          count_copy(dst, src, bytes, kind))

/* Calls that add or change a node of any type. */
#if CUDART_VERSION >= 12020
static void count_memcpy_node(const struct cudaGraphNodeParams *p)
{
    if (p && p->type == cudaGraphNodeTypeMemcpy)
        count_copy_3d(&p->memcpy.copyParams);
}

WRAP_CALL(cudaGraphNodeSetParams,
          (cudaGraphNode_t node, struct cudaGraphNodeParams *p), (node, p),
          count_memcpy_node(p))
WRAP_CALL(cudaGraphExecNodeSetParams,
          (cudaGraphExec_t exec, cudaGraphNode_t node,
           struct cudaGraphNodeParams *p),
          (exec, node, p), count_memcpy_node(p))
#endif
#define WRAP_ADD_NODE(name)                                                   \
    WRAP_CALL(name,                                                           \
              (cudaGraphNode_t *node, cudaGraph_t graph,                     \
               const cudaGraphNode_t *dependencies,                           \
               const cudaGraphEdgeData *edges, size_t n,                      \
               struct cudaGraphNodeParams *p),                                \
              (node, graph, dependencies, edges, n, p), count_memcpy_node(p))
#if CUDART_VERSION >= 13000
WRAP_ADD_NODE(cudaGraphAddNode)
#elif CUDART_VERSION >= 12020
WRAP_CALL(cudaGraphAddNode,
          (cudaGraphNode_t *node, cudaGraph_t graph,
           const cudaGraphNode_t *dependencies, size_t n,
           struct cudaGraphNodeParams *p),
          (node, graph, dependencies, n, p), count_memcpy_node(p))
#if CUDART_VERSION >= 12030 && !defined(SOFTGPU_CUDA_RUNTIME_API_H)
WRAP_ADD_NODE(cudaGraphAddNode_v2)
#endif
#endif

/* Batched copies, which only a card has. */
#if CUDART_VERSION >= 12080 && !defined(SOFTGPU_CUDA_RUNTIME_API_H)
static void count_batch(void *const *dst, const void *const *src,
                        const size_t *bytes, size_t n)
{
    for (size_t i = 0; dst && src && bytes && i < n; i++)
        count_copy(dst[i], src[i], bytes[i], cudaMemcpyDefault);
}

static void count_batch_3d(const struct cudaMemcpy3DBatchOp *op, size_t n)
{
    for (size_t i = 0; op && i < n; i++)
        if (op[i].src.type == cudaMemcpyOperandTypePointer
            && op[i].dst.type == cudaMemcpyOperandTypePointer)
            count_copy(op[i].dst.op.ptr.ptr, op[i].src.op.ptr.ptr,
                       op[i].extent.width * op[i].extent.height
                       * op[i].extent.depth,
                       cudaMemcpyDefault);
}
#endif
#if CUDART_VERSION >= 13000
WRAP_CALL(cudaMemcpyBatchAsync,
          (void *const *dst, const void *const *src, const size_t *bytes,
           size_t n, struct cudaMemcpyAttributes *attributes,
           size_t *attribute_indices, size_t attribute_count,
           cudaStream_t stream),
          (dst, src, bytes, n, attributes, attribute_indices, attribute_count,
           stream),
          count_batch(dst, src, bytes, n))
WRAP_CALL(cudaMemcpy3DBatchAsync,
          (size_t n, struct cudaMemcpy3DBatchOp *op, unsigned long long flags,
           cudaStream_t stream),
          (n, op, flags, stream), count_batch_3d(op, n))
#elif CUDART_VERSION >= 12080 && !defined(SOFTGPU_CUDA_RUNTIME_API_H)
WRAP_CALL(cudaMemcpyBatchAsync,
          (void *const *dst, const void *const *src, const size_t *bytes,
           size_t n, struct cudaMemcpyAttributes *attributes,
           size_t *attribute_indices, size_t attribute_count, size_t *failed,
           cudaStream_t stream),
          (dst, src, bytes, n, attributes, attribute_indices, attribute_count,
           failed, stream),
          count_batch(dst, src, bytes, n))
WRAP_CALL(cudaMemcpy3DBatchAsync,
          (size_t n, struct cudaMemcpy3DBatchOp *op, size_t *failed,
           unsigned long long flags, cudaStream_t stream),
          (n, op, failed, flags, stream), count_batch_3d(op, n))
#endif
