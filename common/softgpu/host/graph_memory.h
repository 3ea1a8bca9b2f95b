/* SPDX-License-Identifier: MIT */
/** @file
 *  Memory of a graph: a captured cudaMallocAsync() or cudaFreeAsync() becomes a
 *  memory node.  The address is fixed when the call is captured.  The program
 *  may use the memory after the allocation node has run, until the free node
 *  runs or the program frees the memory itself.  The memory stays reserved as
 *  long as a graph has a node for it.
 */
#ifndef SOFTGPU_GRAPH_MEMORY_H
#define SOFTGPU_GRAPH_MEMORY_H

#include "node_spec.h"
#include "stream.h"

/** One allocation of a graph. */
struct softgpu_graph_memory;

/** Add an allocation node for a new allocation to the stream's capture; frees
 *  the allocation on failure. */
cudaError_t softgpu_capture_alloc(struct CUstream_st *stream,
                                  struct softgpu_allocation *allocation);
/** Add a free node; cudaErrorNotSupported if no graph owns the allocation. */
cudaError_t softgpu_capture_free(struct CUstream_st *stream,
                                 struct softgpu_allocation *allocation);
/** Build an allocation node. */
cudaError_t softgpu_build_alloc_node(struct softgpu_node_spec *spec,
                                     struct cudaMemAllocNodeParams *params);
/** Build a free node for memory of an allocation node. */
cudaError_t softgpu_build_free_node(struct softgpu_node_spec *spec,
                                    const void *ptr);
/** Free a graph's memory outside graphs.
 *  @return cudaErrorInvalidValue if no node had allocated it */
cudaError_t softgpu_graph_memory_free(struct softgpu_graph_memory *memory);
/** Free it by a command of a stream.
 *  @return cudaErrorInvalidValue if no queued launch allocates it */
cudaError_t
softgpu_graph_memory_free_async(struct CUstream_st *stream,
                                struct softgpu_graph_memory *memory);
/** A launch of this graph was queued. */
void softgpu_graph_memory_queued(const struct CUgraph_st *graph);
/** Run the allocation node (allocates 1) or the free node (0). */
void softgpu_graph_memory_run(struct softgpu_graph_memory *memory,
                              int allocates);
/** Is it the memory of a graph, between a free node and the next allocation
 *  node?  The graph then owns no more than the address. */
int softgpu_graph_memory_is_free(const void *ptr);
/** Add a reference, held by a node. */
void softgpu_graph_memory_retain(struct softgpu_graph_memory *memory);
/** Drop a reference.  The last one frees the memory; if the program still uses
 *  it, it becomes an ordinary allocation instead. */
void softgpu_graph_memory_release(struct softgpu_graph_memory *memory);

#endif
