/* SPDX-License-Identifier: MIT */
/* Warp calls in branches.  Lanes whose masks are equal wait for each other even
 * where the calls are in two branches: a lane that stores, then __syncwarp(),
 * in one; __syncwarp(), then a lane that loads, in the other. */
#include "common/softgpu/vectors/vectors.h"

using namespace llvm;

namespace vectors {

bool is_warp_call(const Function *f)
{
    return must_stay_call(f) && source_name(f).starts_with("softgpu_warp_");
}

/* Does a way lead from one block to the other within the region, within one
 * iteration of its loops, and not by `without` (NULL: by any block)? */
static bool leads_to(const kernel &k, const region &r, const BasicBlock *from,
                     const BasicBlock *to, const BasicBlock *without = nullptr)
{
    if (from == without || !r.blocks.count(const_cast<BasicBlock *>(from)))
        return false;
    SmallPtrSet<const BasicBlock *, 16> seen = { from };
    SmallVector<const BasicBlock *, 16> open = { from };
    while (!open.empty()) {
        const BasicBlock *block = open.pop_back_val();
        if (block == to)
            return true;
        for (const BasicBlock *next : successors(block))
            /* a block that dominates this one begins the next iteration */
            if (next != without
                && r.blocks.count(const_cast<BasicBlock *>(next))
                && !k.dominators.dominates(next, block)
                && seen.insert(next).second)
                open.push_back(next);
    }
    return false;
}

/* Do both masks name some lane?  Masks that are not constants may. */
static bool share_lanes(const CallBase *a, const CallBase *b)
{
    auto *of_a = dyn_cast<ConstantInt>(a->getArgOperand(0));
    auto *of_b = dyn_cast<ConstantInt>(b->getArgOperand(0));
    return !of_a || !of_b || of_a->getValue().intersects(of_b->getValue());
}

/* Is the block a branch where lanes part: some reach `a`, others `b`, before
 * they meet again? */
static bool parts(const kernel &k, const region &r, BasicBlock *block,
                  const BasicBlock *a, const BasicBlock *b)
{
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch || !branch->isConditional()
        || k.shape_of(branch->getCondition()).kind == shape::UNIFORM)
        return false;
    const DomTreeNode *node = k.post_dominators.getNode(block);
    const DomTreeNode *meeting = node ? node->getIDom() : nullptr;
    const BasicBlock *join = meeting ? meeting->getBlock() : nullptr;
    const BasicBlock *one = branch->getSuccessor(0);
    const BasicBlock *other = branch->getSuccessor(1);
    return (leads_to(k, r, one, a, join) && leads_to(k, r, other, b, join))
           || (leads_to(k, r, one, b, join) && leads_to(k, r, other, a, join));
}

static bool lanes_part(const kernel &k, const region &r, const BasicBlock *a,
                       const BasicBlock *b)
{
    return parts(k, r, r.entry, a, b)
           || any_of(r.blocks, [&](BasicBlock *block) {
                  return parts(k, r, block, a, b);
              });
}

/* Such a pair is neither before nor after the other in the region.  In calls
 * one after the other, the lanes of the first wait for no lane of the
 * second.  A condition that is the same for all lanes takes them all to one of
 * the two. */
bool meets_in_two_branches(const kernel &k, const CallBase *call)
{
    const BasicBlock *block = call->getParent();
    const region &r = k.regions[k.region_of.lookup(block) - 1];
    for (const BasicBlock *other : r.blocks)
        for (const Instruction &i : *other) {
            auto *warp_call = dyn_cast<CallBase>(&i);
            const Function *callee
                = warp_call ? warp_call->getCalledFunction() : nullptr;
            if (callee && is_warp_call(callee) && share_lanes(call, warp_call)
                && !leads_to(k, r, block, other)
                && !leads_to(k, r, other, block)
                && lanes_part(k, r, block, other))
                return true;
        }
    return false;
}

} // namespace vectors
