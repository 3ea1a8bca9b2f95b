/* SPDX-License-Identifier: MIT */
/** @file
 *  Memory that a captured cudaMallocAsync() or cudaFreeAsync() names: the
 *  address is the graph's from the capture on; the program may use it between
 *  the run of the one node and of the other, or until it frees it itself.
 *  The bytes stay reserved as long as a graph has such a node.
 */
#ifndef SOFTGPU_RESERVED_H
#define SOFTGPU_RESERVED_H

#include "stream.h"

/** One such piece of memory. */
struct softgpu_reserved;

/** Make a fresh allocation the graph's that the stream captures; gives it back
 *  when that fails. */
cudaError_t softgpu_capture_take(struct CUstream_st *stream,
                                 struct softgpu_allocation *allocation);
/** A node that frees it; cudaErrorNotSupported if it is not a graph's. */
cudaError_t softgpu_capture_give(struct CUstream_st *stream,
                                 struct softgpu_allocation *allocation);
/** A graph's memory is freed outside graphs.
 *  @return cudaErrorInvalidValue when no node had allocated it */
cudaError_t softgpu_reserved_free(struct softgpu_reserved *reserved);
/** The node that allocates it, or the one that frees it, runs. */
void softgpu_reserved_run(struct softgpu_reserved *reserved, int allocates);
/** One more node holds it. */
void softgpu_reserved_hold(struct softgpu_reserved *reserved);
/** One less does; behind the last one it is given back, or becomes memory as
 *  any if the program has it. */
void softgpu_reserved_drop(struct softgpu_reserved *reserved);

#endif
