/* SPDX-License-Identifier: MIT */
/* The passes for gangs and threads, in the order of LLVM's own list: simplify,
 * move out of loops, remove what is redundant, and simplify again.  Loops of a
 * gang that gain from unrolling were unrolled as scalar code. */
#include "common/softgpu/vectors/optimize.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/LowerExpectIntrinsic.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>
#include <llvm/Transforms/Vectorize/SLPVectorizer.h>
#include <llvm/Transforms/Vectorize/VectorCombine.h>

#include "common/softgpu/vectors/prepare.h"

using namespace llvm;

namespace vectors {

static const bool with_memory_ssa = true;
static const char optimized_attribute[] = "softgpu-optimized";

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

/* LLVM's own list skips the function from here on. */
static void keep(Function &f, FunctionAnalysisManager &analyses)
{
    analyses.clear(f, f.getName());
    f.addFnAttr(optimized_attribute);
    f.addFnAttr(Attribute::OptimizeNone);
    f.addFnAttr(Attribute::NoInline);
}

void optimize_gang(Function &gang, FunctionAnalysisManager &analyses)
{
    FunctionPassManager passes;
    add_first_passes(passes);
    add_loop_passes(passes);
    add_last_passes(passes);
    passes.addPass(VectorCombinePass()); /* of shuffles */
    passes.run(gang, analyses);
    keep(gang, analyses);
}

/* --- one thread ----------------------------------------------------------- */

static bool is_inlined(const CallBase *call)
{
    const Function *callee = call->getCalledFunction();
    return callee && !callee->isDeclaration() && callee != call->getFunction()
           && !callee->hasFnAttribute(Attribute::NoInline)
           && !call->isNoInline();
}

/* A gang exists, so that none of them is recursive but atomic functions and the
 * like, which are not. */
static void inline_calls(Function &f)
{
    InlineFunctionInfo information;
    Function::iterator block = f.begin();
    while (CallBase *call = next_call(f, block, is_inlined))
        if (!InlineFunction(*call, information).isSuccess())
            call->setIsNoInline();
}

/* Loops of few iterations are unrolled: their arrays become registers. */
static void add_unrolling(FunctionPassManager &passes)
{
    LoopPassManager invariant, unroll;
    invariant.addPass(LoopRotatePass());
    invariant.addPass(LICMPass(LICMOptions()));
    unroll.addPass(IndVarSimplifyPass());
    unroll.addPass(LoopFullUnrollPass(3));
    passes.addPass(createFunctionToLoopPassAdaptor(std::move(invariant),
                                                   with_memory_ssa));
    passes.addPass(createFunctionToLoopPassAdaptor(std::move(unroll)));
    passes.addPass(SROAPass(SROAOptions::ModifyCFG));
}

static void run_first(Function &thread, FunctionAnalysisManager &analyses)
{
    FunctionPassManager passes;
    analyses.invalidate(thread, PreservedAnalyses::none());
    add_first_passes(passes);
    passes.run(thread, analyses);
}

static void run_last(Function &thread, FunctionAnalysisManager &analyses)
{
    enum { LARGE = 1500 }; /* instructions; unrolled, they are many times more */
    FunctionPassManager passes;
    if (thread.getInstructionCount() < LARGE)
        add_unrolling(passes);
    add_last_passes(passes);
    passes.run(thread, analyses);
}

/* Vectors within the thread: of the sums of a register tile, four times as
 * fast. */
static void run_vectorizers(Function &thread, FunctionAnalysisManager &analyses)
{
    enum { LARGE = 2500 }; /* instructions; time rises with their square */
    FunctionPassManager passes;
    if (thread.getInstructionCount() >= LARGE)
        return;
    passes.addPass(LoopVectorizePass());
    passes.addPass(SLPVectorizerPass());
    passes.addPass(InstCombinePass());
    passes.run(thread, analyses);
}

void optimize_thread(Function &thread, FunctionAnalysisManager &analyses)
{
    inline_calls(thread);
    run_first(thread, analyses);
    run_last(thread, analyses);
    run_vectorizers(thread, analyses);
    thread.removeFnAttr(Attribute::AlwaysInline);
    thread.removeFnAttr(Attribute::InlineHint);
    keep(thread, analyses);
}

/* The constant with 0 for each number that is too large, or the same. */
static Constant *limited(Constant *amounts, FixedVectorType *type)
{
    SmallVector<Constant *, 16> elements;
    bool changed = false;
    for (unsigned i = 0; i < type->getNumElements(); i++) {
        Constant *element = amounts->getAggregateElement(i);
        auto *number = dyn_cast_or_null<ConstantInt>(element);
        if (!element)
            return amounts;
        if (number && number->getValue().uge(type->getScalarSizeInBits())) {
            element = ConstantInt::get(type->getElementType(), 0);
            changed = true;
        }
        elements.push_back(element);
    }
    return changed ? ConstantVector::get(elements) : amounts;
}

bool limit_shifts(Function &f)
{
    bool changed = false;
    for (Instruction &i : instructions(f)) {
        auto *type = dyn_cast<FixedVectorType>(i.getType());
        auto *amounts = i.isShift() ? dyn_cast<Constant>(i.getOperand(1))
                                    : nullptr;
        if (!type || !amounts)
            continue;
        i.setOperand(1, limited(amounts, type));
        changed |= i.getOperand(1) != amounts;
    }
    return changed;
}

bool is_optimized(const Function &f)
{
    return f.hasFnAttribute(optimized_attribute);
}

void end_optimization(Function &f)
{
    f.removeFnAttr(optimized_attribute);
    f.removeFnAttr(Attribute::OptimizeNone);
    f.removeFnAttr(Attribute::NoInline);
}

} // namespace vectors
