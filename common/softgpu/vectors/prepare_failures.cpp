/* SPDX-License-Identifier: MIT */
/* Failures that end a thread in the scalar code, as calls that a gang can make:
 * tests of conditions and of addresses. */
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

#include "common/softgpu/vectors/vectors.h"

using namespace llvm;

namespace vectors {

static bool calls(const Instruction &i, StringRef name)
{
    auto *call = dyn_cast<CallBase>(&i);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && source_name(callee) == name;
}

/* A call that ends the thread, in a block of its own. */
static bool only_fails(const BasicBlock *block, bool &is_assertion)
{
    bool fails = false;
    is_assertion = false;
    for (const Instruction &i : *block) {
        is_assertion |= calls(i, "__assert_fail");
        fails |= is_assertion || calls(i, "softgpu_fail");
    }
    return fails && isa<UnreachableInst>(block->getTerminator());
}

/* if (condition) softgpu_fail(...): a call with the condition as an argument,
 * after which all threads go on.  So are assertions. */
void join_failing_branches(kernel &k)
{
    Module *module = k.function->getParent();
    SmallVector<std::tuple<BranchInst *, unsigned, bool>, 8> found;
    bool is_assertion;
    for (BasicBlock &block : *k.function) {
        auto *branch = dyn_cast<BranchInst>(block.getTerminator());
        for (unsigned n = 0; branch && branch->isConditional() && n < 2; n++)
            if (only_fails(branch->getSuccessor(n), is_assertion))
                found.push_back({ branch, n, is_assertion });
    }
    for (auto [branch, n, asserts] : found) {
        IRBuilder<> b(branch);
        Value *fails = branch->getCondition();
        if (n == 1)
            fails = b.CreateNot(fails);
        BasicBlock *continuation = branch->getSuccessor(1 - n);
        branch->getSuccessor(n)->removePredecessor(branch->getParent());
        FunctionCallee test = module->getOrInsertFunction(
            failure_test, b.getVoidTy(), b.getInt1Ty(), b.getInt1Ty());
        b.CreateCall(test, { fails, b.getInt1(asserts) });
        b.CreateBr(continuation);
        branch->eraseFromParent();
    }
    if (!found.empty())
        removeUnreachableBlocks(*k.function);
}

constexpr uint64_t TESTED_BY_PROCESSOR = 16; /* bytes */

/* The processor faults at a misaligned access of 16 bytes, as fibers make it;
 * the accesses of a gang are of other sizes.  So a call tests the address. */
static void test_address(Instruction *access, Value *pointer, Align align)
{
    Module *module = access->getModule();
    IRBuilder<> b(access);
    FunctionCallee test = module->getOrInsertFunction(
        alignment_test, b.getVoidTy(), b.getPtrTy(), b.getInt64Ty());
    auto *f = cast<Function>(test.getCallee());
    f->setOnlyReadsMemory();
    f->setOnlyAccessesInaccessibleMemory();
    f->setDoesNotThrow();
    b.CreateCall(test, { pointer, b.getInt64(align.value() - 1) });
}

/* The addresses of an access, each with the alignment that its type has. */
static SmallVector<std::pair<Value *, Align>, 2> addresses_of(Instruction *i)
{
    SmallVector<std::pair<Value *, Align>, 2> all;
    if (auto *load = dyn_cast<LoadInst>(i))
        all.push_back({ load->getPointerOperand(), load->getAlign() });
    if (auto *store = dyn_cast<StoreInst>(i))
        all.push_back({ store->getPointerOperand(), store->getAlign() });
    if (auto *call = dyn_cast<MemIntrinsic>(i))
        all.push_back({ call->getDest(), call->getDestAlign().valueOrOne() });
    if (auto *copy = dyn_cast<MemTransferInst>(i))
        all.push_back(
            { copy->getSource(), copy->getSourceAlign().valueOrOne() });
    return all;
}

/* Assumptions, and tests of conditions that were found to be false. */
static void remove_used(kernel &k)
{
    SmallVector<Instruction *, 16> used;
    for (Instruction &i : instructions(k.function)) {
        auto *call = dyn_cast<CallBase>(&i);
        const auto *condition
            = call && calls(i, failure_test)
                  ? dyn_cast<ConstantInt>(call->getArgOperand(0))
                  : nullptr;
        if (isa<AssumeInst>(i) || (condition && condition->isZero()))
            used.push_back(&i);
    }
    for (Instruction *i : used)
        i->eraseFromParent();
}

void test_alignment(kernel &k, FunctionAnalysisManager &analyses)
{
    const DataLayout &data = k.function->getParent()->getDataLayout();
    SmallVector<Instruction *, 32> accesses;
    analyses.invalidate(*k.function, PreservedAnalyses::none());
    auto &assumptions = analyses.getResult<AssumptionAnalysis>(*k.function);
    auto &dominators = analyses.getResult<DominatorTreeAnalysis>(*k.function);
    for (Instruction &i : instructions(k.function))
        accesses.push_back(&i);
    for (Instruction *i : accesses)
        for (const auto &[address, align] : addresses_of(i))
            if (align >= Align(TESTED_BY_PROCESSOR)
                && getKnownAlignment(address, data, i, &assumptions,
                                     &dominators)
                       < align)
                test_address(i, address, align);
    remove_used(k);
}

} // namespace vectors
