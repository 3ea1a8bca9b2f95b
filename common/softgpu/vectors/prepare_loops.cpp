/* SPDX-License-Identifier: MIT */
/* Loops of the scalar code that are unrolled before it becomes a gang's. */
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "common/softgpu/vectors/prepare.h"

using namespace llvm;

namespace vectors {

/* Loops whose number of iterations is at most a small constant, such as
 * `for (x = threadIdx.x; x < 20; x += 16)`, become nested branches: masks that
 * loops carry cost more. */
static LoopUnrollOptions few_iterations()
{
    return LoopUnrollOptions(3)
        .setUpperBound(true)
        .setPartial(false)
        .setRuntime(false)
        .setPeeling(false);
}

/* A loop over the terms of a tile that adds to many sums, as the 8 x 8 of a
 * thread, is unrolled whatever its size: order_sums() then adds all terms to a
 * few sums, then to the next few. */
void unroll_many_sums(Function *f, FunctionAnalysisManager &analyses)
{
    enum { FEW_SUMS = 12, MOST_ADDITIONS = 1024 };
    auto &loops = analyses.getResult<LoopAnalysis>(*f);
    auto &scalars = analyses.getResult<ScalarEvolutionAnalysis>(*f);
    bool any = false;
    for (Loop *loop : loops.getLoopsInPreorder()) {
        const unsigned terms = scalars.getSmallConstantTripCount(loop);
        const size_t sums = (size_t)count_if(
            loop->getHeader()->phis(), [](const PHINode &phi) {
                return phi.getType()->isFloatingPointTy();
            });
        if (!loop->isInnermost() || sums <= FEW_SUMS
            || terms * sums > MOST_ADDITIONS)
            continue;
        addStringMetadataToLoop(loop, "llvm.loop.unroll.full");
        any |= terms > 0;
    }
    if (!any)
        return;
    FunctionPassManager passes;
    passes.addPass(LoopUnrollPass(LoopUnrollOptions(3)
                                      .setPartial(false)
                                      .setRuntime(false)
                                      .setPeeling(false)));
    simplify(passes);
    passes.run(*f, analyses);
    analyses.invalidate(*f, PreservedAnalyses::none());
}

/* A loop whose threads all take the same number of iterations may be unrolled
 * with its shuffles: with the distance known, these are permutations. */
static void allow_unrolling(kernel &k, FunctionAnalysisManager &analyses)
{
    auto &loops = analyses.getResult<LoopAnalysis>(*k.function);
    auto &scalars = analyses.getResult<ScalarEvolutionAnalysis>(*k.function);
    for (Loop *loop : loops.getLoopsInPreorder()) {
        if (!loop->isInnermost() || !scalars.getSmallConstantTripCount(loop))
            continue;
        for (BasicBlock *block : loop->blocks())
            for (Instruction &i : *block) {
                auto *call = dyn_cast<CallBase>(&i);
                Function *callee = call ? call->getCalledFunction() : nullptr;
                const StringRef name = callee ? source_name(callee) : "";
                if (name == "softgpu_warp_shuffle"
                    || name == "softgpu_lane_id")
                    call->removeFnAttr(Attribute::NoDuplicate);
            }
    }
}

void run_first_passes(kernel &k, FunctionAnalysisManager &analyses)
{
    FunctionPassManager rotate, unroll, last;
    analyses.invalidate(*k.function, PreservedAnalyses::none());
    simplify(rotate);
    rotate.addPass(LoopSimplifyPass());
    rotate.addPass(LCSSAPass());
    rotate.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass()));
    rotate.run(*k.function, analyses);
    analyses.invalidate(*k.function, PreservedAnalyses::none());
    allow_unrolling(k, analyses);
    unroll.addPass(createFunctionToLoopPassAdaptor(LoopFullUnrollPass(3)));
    unroll.run(*k.function, analyses);
    analyses.invalidate(*k.function, PreservedAnalyses::none());
    forbid_merging_calls(k);
    last.addPass(LoopUnrollPass(few_iterations()));
    simplify(last);
    last.run(*k.function, analyses);
    analyses.invalidate(*k.function, PreservedAnalyses::none());
}

} // namespace vectors
