/* SPDX-License-Identifier: MIT */
/* The scalar code of one thread in one function: every call is inlined but
 * those that the pass gives a meaning of its own, and the built-in variables
 * are calls whose range the optimizer knows. */
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Utils/UnifyFunctionExitNodes.h>

#include "common/softgpu/vectors/prepare.h"

using namespace llvm;

namespace vectors {

StringRef source_name(const Function *f)
{
    StringRef name = f->getName();
    unsigned length = 0;
    if (!name.consume_front("_Z"))
        return name;
    name.consume_front("L");
    if (name.consumeInteger(10, length))
        return f->getName();
    return name.take_front(length);
}

bool is_atomic_function(const Function *f)
{
    return f->getName().starts_with("_Z")
           && source_name(f).starts_with("atomic");
}

/* softgpu::note_lockstep<is_store, T>() of lockstep.h */
static bool is_lockstep_note(const Function *f)
{
    return f->getName().starts_with("_ZN7softgpu13note_lockstepI");
}

bool must_stay_call(const Function *f)
{
    return is_atomic_function(f)
           || is_lockstep_note(f) || source_name(f) == lockstep
           || StringSwitch<bool>(source_name(f))
                  .Cases("softgpu_barrier", "softgpu_barrier_vote", true)
                  .Cases("softgpu_lane_id", "softgpu_warp_sync", true)
                  .Cases("softgpu_warp_shuffle", "softgpu_warp_ballot", true)
                  .Cases("softgpu_warp_gather", "softgpu_active_mask", true)
                  .Cases("softgpu_kernel_end", "softgpu_spin", true)
                  .Default(false);
}

/* --- calls ---------------------------------------------------------------- */

static bool is_inlined(const CallBase *call)
{
    const Function *callee = call->getCalledFunction();
    return callee && !callee->isDeclaration() && callee != call->getFunction()
           && !must_stay_call(callee) && source_name(callee) != shared_test;
}

CallBase *next_call(Function &f, Function::iterator &block,
                    function_ref<bool(const CallBase *)> is_meant)
{
    for (; block != f.end(); ++block)
        for (Instruction &i : *block)
            if (auto *call = dyn_cast<CallBase>(&i); call && is_meant(call))
                return call;
    return nullptr;
}

/* Calls that unwind do not exist on a GPU. */
static void remove_invokes(Function *f)
{
    SmallVector<InvokeInst *, 8> invokes;
    for (Instruction &i : instructions(f))
        if (auto *invoke = dyn_cast<InvokeInst>(&i))
            invokes.push_back(invoke);
    for (InvokeInst *invoke : invokes)
        changeToCall(invoke);
    if (!invokes.empty())
        removeUnreachableBlocks(*f);
}

static void inline_calls(kernel &k)
{
    enum { MOST_CALLS = 3000 };
    Function::iterator block = k.function->begin();
    for (int count = 0;
         CallBase *call = next_call(*k.function, block, is_inlined); count++) {
        InlineFunctionInfo information;
        if (count == MOST_CALLS)
            return k.refuse("it has too many calls, or recursive ones");
        call->setIsNoInline();
        call->removeFnAttr(Attribute::NoInline);
        if (!InlineFunction(*call, information).isSuccess())
            return k.refuse("a call cannot be inlined: "
                            + call->getCalledFunction()->getName().str());
    }
    remove_invokes(k.function);
}

/* A note has its line and its kind as arguments; its result is its address. */
static void replace_lockstep_notes(kernel &k)
{
    SmallVector<CallBase *, 8> notes;
    for (Instruction &i : instructions(k.function)) {
        auto *call = dyn_cast<CallBase>(&i);
        Function *callee = call ? call->getCalledFunction() : nullptr;
        if (callee && is_lockstep_note(callee))
            notes.push_back(call);
    }
    for (CallBase *call : notes) {
        IRBuilder<> b(call);
        const StringRef name = call->getCalledFunction()->getName();
        const DILocation *at = call->getDebugLoc();
        Module *module = call->getModule();
        FunctionCallee note = module->getOrInsertFunction(
            lockstep_note, b.getVoidTy(), b.getPtrTy(), b.getInt32Ty(),
            b.getPtrTy(), b.getInt32Ty());
        auto *f = cast<Function>(note.getCallee());
        f->setOnlyAccessesInaccessibleMemory();
        f->setDoesNotThrow();
        f->setWillReturn();
        b.CreateCall(note,
                     { call->getArgOperand(0),
                       b.getInt32(name.contains("ILb1E")),
                       b.CreateGlobalString(at ? at->getFilename() : "", "", 0,
                                            module),
                       b.getInt32(at ? at->getLine() : 0) });
        call->replaceAllUsesWith(call->getArgOperand(0));
        call->eraseFromParent();
    }
}

/* --- built-in variables --------------------------------------------------- */

static Function *declare_builtin(Module *module, const std::string &name,
                                 Type *type)
{
    FunctionCallee callee = module->getOrInsertFunction(
        name, FunctionType::get(type, false));
    auto *f = cast<Function>(callee.getCallee());
    f->setDoesNotAccessMemory();
    f->setDoesNotThrow();
    f->setWillReturn();
    return f;
}

static Value *call_builtin(IRBuilder<> &b, Function *f, unsigned end)
{
    CallInst *call = b.CreateCall(f);
    MDBuilder metadata(b.getContext());
    call->setMetadata(LLVMContext::MD_range,
                      metadata.createRange(APInt(32, 0), APInt(32, end)));
    return call;
}

static const char *const builtin_names[BUILTINS] = {
    "threadIdx", "blockIdx", "blockDim", "gridDim"
};

/* One past the largest value of a component, in blocks of at most that many
 * threads. */
static unsigned builtin_end(int variable, int component, unsigned most)
{
    const unsigned threads = component == 2 ? std::min(most, 64u) : most;
    switch (variable) {
    case THREAD:
        return threads;
    case BLOCK:
        return GRID_MAX;
    case BLOCK_DIM:
        return threads + 1;
    default:
        return GRID_MAX + 1;
    }
}

/* All uses of the thread-local variable read local memory instead. */
static void replace_variable(GlobalVariable *variable, Function *f,
                             Value *local)
{
    SmallVector<Instruction *, 16> addresses;
    for (Instruction &i : instructions(f)) {
        auto *call = dyn_cast<IntrinsicInst>(&i);
        if (call && call->getIntrinsicID() == Intrinsic::threadlocal_address
            && call->getArgOperand(0)->stripPointerCasts() == variable)
            addresses.push_back(call);
    }
    for (Instruction *address : addresses) {
        address->replaceAllUsesWith(local);
        address->eraseFromParent();
    }
}

static void replace_builtins(kernel &k)
{
    Module *module = k.function->getParent();
    IRBuilder<> b(&k.function->getEntryBlock(),
                  k.function->getEntryBlock().begin());
    Type *word = b.getInt32Ty();
    Type *three = ArrayType::get(word, 3);
    for (int v = 0; v < BUILTINS; v++) {
        GlobalVariable *variable = module->getGlobalVariable(builtin_names[v]);
        AllocaInst *local = b.CreateAlloca(three, nullptr, builtin_names[v]);
        local->setAlignment(Align(8));
        for (int c = 0; c < 3; c++) {
            k.builtins[v][c] = declare_builtin(
                module,
                std::string("softgpu.") + builtin_names[v] + "." + "xyz"[c],
                word);
            const unsigned end = builtin_end(v, c, k.most_threads);
            b.CreateStore(call_builtin(b, k.builtins[v][c], end),
                          b.CreateConstGEP2_32(three, local, 0, c));
        }
        if (variable)
            replace_variable(variable, k.function, local);
    }
}

/* --- the passes ----------------------------------------------------------- */

void simplify(FunctionPassManager &passes)
{
    passes.addPass(SROAPass(SROAOptions::ModifyCFG));
    passes.addPass(EarlyCSEPass(true));
    passes.addPass(InstCombinePass());
    passes.addPass(SimplifyCFGPass());
}

/* No other thread accesses a local array: without its notes, it can be kept in
 * registers. */
static void remove_notes_of_locals(kernel &k,
                                   FunctionAnalysisManager &analyses)
{
    const Function *note = k.function->getParent()->getFunction(lockstep_note);
    FunctionPassManager passes;
    SmallVector<CallBase *, 8> notes;
    if (!note)
        return;
    passes.addPass(SROAPass(SROAOptions::PreserveCFG));
    passes.run(*k.function, analyses);
    for (Instruction &i : instructions(k.function)) {
        auto *call = dyn_cast<CallBase>(&i);
        if (call && call->getCalledFunction() == note
            && isa<AllocaInst>(getUnderlyingObject(call->getArgOperand(0))))
            notes.push_back(call);
    }
    for (CallBase *call : notes)
        call->eraseFromParent();
}

static void run_last_passes(Function *f, FunctionAnalysisManager &analyses)
{
    FunctionPassManager passes;
    ScalarizerPassOptions scalarizer;
    scalarizer.ScalarizeLoadStore = true;
    passes.addPass(ScalarizerPass(scalarizer));
    simplify(passes);
    passes.addPass(LowerSwitchPass());
    passes.addPass(UnifyFunctionExitNodesPass());
    passes.addPass(LoopSimplifyPass());
    passes.addPass(LCSSAPass());
    passes.run(*f, analyses);
    analyses.invalidate(*f, PreservedAnalyses::none());
}

/* No pass may make two barriers of one, nor one of two in two branches. */
void forbid_merging_calls(kernel &k)
{
    for (Instruction &i : instructions(k.function)) {
        auto *call = dyn_cast<CallBase>(&i);
        Function *callee = call ? call->getCalledFunction() : nullptr;
        if (!callee || !must_stay_call(callee))
            continue;
        call->addFnAttr(Attribute::Convergent);
        call->addFnAttr(Attribute::NoDuplicate);
        call->addFnAttr(Attribute::NoMerge);
    }
}

/* A barrier is the last instruction of its block. */
static void split_at_barriers(Function *f)
{
    SmallVector<Instruction *, 8> after;
    for (Instruction &i : instructions(f)) {
        auto *call = dyn_cast<CallBase>(&i);
        Function *callee = call ? call->getCalledFunction() : nullptr;
        if (callee && source_name(callee) == "softgpu_barrier")
            after.push_back(call->getNextNode());
    }
    for (Instruction *i : after)
        SplitBlock(i->getParent(), i);
}

void prepare(kernel &k, Function *thread, layout gang,
             FunctionAnalysisManager &analyses)
{
    ValueToValueMapTy map;
    k.gang = gang;
    k.function = CloneFunction(thread, map);
    k.function->setName("softgpu.thread");
    k.function->setLinkage(GlobalValue::InternalLinkage);
    k.function->setComdat(nullptr);
    inline_calls(k);
    if (!k.refusal.empty())
        return;
    replace_lockstep_notes(k);
    stripDebugInfo(*k.function);
    join_failing_branches(k);
    remove_notes_of_locals(k, analyses);
    replace_builtins(k);
    forbid_merging_calls(k);
    run_first_passes(k, analyses);
    read_parameters_in_place(k.function);
    fold_shared_tests(k);
    unroll_many_sums(k.function, analyses);
    test_alignment(k, analyses);
    expand_memory_calls(k);
    expand_async_copies(k);
    run_last_passes(k.function, analyses);
    split_at_barriers(k.function);
    k.dominators.recalculate(*k.function);
    k.post_dominators.recalculate(*k.function);
    k.loops.analyze(k.dominators);
}

} // namespace vectors
