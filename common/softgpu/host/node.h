/* SPDX-License-Identifier: MIT */
/** @file
 *  Making the work of a node from what the program says it shall do; shared
 *  by the calls that add nodes and those that change them.
 */
#ifndef SOFTGPU_NODE_H
#define SOFTGPU_NODE_H

#include "graph.h"

/** A node's work and the parameters it was made from. */
struct softgpu_recipe {
    struct softgpu_work work;
    struct cudaMemsetParams fill;  /**< of a fill node */
    struct cudaMemcpy3DParms copy; /**< of a copy node */
};

/** A kernel; with kernelParams NULL and `old` running the same kernel, its
 *  arguments are kept. */
cudaError_t softgpu_cook_kernel(struct softgpu_recipe *recipe,
                                const struct cudaKernelNodeParams *params,
                                const struct softgpu_work *old);
/** A copy. */
cudaError_t softgpu_cook_copy(struct softgpu_recipe *recipe,
                              const struct cudaMemcpy3DParms *params);
/** A copy of bytes, as parameters of a copy. */
struct cudaMemcpy3DParms softgpu_line_params(void *dst, const void *src,
                                             size_t bytes,
                                             enum cudaMemcpyKind kind);
/** A fill. */
cudaError_t softgpu_cook_fill(struct softgpu_recipe *recipe,
                              const struct cudaMemsetParams *params);
/** A call of the host. */
cudaError_t softgpu_cook_host(struct softgpu_recipe *recipe,
                              const struct cudaHostNodeParams *params);
/** A record of an event or a wait for it. */
cudaError_t softgpu_cook_event(struct softgpu_recipe *recipe,
                               cudaEvent_t event,
                               enum softgpu_work_kind kind);
/** A copy of a graph. */
cudaError_t softgpu_cook_child(struct softgpu_recipe *recipe,
                               cudaGraph_t child);
/** Any of them. */
cudaError_t softgpu_cook(struct softgpu_recipe *recipe,
                         const struct cudaGraphNodeParams *params);
/** What takes the place of a node's old work, by parameters of its own kind;
 *  cudaErrorInvalidValue if they are another's, cudaErrorNotSupported for a
 *  child graph, an allocation or a release. */
cudaError_t softgpu_cook_again(struct softgpu_recipe *recipe,
                               const struct cudaGraphNodeParams *params,
                               const struct softgpu_work *old);
/** Put a new work in the place of a node's; takes it over. */
void softgpu_recook(struct CUgraphNode_st *node,
                    struct softgpu_recipe *recipe);

#endif
