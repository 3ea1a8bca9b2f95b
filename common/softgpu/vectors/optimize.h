/* SPDX-License-Identifier: MIT */
/** @file
 *  The optimization of a kernel that has a gang: by two short lists of passes,
 *  since LLVM's own takes twice the time, for code that is as fast. */
#ifndef SOFTGPU_VECTORS_OPTIMIZE_H
#define SOFTGPU_VECTORS_OPTIMIZE_H

#include <llvm/IR/PassManager.h>

namespace vectors {

/** Run the passes for gangs; LLVM's own list skips the function, up to
 *  end_optimization(). */
void optimize_gang(llvm::Function &gang,
                   llvm::FunctionAnalysisManager &analyses);

/** Inline the calls of a kernel's code for one thread, which runs where no gang
 *  can, and run the passes for it; LLVM's own list skips it, up to
 *  end_optimization().
 *  @param thread  softgpu::run_thread<Closure>, which stays a function */
void optimize_thread(llvm::Function &thread,
                     llvm::FunctionAnalysisManager &analyses);

/** What comes after LLVM's own list need not skip the function. */
void end_optimization(llvm::Function &f);

/** The SLP vectorizer of LLVM 19 joins different operations of neighboring
 *  elements: both run on all of them, with constants that may be no number of
 *  bits for a shift, and the results are selected.  What is selected is defined,
 *  but the code for x86 is wrong.  Shift these elements by 0.
 *  @return was the function changed? */
bool limit_shifts(llvm::Function &f);

/** Was it optimized by one of the lists, and not ended since? */
bool is_optimized(const llvm::Function &f);

} // namespace vectors

#endif
