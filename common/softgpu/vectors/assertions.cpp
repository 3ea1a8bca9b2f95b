/* SPDX-License-Identifier: MIT */
/* Assertions of a gang.  After one fails, the core runs the block again, thread
 * by thread, to name the first thread that fails (run_grid.c).  Memory is then
 * as the first run left it, so an assertion about what the kernel itself may
 * have changed could name another thread, or none. */
#include "common/softgpu/vectors/vectors.h"

using namespace llvm;

namespace vectors {

namespace {

/* A search backward, from a value to all that decides it. */
class search {
  public:
    explicit search(const kernel &of) : k(of) {}
    void add(const Value *value);
    void add_control(const BasicBlock *block);
    bool finds_memory();

  private:
    bool reads_memory(const Instruction *i) const;

    const kernel &k;
    SmallPtrSet<const Value *, 32> seen; /* instructions and blocks */
    SmallVector<const Instruction *, 32> open;
};

void search::add(const Value *value)
{
    if (auto *i = dyn_cast<Instruction>(value))
        if (seen.insert(i).second)
            open.push_back(i);
}

/* The conditions that decide whether, and how often, the block is executed. */
void search::add_control(const BasicBlock *block)
{
    if (!seen.insert(block).second)
        return;
    for (const BasicBlock &from : *k.function) {
        auto *branch = dyn_cast<BranchInst>(from.getTerminator());
        if (branch && branch->isConditional()
            && !k.post_dominators.properlyDominates(block, &from))
            add(branch->getCondition());
    }
}

/* Any memory but the kernel's parameters, or values of other threads. */
bool search::reads_memory(const Instruction *i) const
{
    auto *call = dyn_cast<CallBase>(i);
    if (auto *load = dyn_cast<LoadInst>(i))
        return !isa<Argument>(
            load->getPointerOperand()->stripInBoundsConstantOffsets());
    if (call)
        return !call->getCalledFunction() || !call->doesNotAccessMemory()
               || must_stay_call(call->getCalledFunction());
    return i->mayReadFromMemory();
}

bool search::finds_memory()
{
    while (!open.empty()) {
        const Instruction *i = open.pop_back_val();
        if (reads_memory(i))
            return true;
        for (const Value *operand : i->operands())
            add(operand);
        if (!isa<PHINode>(i))
            continue;
        add_control(i->getParent());
        for (const BasicBlock *from : cast<PHINode>(i)->blocks()) {
            auto *branch = dyn_cast<BranchInst>(from->getTerminator());
            add_control(from);
            if (branch && branch->isConditional())
                add(branch->getCondition());
        }
    }
    return false;
}

} // namespace

bool depends_on_memory(const kernel &k, const CallBase *call)
{
    search backward(k);
    backward.add(call->getArgOperand(0));
    backward.add_control(call->getParent());
    return backward.finds_memory();
}

} // namespace vectors
