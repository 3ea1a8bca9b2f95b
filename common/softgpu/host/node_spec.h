/* SPDX-License-Identifier: MIT */
/** @file
 *  Node specifications: the command of a graph node, built from the program's
 *  parameters.  Shared by the calls that add nodes and those that change them.
 */
#ifndef SOFTGPU_NODE_H
#define SOFTGPU_NODE_H

#include "graph.h"

/** The command of a node and the parameters that it was built from. */
struct softgpu_node_spec {
    struct softgpu_command command;
    struct cudaMemsetParams fill;  /**< of a fill node */
    struct cudaMemcpy3DParms copy; /**< of a copy node */
};

/** Build a kernel node.  If kernelParams is NULL and `old` launches the same
 *  kernel, its arguments are kept. */
cudaError_t softgpu_build_kernel_node(struct softgpu_node_spec *spec,
                                      const struct cudaKernelNodeParams *params,
                                      const struct softgpu_command *old);
/** Build a copy node. */
cudaError_t softgpu_build_copy_node(struct softgpu_node_spec *spec,
                                    const struct cudaMemcpy3DParms *params);
/** The parameters of a copy of contiguous bytes. */
struct cudaMemcpy3DParms softgpu_linear_copy_params(void *dst, const void *src,
                                                    size_t bytes,
                                                    enum cudaMemcpyKind kind);
/** Build a fill node. */
cudaError_t softgpu_build_fill_node(struct softgpu_node_spec *spec,
                                    const struct cudaMemsetParams *params);
/** Build a host function node. */
cudaError_t softgpu_build_host_node(struct softgpu_node_spec *spec,
                                    const struct cudaHostNodeParams *params);
/** Build an event record or event wait node. */
cudaError_t softgpu_build_event_node(struct softgpu_node_spec *spec,
                                     cudaEvent_t event,
                                     enum softgpu_command_kind kind);
/** Build a child graph node, with a copy of the graph. */
cudaError_t softgpu_build_child_node(struct softgpu_node_spec *spec,
                                     cudaGraph_t child);
/** Build a node of any type. */
cudaError_t softgpu_build_node(struct softgpu_node_spec *spec,
                               struct cudaGraphNodeParams *params);
/** Build the replacement for a node's command; the parameters must be of its
 *  type.
 *  @return cudaErrorInvalidValue for another type, cudaErrorNotSupported for a
 *          child graph or a memory node */
cudaError_t softgpu_rebuild_node(struct softgpu_node_spec *spec,
                                 struct cudaGraphNodeParams *params,
                                 const struct softgpu_command *old);
/** Replace a node's command; takes ownership of the new one. */
void softgpu_node_replace_command(struct CUgraphNode_st *node,
                                  struct softgpu_node_spec *spec);

#endif
