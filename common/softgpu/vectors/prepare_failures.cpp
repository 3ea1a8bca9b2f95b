/* SPDX-License-Identifier: MIT */
/* Failures that end a thread in the scalar code, as calls that a gang can make:
 * tests of conditions and of addresses. */
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <cstddef>

#include "common/softgpu/include/softgpu/abi.h"
#include "common/softgpu/vectors/prepare.h"

using namespace llvm;
using namespace llvm::PatternMatch;

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

/* In a kernel softgpu_tls.block is not NULL: what tests it always fails. */
static void remove_tests_of_block(Function *f)
{
    const DataLayout &data = f->getParent()->getDataLayout();
    SmallVector<ICmpInst *, 16> tests;
    SmallVector<BasicBlock *, 16> changed;
    for (Instruction &i : instructions(f)) {
        auto *load = dyn_cast<LoadInst>(&i);
        if (!load || !is_member(data, load->getPointerOperand(), "softgpu_tls",
                                { offsetof(struct softgpu_tls, block) }))
            continue;
        for (User *user : load->users())
            if (auto *test = dyn_cast<ICmpInst>(user);
                test && test->isEquality()
                && isa<ConstantPointerNull>(test->getOperand(1)))
                tests.push_back(test);
    }
    for (ICmpInst *test : tests) {
        for (User *user : test->users())
            if (auto *branch = dyn_cast<BranchInst>(user))
                changed.push_back(branch->getParent());
        test->replaceAllUsesWith(ConstantInt::getBool(
            test->getType(), test->getPredicate() == CmpInst::ICMP_NE));
        test->eraseFromParent();
    }
    for (BasicBlock *block : changed)
        ConstantFoldTerminator(block);
    removeUnreachableBlocks(*f);
    for (BasicBlock *block : changed)
        if (BasicBlock *next = block->getSingleSuccessor())
            MergeBlockIntoPredecessor(next);
}

/* if (condition) softgpu_fail(...): a call with the condition as an argument,
 * after which all threads go on.  So are assertions. */
void join_failing_branches(kernel &k)
{
    Module *module = k.function->getParent();
    SmallVector<std::tuple<BranchInst *, unsigned, bool>, 8> found;
    bool is_assertion;
    remove_tests_of_block(k.function);
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

/* The value of which a condition says that it is not 0. */
static Value *tested_value(Value *condition)
{
    for (Value *inner = nullptr;; condition = inner) {
        ICmpInst::Predicate predicate;
        const bool is_step
            = match(condition, m_ZExt(m_Value(inner)))
              || match(condition,
                       m_Intrinsic<Intrinsic::expect>(m_Value(inner)))
              || (match(condition, m_ICmp(predicate, m_Value(inner), m_Zero()))
                  && predicate == ICmpInst::ICMP_NE);
        if (!is_step)
            return condition;
    }
}

/* The processor faults at a misaligned access of 16 bytes, as fibers make it;
 * the accesses of a gang are of other sizes.  So a call tests the address. */
static void test_address(Instruction *access, Value *pointer, uint64_t low)
{
    Module *module = access->getModule();
    IRBuilder<> b(access);
    FunctionCallee test = module->getOrInsertFunction(
        alignment_test, b.getVoidTy(), b.getPtrTy(), b.getInt64Ty());
    auto *f = cast<Function>(test.getCallee());
    f->setOnlyReadsMemory();
    f->setOnlyAccessesInaccessibleMemory();
    f->setDoesNotThrow();
    b.CreateCall(test, { pointer, b.getInt64(low) });
}

/* Does a test right before the access, in its block, say the same? */
static bool is_tested(Instruction *access, Value *pointer, uint64_t low)
{
    for (Instruction *i = access->getPrevNode(); i; i = i->getPrevNode())
        if (calls(*i, alignment_test)
            && cast<CallBase>(i)->getArgOperand(0) == pointer
            && (cast<ConstantInt>(cast<CallBase>(i)->getArgOperand(1))
                    ->getZExtValue()
                & low)
                   == low)
            return true;
    return false;
}

/* Device code tests the addresses of float4: such a condition, whatever has
 * been made of it, is a test of an address. */
static void find_address_tests(Function *f)
{
    SmallVector<Instruction *, 16> found;
    for (Instruction &i : instructions(f)) {
        Value *pointer;
        const APInt *low;
        if (calls(i, failure_test)
            && match(tested_value(cast<CallBase>(i).getArgOperand(0)),
                     m_And(m_PtrToInt(m_Value(pointer)), m_APInt(low)))
            && (*low + 1).isPowerOf2()) {
            test_address(&i, pointer, low->getZExtValue());
            found.push_back(&i);
        }
    }
    for (Instruction *i : found)
        i->eraseFromParent();
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
    fold_alignment_tests(k.function, assumptions, dominators);
    find_address_tests(k.function);
    for (Instruction &i : instructions(k.function))
        accesses.push_back(&i);
    for (Instruction *i : accesses)
        for (const auto &[address, align] : addresses_of(i))
            if (align >= Align(TESTED_BY_PROCESSOR)
                && known_alignment(address,
                                   { data, assumptions, dominators, i })
                       < align
                && !is_tested(i, address, align.value() - 1))
                test_address(i, address, align.value() - 1);
    remove_used(k);
}

} // namespace vectors
