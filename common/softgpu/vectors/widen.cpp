/* SPDX-License-Identifier: MIT */
/* Control flow of a gang: branches on uniform conditions stay; the blocks of a
 * masked region are written one after the other. */
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "common/softgpu/vectors/widener.h"

using namespace llvm;

namespace vectors {

enum { UNUSED_BYTES = 64 };

widener::widener(kernel &kernel, Function *target)
    : k(kernel), f(target), context(target->getContext()),
      module(target->getParent()), data(module->getDataLayout()), b(context),
      lanes(kernel.gang.lanes), row_count(kernel.gang.rows)
{
    first = BasicBlock::Create(context, "variables", f);
    b.SetInsertPoint(first);
    unused_memory = b.CreateAlloca(ArrayType::get(b.getInt8Ty(), UNUSED_BYTES),
                                   nullptr, "unused");
    unused_memory->setAlignment(Align(UNUSED_BYTES));
}

BasicBlock *widener::new_block(const char *name)
{
    return BasicBlock::Create(context, name, f);
}

Value *widener::load(AllocaInst *slot)
{
    return b.CreateLoad(slot->getAllocatedType(), slot);
}

AllocaInst *widener::new_slot(Type *type)
{
    IRBuilder<> at(first, first->begin());
    all_slots.push_back(at.CreateAlloca(type));
    return all_slots.back();
}

/* --- masks ------------------------------------------------------------------- */

slots &widener::mask_slots(BasicBlock *block)
{
    slots &s = masks[block];
    while (s.size() < row_count)
        s.push_back(new_slot(FixedVectorType::get(b.getInt1Ty(), lanes)));
    return s;
}

rows widener::load_mask(BasicBlock *block)
{
    rows result;
    for (AllocaInst *slot : mask_slots(block))
        result.push_back(load(slot));
    return result;
}

/* Threads of the mask for which the condition holds. */
rows widener::and_mask(const rows &outer, Value *condition, bool negate)
{
    rows result;
    for (unsigned r = 0; r < row_count; r++) {
        Value *holds = vector(condition, r);
        if (negate)
            holds = b.CreateNot(holds);
        result.push_back(outer.empty() ? holds
                                       : b.CreateLogicalAnd(outer[r], holds));
    }
    return result;
}

Value *widener::any(Value *row)
{
    Type *bits = b.getIntNTy(lanes);
    return b.CreateICmpNE(b.CreateBitCast(row, bits),
                          ConstantInt::get(bits, 0));
}

Value *widener::any(const rows &of)
{
    Value *all = of[0];
    for (unsigned r = 1; r < row_count; r++)
        all = b.CreateOr(all, of[r]);
    return any(all);
}

void widener::clear_masks(const region &r, Loop *loop)
{
    for (BasicBlock *block : r.blocks) {
        if (loop && (!loop->contains(block) || block == loop->getHeader()))
            continue;
        for (AllocaInst *slot : mask_slots(block))
            b.CreateStore(Constant::getNullValue(slot->getAllocatedType()),
                          slot);
    }
}

/* --- edges -------------------------------------------------------------------- */

/* The values that the phis of the block get on this edge. */
std::vector<widener::assignment> widener::read_values(const edge &e)
{
    std::vector<assignment> all;
    for (PHINode &phi : e.to->phis()) {
        Value *from = phi.getIncomingValueForBlock(e.from);
        rows value;
        for (unsigned r = 0; r < count(&phi); r++)
            value.push_back(k.shape_of(&phi).kind == shape::VARYING
                                ? vector(from, r)
                                : scalar(from, r));
        all.push_back({ &phi, value });
    }
    return all;
}

/* Store them, for the threads of the mask. */
void widener::assign(const std::vector<assignment> &all, const rows &by)
{
    for (const assignment &a : all) {
        slots &to = value_slots[a.phi];
        const bool blends = k.shape_of(a.phi).kind == shape::VARYING
                            && !by.empty();
        for (unsigned r = 0; r < to.size(); r++) {
            Value *value = a.value[r];
            if (blends)
                value = b.CreateSelect(by[r], value, load(to[r]));
            b.CreateStore(value, to[r]);
        }
    }
}

/* More threads have reached the block. */
void widener::add_to_mask(BasicBlock *block, const rows &by)
{
    if (!k.is_masked(block) || by.empty())
        return;
    slots &to = block == masked_header && next_mask ? *next_mask
                                                    : mask_slots(block);
    for (unsigned r = 0; r < row_count; r++)
        b.CreateStore(b.CreateOr(load(to[r]), by[r]), to[r]);
}

/* Take the edges of one block.  All values are read before one is written. */
void widener::take_edges(ArrayRef<edge> edges)
{
    std::vector<std::vector<assignment>> values;
    for (const edge &e : edges)
        values.push_back(read_values(e));
    for (size_t i = 0; i < edges.size(); i++)
        assign(values[i], edges[i].mask);
    for (const edge &e : edges)
        add_to_mask(e.to, e.mask);
}

/* --- blocks that all threads execute ------------------------------------------- */

void widener::emit_instructions(BasicBlock *block)
{
    for (Instruction &i : *block)
        if (!i.isTerminator() && !isa<PHINode>(i))
            emit(&i);
}

void widener::emit_branch(BasicBlock *block)
{
    Instruction *end = block->getTerminator();
    for (const region &r : k.regions)
        if (r.entry == block) {
            emit_region(r);
            b.CreateBr(blocks[r.exit]);
            return;
        }
    if (isa<ReturnInst>(end)) {
        b.CreateRetVoid();
    } else if (auto *branch = dyn_cast<BranchInst>(end)) {
        std::vector<edge> edges;
        for (BasicBlock *next : successors(block))
            edges.push_back({ block, next, {} });
        if (branch->isConditional()) {
            Value *condition = scalar(branch->getCondition(), 0);
            take_edges(edges);
            b.CreateCondBr(condition, blocks[branch->getSuccessor(0)],
                           blocks[branch->getSuccessor(1)]);
        } else {
            take_edges(edges);
            b.CreateBr(blocks[branch->getSuccessor(0)]);
        }
    } else {
        k.refuse("it ends in an unknown way");
        b.CreateUnreachable();
    }
}

void widener::emit_block(BasicBlock *block)
{
    known.clear();
    mask.clear();
    b.SetInsertPoint(blocks[block]);
    emit_instructions(block);
    emit_branch(block);
}

/* --- masked regions ------------------------------------------------------------- */

/* Blocks and inner loops of one level, each after those that lead to it. */
std::vector<widener::node>
widener::order(const SmallPtrSetImpl<BasicBlock *> &in, Loop *level) const
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
    take_edges(edges);
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

void widener::emit_masked_block(BasicBlock *block)
{
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
void widener::emit_parting_loop(const region &r, Loop *loop, BasicBlock *start,
                                BasicBlock *after)
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
        emit_parting_loop(r, loop, start, after);
    masked_header = saved_header;
    next_mask = saved_next;
    outer_header = saved_outer;
    outer_next = saved_outer_next;
    together = saved_together;
    b.SetInsertPoint(after);
    known.clear();
}

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
    take_edges(edges);
    emit_level(r, k.loops.getLoopFor(r.entry));
    known.clear();
    mask.clear();
}

/* --- the whole function ---------------------------------------------------------- */

/* Slots for the values that other blocks use. */
void widener::make_slots()
{
    for (Instruction &i : instructions(k.function)) {
        bool needed = isa<PHINode>(i);
        for (const User *user : i.users())
            needed |= cast<Instruction>(user)->getParent() != i.getParent()
                      || isa<PHINode>(user);
        if (!needed || i.getType()->isVoidTy())
            continue;
        Type *type = k.shape_of(&i).kind == shape::VARYING
                         ? (Type *)FixedVectorType::get(i.getType(), lanes)
                         : i.getType();
        for (unsigned r = 0; r < count(&i); r++) {
            value_slots[&i].push_back(b.CreateAlloca(type));
            all_slots.push_back(value_slots[&i].back());
        }
    }
}

void widener::run()
{
    make_slots();
    load_builtins();
    ReversePostOrderTraversal<Function *> order(k.function);
    for (BasicBlock *block : order)
        if (!k.is_masked(block))
            blocks[block] = new_block("all");
    BasicBlock *start = b.GetInsertBlock();
    for (BasicBlock *block : order)
        if (!k.is_masked(block) && k.refusal.empty())
            emit_block(block);
    b.SetInsertPoint(start);
    b.CreateBr(blocks[&k.function->getEntryBlock()]);
    if (!k.refusal.empty())
        return;
    DominatorTree dominators(*f);
    PromoteMemToReg(all_slots, dominators);
}

void widen(kernel &k, Function *target)
{
    widener(k, target).run();
}

} // namespace vectors
