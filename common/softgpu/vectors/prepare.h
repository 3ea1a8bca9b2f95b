/* SPDX-License-Identifier: MIT */
/** @file
 *  The passes before the code of a thread becomes a gang's: prepare.cpp and
 *  prepare_loops.cpp. */
#ifndef SOFTGPU_VECTORS_PREPARE_H
#define SOFTGPU_VECTORS_PREPARE_H

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/PassManager.h>

#include "common/softgpu/vectors/vectors.h"

namespace vectors {

/** Add the passes that keep the code small: registers, common values. */
void simplify(llvm::FunctionPassManager &passes);
/** No pass may make two barriers of one, nor one of two in two branches. */
void forbid_merging_calls(kernel &k);

/** The next call to be inlined.
 *  @param block     where the search begins; gets the call's block, in which it
 *                   goes on once the call is inlined
 *  @return NULL: none is left */
llvm::CallBase *
next_call(llvm::Function &f, llvm::Function::iterator &block,
          llvm::function_ref<bool(const llvm::CallBase *)> is_meant);

/** Simplify the code, and unroll short loops: prepare_loops.cpp. */
void run_first_passes(kernel &k, llvm::FunctionAnalysisManager &analyses);
/** What known_alignment() may use. */
struct alignment_facts {
    const llvm::DataLayout &data;
    llvm::AssumptionCache &assumptions;
    llvm::DominatorTree &dominators;
    llvm::Instruction *at; /**< where they are asked for */
};
/** known_alignment.cpp: of an address; 1 if nothing is known. */
llvm::Align known_alignment(llvm::Value *address, const alignment_facts &facts);
/** Tests of low bits of an address that are known to be 0 become 0. */
void fold_alignment_tests(llvm::Function *f, llvm::AssumptionCache &assumptions,
                          llvm::DominatorTree &dominators);
/** Unroll loops over the terms of a tile that add to many sums. */
void unroll_many_sums(llvm::Function *f,
                      llvm::FunctionAnalysisManager &analyses);

} // namespace vectors

#endif
