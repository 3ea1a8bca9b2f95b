/* SPDX-License-Identifier: MIT */
/* Slots of the values that other blocks use, and which values share them.
 *
 * In a block that runs by phases, a value that several phases use is in the
 * frame of its gang.  A sum of a loop is several values: the phi at its begin,
 * the sum after the last addition, the phi after its end.  If none of them is
 * read after another one is written, one slot serves all, and nothing is copied
 * from one to the other (coalescing of phis: Sreedhar et al., SAS 1999). */
#include <llvm/IR/CFG.h>

#include "common/softgpu/vectors/widener.h"

using namespace llvm;

namespace vectors {

/* Blocks in which a value is read; phis read at the end of the block before. */
static SmallPtrSet<const BasicBlock *, 8> blocks_of_reads(const Instruction *of)
{
    SmallPtrSet<const BasicBlock *, 8> result;
    for (const Use &use : of->uses()) {
        auto *user = cast<Instruction>(use.getUser());
        auto *phi = dyn_cast<PHINode>(user);
        result.insert(phi ? phi->getIncomingBlock(use) : user->getParent());
    }
    return result;
}

/* Is a value read in the block after an instruction, or at the block's end? */
static bool is_read_later(const Instruction *value, const Instruction *after)
{
    const BasicBlock *block = after->getParent();
    return any_of(value->uses(), [&](const Use &use) {
        auto *user = cast<Instruction>(use.getUser());
        if (auto *phi = dyn_cast<PHINode>(user))
            return phi->getIncomingBlock(use) == block;
        return user->getParent() == block
               && (isa<PHINode>(after) || after->comesBefore(user));
    });
}

/* Is a value read in the blocks, or after them, before it is computed again? */
static bool is_read_from(const Instruction *value,
                         SmallVector<BasicBlock *, 16> open)
{
    const auto reads = blocks_of_reads(value);
    SmallPtrSet<BasicBlock *, 16> reached;
    while (!open.empty()) {
        BasicBlock *block = open.pop_back_val();
        if (block == value->getParent() || !reached.insert(block).second)
            continue;
        if (reads.count(block))
            return true;
        open.append(succ_begin(block), succ_end(block));
    }
    return false;
}

/* Is a value still read after another one is computed? */
static bool is_live_after(const Instruction *value, Instruction *after)
{
    BasicBlock *block = after->getParent();
    if (value->getParent() == block && !isa<PHINode>(value)
        && after->comesBefore(value))
        return false;
    return is_read_later(value, after)
           || is_read_from(value, SmallVector<BasicBlock *, 16>(
                                      successors(block)));
}

/* The values that phis get at the end of a block are written whichever way it
 * takes.  Would that of a phi overwrite one of the values where the block goes
 * elsewhere? */
static bool is_overwritten_by(PHINode *phi, ArrayRef<Instruction *> values)
{
    for (unsigned n = 0; n < phi->getNumIncomingValues(); n++) {
        BasicBlock *from = phi->getIncomingBlock(n);
        if (is_contained(values, phi->getIncomingValue(n)))
            continue; /* it is there already */
        for (BasicBlock *to : successors(from))
            for (const Instruction *i : values)
                if (to != phi->getParent()
                    && ((isa<PHINode>(i) && i->getParent() == to)
                        || is_read_from(i, { to })))
                    return true;
    }
    return false;
}

/* May the values share their slots, some of which do already? */
bool widener::may_share(ArrayRef<Instruction *> some,
                        ArrayRef<Instruction *> others) const
{
    for (Instruction *a : some)
        for (Instruction *b : others)
            if (a->getType() != b->getType()
                || !(k.shape_of(a) == k.shape_of(b)) || is_live_after(a, b)
                || is_live_after(b, a))
                return false;
    std::vector<Instruction *> all(some);
    all.insert(all.end(), others.begin(), others.end());
    return none_of(all, [&](Instruction *i) {
        auto *phi = dyn_cast<PHINode>(i);
        return phi && is_overwritten_by(phi, all);
    });
}

/* Can the value share slots at all: do all threads that use it compute it? */
bool widener::is_shareable(const Instruction *i) const
{
    return !k.is_masked(i->getParent()) && !k.is_block_uniform(i)
           && !isa<AllocaInst>(i) && thread_component(i) < 0;
}

/* Let the values of a phi share their slots, where they may. */
void widener::share_slots(PHINode *phi)
{
    if (!is_shareable(phi))
        return;
    for (Value *value : phi->incoming_values()) {
        auto *other = dyn_cast<Instruction>(value);
        if (!other || !is_shareable(other))
            continue;
        std::vector<Instruction *> all = sharers_of(phi);
        const std::vector<Instruction *> more = sharers_of(other);
        if (is_contained(all, other) || !may_share(all, more))
            continue;
        all.insert(all.end(), more.begin(), more.end());
        const auto together
            = std::make_shared<std::vector<Instruction *>>(all);
        for (Instruction *i : all)
            sharers[i] = together;
    }
}

/* The values that share slots with one, and itself. */
std::vector<Instruction *> widener::sharers_of(Instruction *i) const
{
    const auto of = sharers.find(i);
    return of == sharers.end() ? std::vector<Instruction *>{ i } : *of->second;
}

/* Are the two kept in the same slots? */
bool widener::share(Instruction *a, Value *b) const
{
    return a != b && is_contained(sharers_of(a), b);
}

/* What phis get at the end of a block is written whichever way it takes.  So a
 * sum that is 0 before a loop that may have no iteration, and after it, is
 * written once. */
bool widener::is_in_slots(PHINode *phi, const Value *value,
                          const BasicBlock *from) const
{
    const BasicBlock *before = from->getUniquePredecessor();
    if (!isa<Constant>(value) || !before || k.is_masked(before)
        || k.is_masked(from) || k.region_at(before) || k.region_at(from))
        return false;
    bool is_there = false;
    for (const Instruction *i : sharers_of(phi)) {
        auto *other = dyn_cast<PHINode>(i);
        if (i->getParent() == from)
            return false;
        if (!other || !is_contained(successors(before), i->getParent()))
            continue;
        if (other->getIncomingValueForBlock(before) != value)
            return false;
        is_there = true;
    }
    return is_there;
}

/* Do other blocks use the value? */
bool widener::needs_slots(const Instruction *i) const
{
    if (i->getType()->isVoidTy()
        || (!k.phases.empty() && thread_component(i) >= 0))
        return false;
    return isa<PHINode>(i) || any_of(i->users(), [&](const User *user) {
               return cast<Instruction>(user)->getParent() != i->getParent()
                      || isa<PHINode>(user)
                      || (!k.phases.empty() && isa<BranchInst>(user));
           });
}

/* Slots for the values that other blocks use. */
void widener::make_slots()
{
    if (!k.phases.empty())
        for (BasicBlock &block : *k.function)
            for (PHINode &phi : block.phis())
                share_slots(&phi);
    for (Instruction &i : instructions(k.function)) {
        if (!needs_slots(&i) || value_slots.count(&i))
            continue;
        Type *type = k.shape_of(&i).kind == shape::VARYING
                         ? (Type *)FixedVectorType::get(i.getType(), lanes)
                         : i.getType();
        slots own;
        for (unsigned r = 0; r < count(&i); r++)
            own.push_back(b.CreateAlloca(type));
        all_slots.insert(all_slots.end(), own.begin(), own.end());
        value_slots[&i] = own;
        const auto of = sharers.find(&i);
        if (of != sharers.end())
            for (Instruction *other : *of->second)
                value_slots[other] = own;
    }
}

} // namespace vectors
