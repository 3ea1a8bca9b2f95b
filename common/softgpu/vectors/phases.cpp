/* SPDX-License-Identifier: MIT */
/* Phases: the code between two barriers.  Where all threads of a block take the
 * same way from barrier to barrier, one function runs the whole block: in each
 * phase all gangs, one after the other (regions of work-items: Jääskeläinen et
 * al., pocl, IJPP 2015).  Then a barrier costs nothing. */
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "common/softgpu/vectors/vectors.h"

using namespace llvm;

namespace vectors {

namespace {

using block_set = SmallPtrSet<BasicBlock *, 16>;

class analysis {
  public:
    explicit analysis(kernel &of) : k(of) {}
    enum outcome { FOUND, NONE, CHANGED };
    outcome run();

  private:
    bool is_in_loop_with_barrier(const BasicBlock *block) const;
    bool find_barriers();
    void find_block_uniform();
    bool is_uniform_load(const LoadInst *load) const;
    bool is_block_uniform(Instruction *i) const;
    void mark_divergent();
    bool is_once_a_phase(const BasicBlock *block) const;
    void find_loaded_once();
    bool find_common_branches();
    bool add_controlling(BasicBlock *block,
                         SmallVectorImpl<BasicBlock *> &open);
    bool number_phases();
    void divide();
    bool find_lasts();
    bool join_ends();
    bool divide_at_ends();
    SmallVector<BasicBlock *, 2> next_blocks(BasicBlock *block) const;

    kernel &k;
    block_set barriers; /* blocks that end with one */
    block_set common;   /* whose branch all threads of the block take alike */
    block_set divergent; /* that gangs reach by different ways */
    block_set leaders;  /* with which a phase begins */
};

/* The blocks that all threads of a gang execute next. */
SmallVector<BasicBlock *, 2> analysis::next_blocks(BasicBlock *block) const
{
    if (const region *r = k.region_at(block))
        return { r->exit };
    return SmallVector<BasicBlock *, 2>(successors(block));
}

/* Has a loop around the block a barrier? */
bool analysis::is_in_loop_with_barrier(const BasicBlock *block) const
{
    const Loop *loop = k.loops.getLoopFor(block);
    return any_of(barriers, [&](BasicBlock *barrier) {
        return loop->contains(barrier);
    });
}

/* Atomic functions in a loop without a barrier yield: gangs that take turns
 * then access neighboring data at about the same time, which caches need.
 * @return false: there are such, or a call that waits in another way */
bool analysis::find_barriers()
{
    SmallVector<const BasicBlock *, 4> atomics;
    for (Instruction &i : instructions(k.function)) {
        auto *call = dyn_cast<CallBase>(&i);
        Function *callee = call ? call->getCalledFunction() : nullptr;
        const StringRef name = callee ? source_name(callee) : "";
        if (callee && is_atomic_function(callee)
            && k.loops.getLoopFor(i.getParent()))
            atomics.push_back(i.getParent());
        if (name == "softgpu_barrier") {
            if (k.is_masked(i.getParent()))
                return false;
            barriers.insert(i.getParent());
        } else if (name.starts_with("softgpu_barrier")) {
            return false;
        }
    }
    return all_of(atomics, [&](const BasicBlock *block) {
        return is_in_loop_with_barrier(block);
    });
}

/* --- values that are the same for all threads of the block ---------------- */

/* A load of a parameter, of where shared memory is, or from one address of
 * shared memory: between two barriers no other thread may store there, which
 * would be a race. */
bool analysis::is_uniform_load(const LoadInst *load) const
{
    const Value *pointer = load->getPointerOperand();
    return isa<Argument>(pointer->stripInBoundsConstantOffsets())
           || is_shared_base(load)
           || (is_shared_address(pointer) && k.is_block_uniform(pointer)
               && !load->isVolatile() && !load->isAtomic());
}

/* Do the operands, and the ways to a phi, make it the same for all gangs? */
bool analysis::is_block_uniform(Instruction *i) const
{
    auto *call = dyn_cast<CallBase>(i);
    if (k.shape_of(i).kind != shape::UNIFORM || k.is_masked(i->getParent())
        || (isa<PHINode>(i) && divergent.count(i->getParent()))
        || isa<AllocaInst>(i))
        return false;
    if (auto *load = dyn_cast<LoadInst>(i))
        return is_uniform_load(load);
    if (call && (!call->getCalledFunction() || !call->doesNotAccessMemory()
                 || must_stay_call(call->getCalledFunction())))
        return false;
    if (i->mayReadOrWriteMemory() && !call)
        return false;
    for (Value *operand : i->operands())
        if (isa<Instruction>(operand) && !k.is_block_uniform(operand))
            return false;
    return true;
}

/* Blocks after a branch that gangs take differently, up to where they meet. */
void analysis::mark_divergent()
{
    for (BasicBlock &block : *k.function) {
        auto *branch = dyn_cast<BranchInst>(block.getTerminator());
        if (!branch || !branch->isConditional() || k.is_masked(&block)
            || k.is_block_uniform(branch->getCondition()))
            continue;
        const DomTreeNode *node = k.post_dominators.getNode(&block);
        BasicBlock *meet = node && node->getIDom() ? node->getIDom()->getBlock()
                                                   : nullptr;
        SmallVector<BasicBlock *, 16> open(successors(&block));
        while (!open.empty()) {
            BasicBlock *reached = open.pop_back_val();
            if (divergent.insert(reached).second && reached != meet)
                open.append(succ_begin(reached), succ_end(reached));
        }
    }
}

/* All values at first, then without those that differ. */
void analysis::find_block_uniform()
{
    for (Instruction &i : instructions(k.function))
        k.block_uniform.insert(&i);
    for (bool changed = true; changed;) {
        changed = false;
        mark_divergent();
        for (Instruction &i : instructions(k.function))
            if (k.block_uniform.count(&i) && !is_block_uniform(&i)) {
                k.block_uniform.erase(&i);
                changed = true;
            }
    }
}

/* Do all gangs execute the block, once in each run of its phase? */
bool analysis::is_once_a_phase(const BasicBlock *block) const
{
    for (const Loop *l = k.loops.getLoopFor(block); l; l = l->getParentLoop())
        if (none_of(barriers,
                    [&](BasicBlock *end) { return l->contains(end); }))
            return false;
    return !divergent.contains(block);
}

/* A program may read s[0] after a barrier, and store there before the next one:
 * a race, which on a card the reading warps win, as no warp gets that far
 * before the others have read. */
void analysis::find_loaded_once()
{
    k.loaded_once.clear();
    for (const Value *value : k.block_uniform) {
        auto *load = dyn_cast<LoadInst>(value);
        if (load && !is_shared_base(load)
            && is_shared_address(load->getPointerOperand())
            && is_once_a_phase(load->getParent()))
            k.loaded_once.insert(load);
    }
}

/* --- phases --------------------------------------------------------------- */

/* Add the branches that decide whether the block is executed. */
bool analysis::add_controlling(BasicBlock *block,
                               SmallVectorImpl<BasicBlock *> &open)
{
    for (BasicBlock &from : *k.function) {
        auto *branch = dyn_cast<BranchInst>(from.getTerminator());
        if (!branch || !branch->isConditional()
            || k.post_dominators.properlyDominates(block, &from))
            continue;
        bool decides = false;
        for (BasicBlock *next : successors(&from))
            decides |= k.post_dominators.dominates(block, next);
        if (!decides || common.count(&from))
            continue;
        if (k.is_masked(&from) || k.region_at(&from)
            || !k.is_block_uniform(branch->getCondition()))
            return false;
        common.insert(&from);
        open.push_back(&from);
    }
    return true;
}

/* @return false: gangs of the block take different ways to a barrier */
bool analysis::find_common_branches()
{
    SmallVector<BasicBlock *, 16> open(barriers.begin(), barriers.end());
    while (!open.empty())
        if (!add_controlling(open.pop_back_val(), open))
            return false;
    return true;
}

/* Number the phases: a block that is no leader belongs to that of the blocks
 * before it.  @return were leaders added, where two phases meet? */
bool analysis::number_phases()
{
    const size_t had = leaders.size();
    ReversePostOrderTraversal<Function *> order(k.function);
    k.phases.clear();
    k.phase_of.clear();
    for (BasicBlock *block : order) {
        if (k.is_masked(block))
            continue;
        if (leaders.count(block)) {
            k.phases.push_back({ block, nullptr });
            k.phase_of[block] = k.phases.size();
        }
        for (BasicBlock *next : next_blocks(block))
            if (!leaders.count(next))
                k.phase_of.insert({ next, k.phase_of[block] });
    }
    for (BasicBlock *block : order)
        if (!k.is_masked(block))
            for (BasicBlock *next : next_blocks(block))
                if (k.phase_of[next] != k.phase_of[block])
                    leaders.insert(next);
    return leaders.size() > had;
}

/* A phase begins at the entry, after an end, and where two phases meet. */
void analysis::divide()
{
    leaders.insert(&k.function->getEntryBlock());
    for (const block_set *ends : { &barriers, &common })
        for (BasicBlock *end : *ends)
            for (BasicBlock *next : next_blocks(end))
                leaders.insert(next);
    while (number_phases())
        ;
}

/* Each phase is left at the end of one block.
 * @return false: one is not */
bool analysis::find_lasts()
{
    for (BasicBlock &block : *k.function) {
        if (k.is_masked(&block))
            continue;
        phase &own = k.phases[k.phase_of[&block] - 1];
        const auto next = next_blocks(&block);
        bool leaves = next.empty();
        for (BasicBlock *to : next)
            leaves |= leaders.count(to) != 0;
        if (!leaves)
            continue;
        if (own.last || (next.size() > 1 && !common.count(&block)))
            return false;
        own.last = &block;
    }
    for (const phase &p : k.phases)
        if (!p.last)
            return false;
    return true;
}

/* Where a phase is left at the ends of several blocks, but always to the same
 * one: join them before it.  @return was the function changed? */
bool analysis::join_ends()
{
    using edges = SmallSetVector<BasicBlock *, 8>;
    std::vector<edges> ends(k.phases.size());
    std::vector<block_set> targets(k.phases.size());
    std::vector<unsigned> count(k.phases.size());
    for (BasicBlock &block : *k.function) {
        const auto next = next_blocks(&block);
        if (k.is_masked(&block) || next.size() != 1 || !leaders.count(next[0]))
            continue;
        const unsigned own = k.phase_of[&block] - 1;
        const region *r = k.region_at(&block);
        count[own]++;
        targets[own].insert(next[0]);
        for (BasicBlock *from : predecessors(next[0]))
            if (from == &block || (r && r->blocks.count(from)))
                ends[own].insert(from);
    }
    bool changed = false;
    for (size_t p = 0; p < k.phases.size(); p++)
        if (count[p] > 1 && targets[p].size() == 1)
            changed |= SplitBlockPredecessors(*targets[p].begin(),
                                              ends[p].getArrayRef(), ".end")
                       != nullptr;
    return changed;
}

/* Where a phase is left to different ones, by a branch that all threads of the
 * block take alike: as after the ticket of the last block to finish.
 * @return was such a branch found? */
bool analysis::divide_at_ends()
{
    const size_t had = common.size();
    for (BasicBlock &block : *k.function) {
        auto *branch = dyn_cast<BranchInst>(block.getTerminator());
        if (branch && branch->isConditional() && !k.is_masked(&block)
            && !k.region_at(&block) && !divergent.count(&block)
            && k.is_block_uniform(branch->getCondition())
            && any_of(successors(&block), [&](BasicBlock *next) {
                   return leaders.count(next) != 0;
               }))
            common.insert(&block);
    }
    return common.size() > had;
}

analysis::outcome analysis::run()
{
    if (!find_barriers())
        return NONE;
    find_block_uniform();
    if (!find_common_branches())
        return NONE;
    find_loaded_once();
    do {
        divide();
        if (find_lasts())
            return FOUND;
        if (join_ends())
            return CHANGED;
    } while (divide_at_ends());
    return NONE;
}

} // namespace

/* Compute all again that follows from the branches. */
static void analyze_again(kernel &k)
{
    k.dominators.recalculate(*k.function);
    k.post_dominators.recalculate(*k.function);
    k.loops.releaseMemory();
    k.loops.analyze(k.dominators);
    k.shapes.clear();
    k.regions.clear();
    k.region_of.clear();
    find_regions(k);
}

void find_phases(kernel &k)
{
    enum { MOST_CHANGES = 8 };
    analysis::outcome outcome = analysis::CHANGED;
    for (int n = 0; n < MOST_CHANGES && outcome == analysis::CHANGED; n++) {
        k.block_uniform.clear();
        outcome = analysis(k).run();
        if (outcome == analysis::CHANGED)
            analyze_again(k);
    }
    if (outcome != analysis::FOUND) {
        k.phases.clear();
        k.phase_of.clear();
    }
}

} // namespace vectors
