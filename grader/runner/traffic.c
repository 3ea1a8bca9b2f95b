/* SPDX-License-Identifier: MIT */
/* Copies between host and device, and memory that both can use, as both
 * devices name the calls.  grader/build.c has the list for the linker. */
#include "traffic.h"

static void count_box(const struct cudaMemcpy3DParms *p)
{
    if (p)
        count_copy(p->dstPtr.ptr, p->srcPtr.ptr,
                   p->extent.width * p->extent.height * p->extent.depth,
                   p->kind);
}

WRAP_CALL(cudaMemcpy,
          (void *to, const void *from, size_t n, enum cudaMemcpyKind kind),
          (to, from, n, kind), count_copy(to, from, n, kind))
WRAP_CALL(cudaMemcpyAsync,
          (void *to, const void *from, size_t n, enum cudaMemcpyKind kind,
           cudaStream_t stream),
          (to, from, n, kind, stream), count_copy(to, from, n, kind))
WRAP_CALL(cudaMemcpy2D,
          (void *to, size_t tp, const void *from, size_t fp, size_t w,
           size_t h, enum cudaMemcpyKind kind),
          (to, tp, from, fp, w, h, kind), count_copy(to, from, w * h, kind))
WRAP_CALL(cudaMemcpy2DAsync,
          (void *to, size_t tp, const void *from, size_t fp, size_t w,
           size_t h, enum cudaMemcpyKind kind, cudaStream_t stream),
          (to, tp, from, fp, w, h, kind, stream),
          count_copy(to, from, w * h, kind))
WRAP_CALL(cudaMemcpy3D, (const struct cudaMemcpy3DParms *p), (p), count_box(p))
WRAP_CALL(cudaMemcpy3DAsync,
          (const struct cudaMemcpy3DParms *p, cudaStream_t stream),
          (p, stream), count_box(p))

/* A node that copies is as good as the copy. */
WRAP_CALL(cudaGraphAddMemcpyNode,
          (cudaGraphNode_t *node, cudaGraph_t graph,
           const cudaGraphNode_t *after, size_t n,
           const struct cudaMemcpy3DParms *p),
          (node, graph, after, n, p), count_box(p))
WRAP_CALL(cudaGraphAddMemcpyNode1D,
          (cudaGraphNode_t *node, cudaGraph_t graph,
           const cudaGraphNode_t *after, size_t n, void *to, const void *from,
           size_t bytes, enum cudaMemcpyKind kind),
          (node, graph, after, n, to, from, bytes, kind),
          count_copy(to, from, bytes, kind))
WRAP_CALL(cudaGraphMemcpyNodeSetParams,
          (cudaGraphNode_t node, const struct cudaMemcpy3DParms *p), (node, p),
          count_box(p))
WRAP_CALL(cudaGraphExecMemcpyNodeSetParams,
          (cudaGraphExec_t exec, cudaGraphNode_t node,
           const struct cudaMemcpy3DParms *p),
          (exec, node, p), count_box(p))
WRAP_CALL(cudaGraphExecMemcpyNodeSetParams1D,
          (cudaGraphExec_t exec, cudaGraphNode_t node, void *to,
           const void *from, size_t bytes, enum cudaMemcpyKind kind),
          (exec, node, to, from, bytes, kind),
          count_copy(to, from, bytes, kind))

/* Nodes made or changed by the calls that take any kind. */
#if CUDART_VERSION >= 12020
static void count_node(const struct cudaGraphNodeParams *p)
{
    if (p && p->type == cudaGraphNodeTypeMemcpy)
        count_box(&p->memcpy.copyParams);
}

WRAP_CALL(cudaGraphNodeSetParams,
          (cudaGraphNode_t node, struct cudaGraphNodeParams *p), (node, p),
          count_node(p))
WRAP_CALL(cudaGraphExecNodeSetParams,
          (cudaGraphExec_t exec, cudaGraphNode_t node,
           struct cudaGraphNodeParams *p),
          (exec, node, p), count_node(p))
#endif
#define WRAP_ADD_NODE(name)                                                   \
    WRAP_CALL(name,                                                           \
              (cudaGraphNode_t *node, cudaGraph_t graph,                      \
               const cudaGraphNode_t *after, const cudaGraphEdgeData *edges,  \
               size_t n, struct cudaGraphNodeParams *p),                      \
              (node, graph, after, edges, n, p), count_node(p))
#if CUDART_VERSION >= 13000
WRAP_ADD_NODE(cudaGraphAddNode)
#elif CUDART_VERSION >= 12020
WRAP_CALL(cudaGraphAddNode,
          (cudaGraphNode_t *node, cudaGraph_t graph,
           const cudaGraphNode_t *after, size_t n,
           struct cudaGraphNodeParams *p),
          (node, graph, after, n, p), count_node(p))
#if CUDART_VERSION >= 12030 && !defined(SOFTGPU_CUDA_RUNTIME_API_H)
WRAP_ADD_NODE(cudaGraphAddNode_v2)
#endif
#endif

/* Many copies in one call, which only a card has. */
#if CUDART_VERSION >= 12080 && !defined(SOFTGPU_CUDA_RUNTIME_API_H)
static void count_batch(void *const *to, const void *const *from,
                        const size_t *bytes, size_t n)
{
    for (size_t i = 0; to && from && bytes && i < n; i++)
        count_copy(to[i], from[i], bytes[i], cudaMemcpyDefault);
}

static void count_boxes(const struct cudaMemcpy3DBatchOp *op, size_t n)
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
          (void *const *to, const void *const *from, const size_t *bytes,
           size_t n, struct cudaMemcpyAttributes *how, size_t *which,
           size_t hows, cudaStream_t stream),
          (to, from, bytes, n, how, which, hows, stream),
          count_batch(to, from, bytes, n))
WRAP_CALL(cudaMemcpy3DBatchAsync,
          (size_t n, struct cudaMemcpy3DBatchOp *op, unsigned long long flags,
           cudaStream_t stream),
          (n, op, flags, stream), count_boxes(op, n))
#elif CUDART_VERSION >= 12080 && !defined(SOFTGPU_CUDA_RUNTIME_API_H)
WRAP_CALL(cudaMemcpyBatchAsync,
          (void *const *to, const void *const *from, const size_t *bytes,
           size_t n, struct cudaMemcpyAttributes *how, size_t *which,
           size_t hows, size_t *failed, cudaStream_t stream),
          (to, from, bytes, n, how, which, hows, failed, stream),
          count_batch(to, from, bytes, n))
WRAP_CALL(cudaMemcpy3DBatchAsync,
          (size_t n, struct cudaMemcpy3DBatchOp *op, size_t *failed,
           unsigned long long flags, cudaStream_t stream),
          (n, op, failed, flags, stream), count_boxes(op, n))
#endif
