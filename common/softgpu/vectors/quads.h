/* SPDX-License-Identifier: MIT */
/** @file
 *  Float4 of a row that are neighbors in memory, some lanes at a time. */
#ifndef SOFTGPU_VECTORS_QUADS_H
#define SOFTGPU_VECTORS_QUADS_H

#include "common/softgpu/vectors/groups.h"

namespace vectors {

enum { PAIR = 2 /**< float4 of a load of 32 bytes */ };

/** For each lane: is its float4 where it is if the float4 of each `run` lanes
 *  are neighbors, in their order? */
llvm::Value *are_runs(llvm::IRBuilderBase &b, llvm::Value *pointers,
                      unsigned run);

/** The pointers of each `run`-th lane. */
llvm::Value *first_of_runs(llvm::IRBuilderBase &b, llvm::Value *pointers,
                           unsigned run);

} // namespace vectors

#endif
