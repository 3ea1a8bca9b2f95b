/* SPDX-License-Identifier: MIT */
/* Loops that wait for a store of another thread: `while (*flag == 0)` with a
 * fence in it, or a volatile flag.  A gang would wait for a thread of its own.
 * Other volatile accesses are made as plain ones: lanes access together, in the
 * order of the program, and calls that wait or fence separate accesses as
 * before. */
#include "vectors.h"

#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace vectors {

/* An asm statement without instructions: the compiler must load again. */
static bool is_empty_assembly(const CallBase *call)
{
    const auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand());
    return assembly && assembly->getAsmString().empty();
}

/* After this, does the compiler load again what it has loaded? */
static bool is_fence(const Instruction &i)
{
    const auto *call = dyn_cast<CallBase>(&i);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return call
           && (is_empty_assembly(call)
               || (callee && source_name(callee) == "softgpu_spin"));
}

static bool has_fence(const Loop *loop)
{
    return any_of(loop->blocks(), [](const BasicBlock *block) {
        return any_of(*block, is_fence);
    });
}

/* Is it a load that counts: any, or a volatile one? */
static bool is_load(const Instruction &i, bool is_volatile)
{
    return isa<LoadInst>(i) && (i.isVolatile() || !is_volatile);
}

static bool has_load(const Loop *loop, bool is_volatile)
{
    return any_of(loop->blocks(), [=](const BasicBlock *block) {
        return any_of(*block, [=](const Instruction &i) {
            return is_load(i, is_volatile);
        });
    });
}

/* Does the value tell which way was taken in the loop: `done = true`? */
static bool tells_way(const Loop *loop, const Instruction *i)
{
    auto *phi = dyn_cast<PHINode>(i);
    return phi && count_if(phi->blocks(), [=](const BasicBlock *from) {
                      return loop->contains(from);
                  }) > 1;
}

/* Is the value, or one that it is computed from in the loop, loaded there (if
 * `is_volatile`, by a volatile access)?  Any load may choose the way. */
static bool depends_on_load(const Loop *loop, const Value *value,
                            bool is_volatile)
{
    SmallPtrSet<const Value *, 16> seen;
    SmallVector<const Value *, 16> work = { value };
    while (!work.empty()) {
        const auto *i = dyn_cast<Instruction>(work.pop_back_val());
        if (!i || !loop->contains(i) || !seen.insert(i).second)
            continue;
        if (is_load(*i, is_volatile)
            || (tells_way(loop, i) && has_load(loop, is_volatile)))
            return true;
        work.append(i->value_op_begin(), i->value_op_end());
    }
    return false;
}

static bool polls(const Loop *loop)
{
    SmallVector<BasicBlock *, 4> blocks;
    loop->getExitingBlocks(blocks);
    const bool is_volatile = !has_fence(loop);
    return any_of(blocks, [=](const BasicBlock *block) {
        const auto *branch = dyn_cast<BranchInst>(block->getTerminator());
        return branch && branch->isConditional()
               && depends_on_load(loop, branch->getCondition(), is_volatile);
    });
}

/* After optimization as volatile accesses: none was left out or moved. */
static void make_plain(Function *f)
{
    for (Instruction &i : instructions(f))
        if (auto *load = dyn_cast<LoadInst>(&i))
            load->setVolatile(false);
        else if (auto *store = dyn_cast<StoreInst>(&i))
            store->setVolatile(false);
}

/* `asm volatile("" : "+r"(p))` is p. */
static void remove_empty_assembly(Function *f)
{
    for (Instruction &i : make_early_inc_range(instructions(f))) {
        auto *call = dyn_cast<CallBase>(&i);
        if (!call || !is_empty_assembly(call))
            continue;
        const bool renames = call->arg_size() == 1
                             && call->getType()
                                    == call->getArgOperand(0)->getType();
        if (!renames && !call->getType()->isVoidTy())
            continue;
        if (renames)
            call->replaceAllUsesWith(call->getArgOperand(0));
        call->eraseFromParent();
    }
}

void refuse_polling(kernel &k)
{
    for (const Loop *loop : k.loops.getLoopsInPreorder())
        if (polls(loop))
            return k.refuse("a loop waits for a store of another thread");
    remove_empty_assembly(k.function);
    make_plain(k.function);
}

} // namespace vectors
