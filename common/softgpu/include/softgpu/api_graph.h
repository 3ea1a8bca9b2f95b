/* SPDX-License-Identifier: MIT */
/** @file
 *  Runtime API: graphs.  Part of cuda_runtime_api.h.
 *
 *  A node is created with the n nodes that it depends on.  Its parameters
 *  (arguments of a kernel and so on) are copied then; memory that they point to
 *  is accessed when the node runs.  A launch of an executable graph enqueues
 *  one work item, which runs the nodes in an order that respects all
 *  dependencies.
 */
#ifndef SOFTGPU_API_GRAPH_H
#define SOFTGPU_API_GRAPH_H

#ifdef __cplusplus
extern "C" {
#endif

/** Create an empty graph; flags must be 0. */
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags);
/** Destroy a graph and its nodes; executable graphs made of it remain. */
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
/** Copy a graph. */
cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph);
/** Add a node of any kind. */
/** Make a condition for nodes of a graph and of graphs inside it.
 *  @param value  the default
 *  @param flags  cudaGraphCondAssignDefault, or 0: it keeps its last value */
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle,
                                             cudaGraph_t graph, unsigned value,
                                             unsigned flags);
/** Device code: set a condition. */
void cudaGraphSetConditional(cudaGraphConditionalHandle handle,
                             unsigned value);
/** Add a node of any kind, also a conditional one. */
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                             const cudaGraphNode_t *dependencies, size_t n,
                             struct cudaGraphNodeParams *params);
/** Add a node that launches a kernel. */
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies,
                                   size_t n,
                                   const struct cudaKernelNodeParams *params);
/** Add a node that copies a box. */
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies,
                                   size_t n,
                                   const struct cudaMemcpy3DParms *params);
/** Add a node that copies bytes. */
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies,
                                     size_t n, void *dst, const void *src,
                                     size_t bytes, enum cudaMemcpyKind kind);
/** Add a node that fills memory. */
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies,
                                   size_t n,
                                   const struct cudaMemsetParams *params);
/** Add a node that calls a host function. */
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *dependencies, size_t n,
                                 const struct cudaHostNodeParams *params);
/** Add a node that runs a copy of a graph. */
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node,
                                       cudaGraph_t graph,
                                       const cudaGraphNode_t *dependencies,
                                       size_t n, cudaGraph_t child);
/** Add a node that allocates memory; the address is in params->dptr at
 *  once. */
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies,
                                     size_t n,
                                     struct cudaMemAllocNodeParams *params);
/** Add a node that frees memory of an allocation node. */
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *dependencies,
                                    size_t n, void *dptr);
/** Bytes that memory nodes use on a device. */
cudaError_t cudaDeviceGetGraphMemAttribute(
    int device, enum cudaGraphMemAttributeType attribute, void *value);
/** Set a maximum to 0. */
cudaError_t cudaDeviceSetGraphMemAttribute(
    int device, enum cudaGraphMemAttributeType attribute, void *value);
/** Return unused memory of graphs to the system; no effect. */
cudaError_t cudaDeviceGraphMemTrim(int device);
/** Add a node that does nothing. */
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *dependencies,
                                  size_t n);
/** Add a node that records an event. */
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node,
                                        cudaGraph_t graph,
                                        const cudaGraphNode_t *dependencies,
                                        size_t n, cudaEvent_t event);
/** Add a node that waits for an event. */
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node,
                                      cudaGraph_t graph,
                                      const cudaGraphNode_t *dependencies,
                                      size_t n, cudaEvent_t event);
/** Add n edges, from[i] to to[i].  @return cudaErrorInvalidValue for an
 *  existing edge or a cycle */
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph,
                                     const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t n);
/** Remove n edges.  @return cudaErrorInvalidValue for a missing one */
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph,
                                        const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, size_t n);
/** Remove a node and its edges. */
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node);
/** Get up to *n nodes and set *n to their number; `nodes` NULL: only the
 *  number. */
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                              size_t *n);
/** The same for nodes without dependencies. */
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                                  size_t *n);
/** The same for edges. */
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
                              cudaGraphNode_t *to, size_t *n);
/** The same for the dependencies of a node. */
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                         cudaGraphNode_t *nodes, size_t *n);
/** The same for the dependents of a node. */
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                           cudaGraphNode_t *nodes, size_t *n);
/** Type of a node. */
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node,
                                 enum cudaGraphNodeType *type);
/** The copy of a node in a clone of its graph. */
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node,
                                     cudaGraphNode_t original,
                                     cudaGraph_t clone);
/** The graph of a child-graph node, which owns it. */
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node,
                                            cudaGraph_t *graph);
/** Get the parameters of a kernel node; the node owns what they point to. */
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                         struct cudaKernelNodeParams *params);
/** Set them. */
cudaError_t cudaGraphKernelNodeSetParams(
    cudaGraphNode_t node, const struct cudaKernelNodeParams *params);
/** Get the parameters of a copy node. */
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node,
                                         struct cudaMemcpy3DParms *params);
/** Set them. */
cudaError_t cudaGraphMemcpyNodeSetParams(
    cudaGraphNode_t node, const struct cudaMemcpy3DParms *params);
/** Get the parameters of a fill node. */
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node,
                                         struct cudaMemsetParams *params);
/** Set them. */
cudaError_t cudaGraphMemsetNodeSetParams(
    cudaGraphNode_t node, const struct cudaMemsetParams *params);
/** Get the parameters of a host node. */
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node,
                                       struct cudaHostNodeParams *params);
/** Set them. */
cudaError_t cudaGraphHostNodeSetParams(
    cudaGraphNode_t node, const struct cudaHostNodeParams *params);
/** Set the parameters of a node that is no allocation, no free and no child
 *  graph; params->type must be the node's type. */
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node,
                                   struct cudaGraphNodeParams *params);
/** Write the graph in the format of Graphviz. */
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path,
                                   unsigned int flags);

/** Create an executable graph; flags are hints. */
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags SOFTGPU_DEFAULT(0));
/** The same. */
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec,
                                          cudaGraph_t graph,
                                          unsigned long long flags
                                              SOFTGPU_DEFAULT(0));
/** The same, with a detailed result. */
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec,
                                           cudaGraph_t graph,
                                           cudaGraphInstantiateParams *params);
/** Enqueue all nodes on a stream. */
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
/** Prepare a launch; no effect. */
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
/** Destroy an executable graph; enqueued launches still run. */
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
/** Take the parameters of a graph of the same shape.
 *  @return cudaErrorGraphExecUpdateFailure with the reason in *result */
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result);
/** Set the parameters of a kernel node in an executable graph; `node` is of the
 *  graph. */
cudaError_t cudaGraphExecKernelNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node,
    const struct cudaKernelNodeParams *params);
/** The same for a copy node. */
cudaError_t cudaGraphExecMemcpyNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node,
    const struct cudaMemcpy3DParms *params);
/** The same for a copy of bytes. */
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec,
                                               cudaGraphNode_t node, void *dst,
                                               const void *src, size_t bytes,
                                               enum cudaMemcpyKind kind);
/** The same for a fill node. */
cudaError_t cudaGraphExecMemsetNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node,
    const struct cudaMemsetParams *params);
/** The same for a host node. */
cudaError_t cudaGraphExecHostNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node,
    const struct cudaHostNodeParams *params);
/** Set the parameters of the nodes of a child graph to those of `child`, a
 *  graph of the same shape. */
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec,
                                                 cudaGraphNode_t node,
                                                 cudaGraph_t child);
/** Set the parameters of a node as cudaGraphNodeSetParams(), or of a child
 *  graph; params->type must be the node's type. */
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec,
                                       cudaGraphNode_t node,
                                       struct cudaGraphNodeParams *params);
/** Enable (1) or disable (0) a kernel, copy or fill node. */
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int enabled);
/** Is the node enabled? */
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int *enabled);

/** Create a reference-counted object for ptr; the caller has `count`
 *  references, 1 to INT_MAX.  When the last reference is released, destroy(ptr)
 *  is called before the releasing call returns (on a card by another thread).
 *  It must not call CUDA.
 *  @param flags  cudaUserObjectNoDestructorSync */
cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *ptr,
                                 cudaHostFn_t destroy, unsigned int count,
                                 unsigned int flags);
/** Add `count` references of the caller. */
cudaError_t cudaUserObjectRetain(cudaUserObject_t object,
                                 unsigned int count SOFTGPU_DEFAULT(1));
/** Release `count` references of the caller.  @return cudaErrorInvalidValue if
 *  it has fewer */
cudaError_t cudaUserObjectRelease(cudaUserObject_t object,
                                  unsigned int count SOFTGPU_DEFAULT(1));
/** Add `count` references of a graph and of its later copies: clones,
 *  executable graphs, child graphs.
 *  @param flags  0 or cudaGraphUserObjectMove */
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph,
                                      cudaUserObject_t object,
                                      unsigned int count SOFTGPU_DEFAULT(1),
                                      unsigned int flags SOFTGPU_DEFAULT(0));
/** Release `count` references of a graph.  @return cudaErrorInvalidValue if it
 *  has fewer */
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph,
                                       cudaUserObject_t object,
                                       unsigned int count SOFTGPU_DEFAULT(1));

#ifdef __cplusplus
}
#endif
#endif
