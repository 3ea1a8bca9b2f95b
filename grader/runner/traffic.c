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
