/* SPDX-License-Identifier: MIT */
/** @file
 *  The passes before the code of a thread becomes a gang's: prepare.cpp and
 *  prepare_loops.cpp. */
#ifndef SOFTGPU_VECTORS_PREPARE_H
#define SOFTGPU_VECTORS_PREPARE_H

#include <llvm/IR/PassManager.h>

#include "common/softgpu/vectors/vectors.h"

namespace vectors {

/** Add the passes that keep the code small: registers, common values. */
void simplify(llvm::FunctionPassManager &passes);
/** No pass may make two barriers of one, nor one of two in two branches. */
void forbid_merging_calls(kernel &k);

/** Simplify the code, and unroll short loops: prepare_loops.cpp. */
void run_first_passes(kernel &k, llvm::FunctionAnalysisManager &analyses);
/** Unroll loops over the terms of a tile that add to many sums. */
void unroll_many_sums(llvm::Function *f,
                      llvm::FunctionAnalysisManager &analyses);

} // namespace vectors

#endif
