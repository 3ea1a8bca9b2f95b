/* SPDX-License-Identifier: MIT */
/* The passes for large gangs, in the order of LLVM's own list: simplify, move
 * out of loops, remove what is redundant, and simplify again.  Loops that gain
 * from unrolling were unrolled as scalar code. */
#include "common/softgpu/vectors/optimize.h"

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LowerExpectIntrinsic.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

using namespace llvm;

namespace vectors {

static const bool with_memory_ssa = true;

static void add_first_passes(FunctionPassManager &passes)
{
    passes.addPass(LowerExpectIntrinsicPass());
    passes.addPass(SimplifyCFGPass());
    passes.addPass(SROAPass(SROAOptions::ModifyCFG));
    passes.addPass(EarlyCSEPass(with_memory_ssa));
    passes.addPass(InstCombinePass());
    passes.addPass(SimplifyCFGPass());
    passes.addPass(JumpThreadingPass());
}

static void add_loop_passes(FunctionPassManager &passes)
{
    LoopPassManager loops;
    loops.addPass(LICMPass(LICMOptions()));
    loops.addPass(IndVarSimplifyPass());
    passes.addPass(
        createFunctionToLoopPassAdaptor(std::move(loops), with_memory_ssa));
}

static void add_last_passes(FunctionPassManager &passes)
{
    passes.addPass(EarlyCSEPass(with_memory_ssa));
    passes.addPass(DSEPass());
    passes.addPass(InstCombinePass());
    passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()),
                                                   with_memory_ssa));
    passes.addPass(SimplifyCFGPass(SimplifyCFGOptions()
                                       .convertSwitchRangeToICmp(true)
                                       .hoistCommonInsts(true)
                                       .sinkCommonInsts(true)));
}

void optimize_if_large(Function &gang, FunctionAnalysisManager &analyses)
{
    enum { LARGE = 10000 }; /* instructions */
    FunctionPassManager passes;
    if (gang.getInstructionCount() < LARGE)
        return;
    add_first_passes(passes);
    add_loop_passes(passes);
    add_last_passes(passes);
    passes.run(gang, analyses);
    analyses.clear(gang, gang.getName());
    gang.addFnAttr(Attribute::OptimizeNone);
    gang.addFnAttr(Attribute::NoInline);
}

void end_optimization(Function &gang)
{
    gang.removeFnAttr(Attribute::OptimizeNone);
    gang.removeFnAttr(Attribute::NoInline);
}

} // namespace vectors
