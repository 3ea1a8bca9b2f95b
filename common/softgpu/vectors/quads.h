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

/** The same of float4 at these indices of words, of 32 bits. */
llvm::Value *are_indexed_runs(llvm::IRBuilderBase &b, llvm::Value *index,
                              unsigned run);

/** The low 32 bits of the addresses of such words. */
llvm::Value *low_bits(llvm::IRBuilderBase &b, llvm::Value *base,
                      llvm::Value *index);

/** Of how many lanes, up to `most`, are the float4 always neighbors, in their
 *  order?  1: it is not known of any (widen_entries.cpp). */
unsigned known_run(const kernel &k, const llvm::Value *pointer, unsigned most);

/** The values of a row where the code is being written. */
struct row_values {
    /** The one value, or that of the first lane. */
    llvm::function_ref<llvm::Value *(llvm::Value *)> first;
    /** All of them. */
    llvm::function_ref<llvm::Value *(llvm::Value *)> vector;
    /** Can the two be asked for the value? */
    llvm::function_ref<bool(llvm::Value *)> is_available;
};

/** The addresses of each `run`-th lane, as scalars, where all lanes are active.
 *  @param before  the instruction that is executed next */
rows addresses_of_runs(llvm::IRBuilderBase &b, const kernel &k,
                       const row_values &row, llvm::Value *pointer,
                       unsigned run, const llvm::Instruction *before);

/** The pointers of each `run`-th lane. */
llvm::Value *first_of_runs(llvm::IRBuilderBase &b, llvm::Value *pointers,
                           unsigned run);

} // namespace vectors

#endif
