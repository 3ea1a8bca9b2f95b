/* SPDX-License-Identifier: MIT */
/* Masked regions of a gang: blocks one after the other, each for the threads
 * of its mask, and loops that go on while a thread is left. */
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>

#include "common/softgpu/vectors/widener.h"

using namespace llvm;

namespace vectors {

/* --- masked regions ------------------------------------------------------- */

/* Blocks and inner loops of one level, each after those that lead to it. */
std::vector<widener::node>
widener::order(const SetVector<BasicBlock *> &in, Loop *level) const
{
    auto node_of = [&](BasicBlock *block) -> BasicBlock * {
        Loop *loop = k.loops.getLoopFor(block);
        BasicBlock *result = block;
        for (; loop != level; loop = loop->getParentLoop())
            result = loop->getHeader();
        return result;
    };
    auto at_level = [&](BasicBlock *block) {
        return in.count(block) && (!level || level->contains(block));
    };
    std::map<BasicBlock *, SmallPtrSet<BasicBlock *, 4>> before;
    std::vector<BasicBlock *> all;
    ReversePostOrderTraversal<Function *> blocks_of(k.function);
    for (BasicBlock *block : blocks_of) {
        if (!at_level(block))
            continue;
        BasicBlock *own = node_of(block);
        if (own == block)
            all.push_back(own);
        for (BasicBlock *next : successors(block))
            if (at_level(next) && node_of(next) != own
                && !(level && next == level->getHeader()))
                before[node_of(next)].insert(own);
    }
    std::vector<node> result;
    SmallPtrSet<BasicBlock *, 32> done;
    while (result.size() < all.size()) {
        const size_t had = result.size();
        for (BasicBlock *block : all) {
            bool ready = !done.count(block);
            for (BasicBlock *needed : before[block])
                ready = ready && done.count(needed);
            if (!ready)
                continue;
            Loop *loop = k.loops.getLoopFor(block);
            while (loop && loop != level && loop->getParentLoop() != level)
                loop = loop->getParentLoop();
            result.push_back({ block, loop == level ? nullptr : loop });
            done.insert(block);
        }
        if (result.size() == had)
            break;
    }
    if (result.size() < all.size())
        k.refuse("its loops are irreducible");
    return result;
}

/* Is it worth a branch to skip the block where no thread is active?  It is
 * necessary where an access has one address for all threads. */
bool widener::needs_guard(BasicBlock *block) const
{
    enum { MOST_WORK = 4 };
    unsigned work = 0;
    for (Instruction &i : *block) {
        if (i.mayReadOrWriteMemory() || isa<CallBase>(i) || i.isIntDivRem())
            return true;
        work += !isa<PHINode>(i);
    }
    return work > MOST_WORK;
}

/* The ways out of a masked block, each for its threads. */
void widener::emit_masked_edges(BasicBlock *block)
{
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch) {
        k.refuse("it ends under a condition");
        return;
    }
    std::vector<edge> edges;
    const unsigned ways = branch->getNumSuccessors();
    const rows all = mask;
    for (unsigned i = 0; i < ways; i++)
        edges.push_back({ block, branch->getSuccessor(i),
                          ways == 1 ? all
                                    : and_mask(all, branch->getCondition(),
                                               i == 1) });
    store_edge_values(edges);
}

/* Do all threads leave the loop in the same iteration, from its last block? */
bool widener::leaves_together(Loop *loop) const
{
    BasicBlock *latch = loop->getLoopLatch();
    if (!latch || loop->getExitingBlock() != latch)
        return false;
    auto *branch = dyn_cast<BranchInst>(latch->getTerminator());
    return branch && branch->isConditional()
           && k.shape_of(branch->getCondition()).kind == shape::UNIFORM;
}

/* The end of such a loop: the values for its exit are kept until then. */
void widener::emit_common_exit(BasicBlock *latch)
{
    auto *branch = cast<BranchInst>(latch->getTerminator());
    const bool back_first = branch->getSuccessor(0) == together->header;
    Value *condition = scalar(branch->getCondition(), 0);
    const edge out = { latch, branch->getSuccessor(back_first), {} };
    const edge back = { latch, together->header, {} };
    std::vector<assignment> left = read_values(out);
    const std::vector<assignment> again = read_values(back);
    together->exit = out.to;
    together->left.clear();
    for (const assignment &a : left) {
        slots kept;
        for (Value *value : a.value) {
            kept.push_back(new_slot(value->getType()));
            b.CreateStore(value, kept.back());
        }
        together->left.push_back({ a.phi, kept });
    }
    assign(again, {});
    b.CreateStore(back_first ? condition : b.CreateNot(condition),
                  together->again);
}

/* A block for the threads of its mask. */
void widener::emit_masked_block(BasicBlock *block)
{
    k.is_in_loop = k.loops.getLoopFor(block) != nullptr;
    known.clear();
    if (together && k.dominators.dominates(block, together->latch)) {
        mask = load_mask(together->header);
        emit_instructions(block);
        if (block == together->latch)
            emit_common_exit(block);
        else
            emit_masked_edges(block);
        return;
    }
    mask = load_mask(block);
    if (!needs_guard(block)) {
        emit_instructions(block);
        emit_masked_edges(block);
        return;
    }
    BasicBlock *body = new_block("active"), *after = new_block("next");
    b.CreateCondBr(any(mask), body, after);
    b.SetInsertPoint(body);
    emit_instructions(block);
    emit_masked_edges(block);
    b.CreateBr(after);
    b.SetInsertPoint(after);
    known.clear();
}

/* A loop that its threads leave in any iteration: it goes on while one is
 * left. */
void widener::emit_divergent_loop(const region &r, Loop *loop,
                                  BasicBlock *start, BasicBlock *after)
{
    slots next;
    for (unsigned row = 0; row < row_count; row++) {
        next.push_back(new_slot(FixedVectorType::get(b.getInt1Ty(), lanes)));
        b.CreateStore(Constant::getNullValue(next[row]->getAllocatedType()),
                      next[row]);
    }
    masked_header = loop->getHeader();
    next_mask = &next;
    together = nullptr;
    emit_level(r, loop);
    for (unsigned row = 0; row < row_count; row++)
        b.CreateStore(load(next[row]), mask_slots(loop->getHeader())[row]);
    b.CreateCondBr(any(load_mask(loop->getHeader())), start, after);
}

/* A loop that all its threads leave in the same iteration. */
void widener::emit_common_loop(const region &r, Loop *loop, BasicBlock *start,
                               BasicBlock *after)
{
    common_loop own = { loop->getHeader(), loop->getLoopLatch(), nullptr, {},
                        new_slot(b.getInt1Ty()) };
    masked_header = nullptr;
    next_mask = nullptr;
    together = &own;
    emit_level(r, loop);
    if (!own.exit)
        return k.refuse("a loop has no end");
    BasicBlock *left = new_block("left");
    b.CreateCondBr(load(own.again), start, left);
    b.SetInsertPoint(left);
    std::vector<assignment> values;
    for (auto &kept : own.left) {
        rows value;
        for (AllocaInst *slot : kept.second)
            value.push_back(load(slot));
        values.push_back({ kept.first, value });
    }
    const rows active = load_mask(own.header);
    assign(values, active);
    masked_header = outer_header;
    next_mask = outer_next;
    add_to_mask(own.exit, active);
    b.CreateBr(after);
}

/* A loop in a masked region, entered if a thread reaches it. */
void widener::emit_masked_loop(const region &r, Loop *loop)
{
    BasicBlock *start = new_block("iteration"), *after = new_block("after");
    BasicBlock *const saved_header = masked_header;
    BasicBlock *const saved_outer = outer_header;
    slots *const saved_next = next_mask, *const saved_outer_next = outer_next;
    common_loop *const saved_together = together;
    known.clear();
    b.CreateCondBr(any(load_mask(loop->getHeader())), start, after);
    b.SetInsertPoint(start);
    clear_masks(r, loop);
    outer_header = masked_header;
    outer_next = next_mask;
    if (leaves_together(loop))
        emit_common_loop(r, loop, start, after);
    else
        emit_divergent_loop(r, loop, start, after);
    masked_header = saved_header;
    next_mask = saved_next;
    outer_header = saved_outer;
    outer_next = saved_outer_next;
    together = saved_together;
    b.SetInsertPoint(after);
    known.clear();
}

/* The blocks of a region that lie in `level`, but in no loop within it. */
void widener::emit_level(const region &r, Loop *level)
{
    for (const node &n : order(r.blocks, level)) {
        if (!k.refusal.empty())
            return;
        if (n.second)
            emit_masked_loop(r, n.second);
        else
            emit_masked_block(n.first);
    }
}

/* All of a region; its entry has just been written. */
void widener::emit_region(const region &r)
{
    clear_masks(r, nullptr);
    auto *branch = cast<BranchInst>(r.entry->getTerminator());
    std::vector<edge> edges;
    Type *bits = FixedVectorType::get(b.getInt1Ty(), lanes);
    const rows all(row_count, Constant::getAllOnesValue(bits));
    for (unsigned i = 0; i < branch->getNumSuccessors(); i++)
        edges.push_back({ r.entry, branch->getSuccessor(i),
                          branch->isConditional()
                              ? and_mask({}, branch->getCondition(), i == 1)
                              : all });
    store_edge_values(edges);
    emit_level(r, k.loops.getLoopFor(r.entry));
    known.clear();
    mask.clear();
}

} // namespace vectors
