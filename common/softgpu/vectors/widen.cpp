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

/* A block at the end of the new function. */
BasicBlock *widener::new_block(const char *name)
{
    return BasicBlock::Create(context, name, f);
}

/* The present value of a slot. */
Value *widener::load(AllocaInst *slot)
{
    return b.CreateLoad(slot->getAllocatedType(), slot);
}

/* A local variable that mem2reg will remove. */
AllocaInst *widener::new_slot(Type *type)
{
    IRBuilder<> at(first, first->begin());
    all_slots.push_back(at.CreateAlloca(type));
    return all_slots.back();
}

/* --- masks ---------------------------------------------------------------- */

/* The slots of the threads that reach a block. */
slots &widener::mask_slots(BasicBlock *block)
{
    slots &s = masks[block];
    while (s.size() < row_count)
        s.push_back(new_slot(FixedVectorType::get(b.getInt1Ty(), lanes)));
    return s;
}

/* The threads that have reached the block. */
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

/* Is a thread of the row active? */
Value *widener::any(Value *row)
{
    Type *bits = b.getIntNTy(lanes);
    return b.CreateICmpNE(b.CreateBitCast(row, bits),
                          ConstantInt::get(bits, 0));
}

/* Is a thread of the gang active? */
Value *widener::any(const rows &of)
{
    Value *all = of[0];
    for (unsigned r = 1; r < row_count; r++)
        all = b.CreateOr(all, of[r]);
    return any(all);
}

/* No thread has reached the blocks of the region, or of the loop. */
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

/* --- edges ---------------------------------------------------------------- */

/* The values that the phis of the block get on this edge. */
std::vector<assignment> widener::read_values(const edge &e)
{
    std::vector<assignment> all;
    for (PHINode &phi : e.to->phis()) {
        Value *from = phi.getIncomingValueForBlock(e.from);
        if (share(&phi, from) || is_in_slots(&phi, from, e.from))
            continue;
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
void widener::store_edge_values(ArrayRef<edge> edges)
{
    std::vector<std::vector<assignment>> values;
    for (const edge &e : edges)
        values.push_back(read_values(e));
    for (size_t i = 0; i < edges.size(); i++)
        assign(values[i], edges[i].mask);
    for (const edge &e : edges)
        add_to_mask(e.to, e.mask);
}

/* --- blocks that all threads execute -------------------------------------- */

/* All instructions of a block but phis and the branch. */
void widener::emit_instructions(BasicBlock *block)
{
    for (Instruction &i : *block)
        if (!i.isTerminator() && !isa<PHINode>(i))
            emit(&i);
}

/* The end of a block that all threads execute. */
void widener::emit_branch(BasicBlock *block)
{
    Instruction *end = block->getTerminator();
    if (!k.phases.empty() && k.phases[current_phase].last == block)
        return emit_phase_end(block);
    if (const region *r = k.region_at(block)) {
        emit_region(*r);
        b.CreateBr(blocks[r->exit]);
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
            store_edge_values(edges);
            b.CreateCondBr(condition, blocks[branch->getSuccessor(0)],
                           blocks[branch->getSuccessor(1)]);
        } else {
            store_edge_values(edges);
            b.CreateBr(blocks[branch->getSuccessor(0)]);
        }
    } else {
        k.refuse("it ends in an unknown way");
        b.CreateUnreachable();
    }
}

/* A block that all threads execute. */
void widener::emit_block(BasicBlock *block)
{
    known.clear();
    mask.clear();
    if (!k.phases.empty())
        current_phase = k.phase_of[block] - 1;
    b.SetInsertPoint(blocks[block]);
    emit_instructions(block);
    emit_branch(block);
}

/* --- the whole function --------------------------------------------------- */

/* Write the whole function, then turn its slots into registers. */
void widener::run()
{
    make_slots();
    load_builtins();
    if (const Function *note = module->getFunction(lockstep_note);
        note && any_of(note->users(), [&](const User *user) {
            return cast<Instruction>(user)->getFunction() == k.function;
        })) {
        synchronizations = new_slot(b.getInt32Ty());
        b.CreateStore(b.getInt32(0), synchronizations);
    }
    if (!k.phases.empty())
        begin_phases();
    ReversePostOrderTraversal<Function *> order(k.function);
    for (BasicBlock *block : order)
        if (!k.is_masked(block))
            blocks[block] = new_block("all");
    BasicBlock *start = b.GetInsertBlock();
    for (BasicBlock *block : order)
        if (!k.is_masked(block) && k.refusal.empty())
            emit_block(block);
    b.SetInsertPoint(start);
    BasicBlock *entry = &k.function->getEntryBlock();
    b.CreateBr(k.phases.empty() ? blocks[entry] : phase_at(entry));
    if (!k.refusal.empty())
        return;
    for (phase_loop &l : phase_loops) {
        b.SetInsertPoint(l.head);
        b.CreateBr(blocks[k.phases[&l - phase_loops.data()].first]);
    }
    if (!k.phases.empty())
        place_slots();
    DominatorTree dominators(*f);
    PromoteMemToReg(all_slots, dominators);
}

void widen(kernel &k, Function *target)
{
    widener(k, target).run();
}

} // namespace vectors
