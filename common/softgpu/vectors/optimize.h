/* SPDX-License-Identifier: MIT */
/** @file
 *  Passes for the code of large gangs.  LLVM's list for -O3 runs those that
 *  take the most time five times and more.  A gang is optimized scalar code,
 *  widened, so a list that runs each once or twice leaves code of the same
 *  size.  It does not move the masks out of small loops, so other gangs have
 *  LLVM's list, which does not take long there.
 */
#ifndef SOFTGPU_VECTORS_OPTIMIZE_H
#define SOFTGPU_VECTORS_OPTIMIZE_H

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

namespace vectors {

/** Optimize a gang of many instructions; the compiler's own passes then skip
 *  it. */
void optimize_if_large(llvm::Function &gang,
                       llvm::FunctionAnalysisManager &analyses);
/** Let the compiler generate code for the gang as for other functions. */
void end_optimization(llvm::Function &gang);

} // namespace vectors

#endif
