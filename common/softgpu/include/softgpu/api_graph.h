/* SPDX-License-Identifier: MIT */
/** @file
 *  Runtime API: graphs.  Part of cuda_runtime_api.h.
 *
 *  A node is made with the n nodes it depends on.  What it is told (arguments
 *  of a kernel, parameters) is copied then; memory it points to is used when
 *  it runs.  Launching an executable graph queues one piece of work, in which
 *  the nodes run in an order that keeps all dependencies.
 */
#ifndef SOFTGPU_API_GRAPH_H
#define SOFTGPU_API_GRAPH_H

#ifdef __cplusplus
extern "C" {
#endif

/** An empty graph; flags 0. */
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags);
/** Destroy it and its nodes; executables made of it live on. */
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
/** A copy. */
cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph);
/** A node of any kind. */
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                             const cudaGraphNode_t *dependencies, size_t n,
                             struct cudaGraphNodeParams *params);
/** A node that runs a kernel. */
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies,
                                   size_t n,
                                   const struct cudaKernelNodeParams *params);
/** A node that copies a box. */
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies,
                                   size_t n,
                                   const struct cudaMemcpy3DParms *params);
/** A node that copies bytes. */
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies,
                                     size_t n, void *dst, const void *src,
                                     size_t bytes, enum cudaMemcpyKind kind);
/** A node that fills. */
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies,
                                   size_t n,
                                   const struct cudaMemsetParams *params);
/** A node that calls a host function. */
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *dependencies, size_t n,
                                 const struct cudaHostNodeParams *params);
/** A node that runs a copy of another graph. */
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node,
                                       cudaGraph_t graph,
                                       const cudaGraphNode_t *dependencies,
                                       size_t n, cudaGraph_t child);
/** A node that does nothing. */
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *dependencies,
                                  size_t n);
/** A node that records an event. */
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node,
                                        cudaGraph_t graph,
                                        const cudaGraphNode_t *dependencies,
                                        size_t n, cudaEvent_t event);
/** A node that waits for an event. */
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node,
                                      cudaGraph_t graph,
                                      const cudaGraphNode_t *dependencies,
                                      size_t n, cudaEvent_t event);
/** Add n edges, from[i] before to[i]; cudaErrorInvalidValue if one is there
 *  or would make a cycle. */
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph,
                                     const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t n);
/** Remove n edges; cudaErrorInvalidValue if one is not there. */
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph,
                                        const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, size_t n);
/** Remove a node and its edges. */
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node);
/** Up to *n nodes into nodes, *n written; with NULL, only *n: how many. */
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                              size_t *n);
/** Likewise, the nodes that depend on none. */
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                                  size_t *n);
/** Likewise, the edges. */
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
                              cudaGraphNode_t *to, size_t *n);
/** Likewise, what a node depends on. */
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                         cudaGraphNode_t *nodes, size_t *n);
/** Likewise, what depends on it. */
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                           cudaGraphNode_t *nodes, size_t *n);
/** Its kind. */
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node,
                                 enum cudaGraphNodeType *type);
/** The copy of an original's node in a clone of its graph. */
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node,
                                     cudaGraphNode_t original,
                                     cudaGraph_t clone);
/** The graph inside a child-graph node; it stays the node's. */
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node,
                                            cudaGraph_t *graph);
/** Parameters of a kernel node; what they point to stays the node's. */
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                         struct cudaKernelNodeParams *params);
/** Change them. */
cudaError_t cudaGraphKernelNodeSetParams(
    cudaGraphNode_t node, const struct cudaKernelNodeParams *params);
/** Parameters of a copy node. */
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node,
                                         struct cudaMemcpy3DParms *params);
/** Change them. */
cudaError_t cudaGraphMemcpyNodeSetParams(
    cudaGraphNode_t node, const struct cudaMemcpy3DParms *params);
/** Parameters of a fill node. */
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node,
                                         struct cudaMemsetParams *params);
/** Change them. */
cudaError_t cudaGraphMemsetNodeSetParams(
    cudaGraphNode_t node, const struct cudaMemsetParams *params);
/** Parameters of a host node. */
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node,
                                       struct cudaHostNodeParams *params);
/** Change them. */
cudaError_t cudaGraphHostNodeSetParams(
    cudaGraphNode_t node, const struct cudaHostNodeParams *params);
/** Change a node of any kind but an allocation's, a release's or a child
 *  graph's; params->type is its own. */
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node,
                                   struct cudaGraphNodeParams *params);
/** Write the graph as Graphviz. */
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path,
                                   unsigned int flags);

/** Make an executable of a graph as it is now; flags are hints. */
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags SOFTGPU_DEFAULT(0));
/** The same. */
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec,
                                          cudaGraph_t graph,
                                          unsigned long long flags
                                              SOFTGPU_DEFAULT(0));
/** The same, telling more. */
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec,
                                           cudaGraph_t graph,
                                           cudaGraphInstantiateParams *params);
/** Queue all nodes on a stream. */
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
/** Move it to the device before its launch: without effect. */
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
/** Destroy it; launches that are queued still run. */
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
/** Take over the parameters of a graph of the same shape.
 *  cudaErrorGraphExecUpdateFailure; *result says why. */
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result);
/** Change a kernel node of the executable; `node` is the graph's. */
cudaError_t cudaGraphExecKernelNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node,
    const struct cudaKernelNodeParams *params);
/** Change a copy node of it. */
cudaError_t cudaGraphExecMemcpyNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node,
    const struct cudaMemcpy3DParms *params);
/** Change a copy node of it. */
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec,
                                               cudaGraphNode_t node, void *dst,
                                               const void *src, size_t bytes,
                                               enum cudaMemcpyKind kind);
/** Change a fill node of it. */
cudaError_t cudaGraphExecMemsetNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node,
    const struct cudaMemsetParams *params);
/** Change a host node of it. */
cudaError_t cudaGraphExecHostNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node,
    const struct cudaHostNodeParams *params);
/** Give the nodes inside a child-graph node of it the parameters that those
 *  of `child` have, a graph of the same shape. */
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec,
                                                 cudaGraphNode_t node,
                                                 cudaGraph_t child);
/** Change any node of it that cudaGraphNodeSetParams() could change, or a
 *  child-graph node; params->type is the node's own. */
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec,
                                       cudaGraphNode_t node,
                                       struct cudaGraphNodeParams *params);
/** Let a kernel, copy or fill node run (1) or not (0). */
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int enabled);
/** Whether it runs. */
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int *enabled);

/** Count references to ptr: `count` of them, 1 to INT_MAX, are the caller's.
 *  When the last is gone destroy(ptr) is called, before the call that let it
 *  go returns; on a card by a thread of its own.  It may call no CUDA.  flags:
 *  cudaUserObjectNoDestructorSync. */
cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *ptr,
                                 cudaHostFn_t destroy, unsigned int count,
                                 unsigned int flags);
/** `count` more for the caller. */
cudaError_t cudaUserObjectRetain(cudaUserObject_t object,
                                 unsigned int count SOFTGPU_DEFAULT(1));
/** The caller lets go of `count`; cudaErrorInvalidValue if it has fewer. */
cudaError_t cudaUserObjectRelease(cudaUserObject_t object,
                                  unsigned int count SOFTGPU_DEFAULT(1));
/** `count` references for a graph, and for each later copy of it: a clone, an
 *  executable, a child's graph.  flags: 0, or cudaGraphUserObjectMove. */
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph,
                                      cudaUserObject_t object,
                                      unsigned int count SOFTGPU_DEFAULT(1),
                                      unsigned int flags SOFTGPU_DEFAULT(0));
/** A graph lets go of `count`; cudaErrorInvalidValue if it has fewer. */
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph,
                                       cudaUserObject_t object,
                                       unsigned int count SOFTGPU_DEFAULT(1));

#ifdef __cplusplus
}
#endif
#endif
