/* SPDX-License-Identifier: MIT */
/* The order of multiply-adds.  A thread that keeps 8 x 8 sums adds to all of
 * them for each term; as a gang, these sums are 64 vector registers, more than
 * there are, and each addition would load and store its sum.  So a block adds
 * all of its terms to a few sums, then to the next few.  The order in which a
 * sum gets its terms stays, and so do its bits. */
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "common/softgpu/vectors/sums.h"

using namespace llvm;

namespace vectors {

namespace {

/* A multiply-add of vectors, or NULL. */
IntrinsicInst *as_addition(Value *value)
{
    auto *i = dyn_cast<IntrinsicInst>(value);
    const bool is_one = i && isa<FixedVectorType>(i->getType())
                        && (i->getIntrinsicID() == Intrinsic::fmuladd
                            || i->getIntrinsicID() == Intrinsic::fma);
    return is_one ? i : nullptr;
}

constexpr unsigned SUM = 2; /* the operand of a multiply-add */

/* The addition of the same block that adds to this one, if nothing else of the
 * block uses it. */
Instruction *next_addition(Instruction *addition)
{
    Instruction *next = nullptr;
    for (User *user : addition->users()) {
        auto *i = cast<Instruction>(user);
        if (i->getParent() != addition->getParent() || isa<PHINode>(i))
            continue;
        IntrinsicInst *other = as_addition(i);
        if (next || !other || other->getArgOperand(SUM) != addition
            || other->getArgOperand(0) == addition
            || other->getArgOperand(1) == addition)
            return nullptr;
        next = i;
    }
    return next;
}

/* Is it the first of a chain? */
bool begins_chain(IntrinsicInst *addition)
{
    auto *before = dyn_cast<Instruction>(addition->getArgOperand(SUM));
    return !before || before->getParent() != addition->getParent()
           || !as_addition(before) || next_addition(before) != addition;
}

/* The load of the sum, and its store: only of this chain. */
void find_ends(chain &c)
{
    Instruction *front = c.additions.front(), *back = c.additions.back();
    auto *load = dyn_cast<LoadInst>(front->getOperand(SUM));
    if (load && load->getParent() == front->getParent() && load->hasOneUse()
        && load->isSimple())
        c.first = load;
    if (back->hasOneUse())
        c.last = dyn_cast<StoreInst>(*back->user_begin());
    if (c.last
        && (c.last->getParent() != back->getParent() || !c.last->isSimple()
            || c.last->getValueOperand() != back))
        c.last = nullptr;
}

std::vector<chain> find_chains(BasicBlock &block)
{
    std::vector<chain> all;
    for (Instruction &i : block) {
        IntrinsicInst *addition = as_addition(&i);
        if (!addition || !begins_chain(addition))
            continue;
        chain c;
        for (Instruction *next = addition; next; next = next_addition(next))
            c.additions.push_back(next);
        if (c.additions.size() < 2)
            continue;
        find_ends(c);
        all.push_back(c);
    }
    return all;
}

/* Where all operands of the chains are known, and no result was used yet. */
Instruction *find_place(BasicBlock &block, const std::vector<chain> &all,
                        const SmallPtrSetImpl<Instruction *> &moved)
{
    SmallPtrSet<Value *, 16> results;
    for (const chain &c : all)
        results.insert(c.additions.back());
    for (Instruction &i : block)
        if (!isa<PHINode>(i) && (i.isTerminator() || !moved.count(&i))
            && (i.isTerminator() || any_of(i.operands(), [&](const Use &use) {
                   return results.count(use.get()) != 0;
               })))
            return &i;
    return block.getTerminator();
}

/* Is the value known before the place, or loaded there? */
bool is_known_at(Instruction *place, const Value *value,
                 const SmallPtrSetImpl<Instruction *> &moved)
{
    auto *i = dyn_cast<Instruction>(value);
    return !i || i->getParent() != place->getParent()
           || i->comesBefore(place) || moved.count(i);
}

/* Are the operands of all additions known before the place?  None may be the
 * result of another chain, nor computed from one. */
bool are_known(const std::vector<chain> &all,
               const SmallPtrSetImpl<Instruction *> &moved, Instruction *place)
{
    for (const chain &c : all) {
        if (!is_known_at(place, c.additions.front()->getOperand(SUM), moved))
            return false;
        for (Instruction *addition : c.additions)
            if (addition == place
                || !is_known_at(place, addition->getOperand(0), moved)
                || !is_known_at(place, addition->getOperand(1), moved))
                return false;
    }
    return true;
}

/* May the sums be loaded and stored later: does nothing else from the first of
 * their loads to the place access them? */
bool may_move_accesses(const std::vector<chain> &all,
                       const SmallPtrSetImpl<Instruction *> &moved,
                       Instruction *place, AAResults &aliases)
{
    const memory_of_sums memory(all);
    bool started = false;
    if (!memory.is_known())
        return false;
    for (Instruction &i : *place->getParent()) {
        if (&i == place)
            break;
        if (moved.count(&i))
            started = true;
        else if (started && memory.is_accessed_by(&i, aliases))
            return false;
    }
    return true;
}

/* The factors that a group has already, and how many of its sums use each; also
 * what they are selected from. */
using factor_uses = DenseMap<const Value *, unsigned>;

/* What a factor's elements are selected from. */
const Value *source_of(const Value *factor)
{
    auto *selected = dyn_cast<ShuffleVectorInst>(factor);
    return selected && isa<UndefValue>(selected->getOperand(1))
               ? source_of(selected->getOperand(0))
               : factor;
}

/* What a sum adds to a group: loads, then factors, then, of those that the
 * group has, how often they are used.  So a group becomes a tile, whose sides
 * share their factors, rather than a row, and the words of a float4 are loaded
 * for one group. */
std::array<unsigned, 3> cost_of(const chain &c, const factor_uses &uses)
{
    enum { LOADS, FACTORS, USES };
    std::array<unsigned, 3> cost = {};
    for (unsigned n = 0; n < SUM; n++) {
        const Value *factor = c.additions.front()->getOperand(n);
        cost[LOADS] += !uses.count(source_of(factor));
        cost[FACTORS] += !uses.count(factor);
        cost[USES] += uses.lookup(factor);
    }
    return cost;
}

/* The chains in an order in which each `group` of them share factors. */
std::vector<chain> by_factors(std::vector<chain> left, unsigned group)
{
    std::vector<chain> all;
    factor_uses uses;
    while (!left.empty()) {
        if (all.size() % group == 0)
            uses.clear();
        const auto best = std::min_element(
            left.begin(), left.end(), [&](const chain &a, const chain &b) {
                return cost_of(a, uses) < cost_of(b, uses);
            });
        for (unsigned n = 0; n < SUM; n++) {
            const Value *factor = best->additions.front()->getOperand(n);
            uses[factor]++;
            if (source_of(factor) != factor)
                uses[source_of(factor)]++;
        }
        all.push_back(std::move(*best));
        left.erase(best);
    }
    return all;
}

/* Move the additions of a group of sums, term by term. */
void move_terms(ArrayRef<chain> group, Instruction *place,
                       reloader &factors)
{
    bool more = true;
    for (size_t term = 0; more; term++) {
        more = false;
        for (const chain &c : group)
            if (term < c.additions.size()) {
                Instruction *addition = c.additions[term];
                for (unsigned n = 0; n < SUM; n++)
                    addition->setOperand(
                        n, factors.reload(addition->getOperand(n)));
                addition->moveBefore(place);
                more = true;
            }
    }
}

/* Order the additions of a block: for `group` sums at a time.  Each group is a
 * block of its own: code is generated block by block, and one block would load
 * each factor once. */
bool order_block(BasicBlock &block, unsigned most, unsigned group,
                        AAResults &aliases)
{
    std::vector<chain> found = find_chains(block);
    if (found.size() <= most)
        return false;
    const std::vector<chain> all = by_factors(std::move(found), group);
    SmallPtrSet<Instruction *, 32> accesses;
    for (const chain &c : all) {
        if (c.first)
            accesses.insert(c.first);
        if (c.last)
            accesses.insert(c.last);
    }
    Instruction *place = find_place(block, all, accesses);
    const bool with_accesses
        = may_move_accesses(all, accesses, place, aliases);
    if (!with_accesses) {
        accesses.clear();
        place = find_place(block, all, accesses);
    }
    if (!are_known(all, accesses, place))
        return false;
    const memory_of_sums memory(all);
    reloader factors(place, with_accesses ? &memory : nullptr, accesses,
                     aliases);
    SmallVector<Instruction *, 8> ends; /* of groups */
    for (size_t begin = 0; begin < all.size(); begin += group) {
        const size_t end = std::min(all.size(), begin + group);
        factors.begin_group();
        for (size_t c = begin; with_accesses && c < end; c++)
            all[c].first->moveBefore(place);
        move_terms({ all.data() + begin, end - begin }, place, factors);
        for (size_t c = begin; with_accesses && c < end; c++)
            all[c].last->moveBefore(place);
        if (end < all.size())
            ends.push_back(place->getPrevNode());
    }
    factors.end();
    for (Instruction *end : ends)
        SplitBlock(end->getParent(), end->getNextNode());
    return true;
}

} // namespace

bool order_sums(Function &gang, unsigned lanes, AAResults &aliases)
{
    /* Of 32 or 16 vector registers, a few hold factors. */
    const unsigned most = lanes == MOST_LANES ? 24 : 12;
    const unsigned group = lanes == MOST_LANES ? 16 : 8;
    bool changed = false;
    for (BasicBlock &block : gang)
        changed |= order_block(block, most, group, aliases);
    return changed;
}

} // namespace vectors
