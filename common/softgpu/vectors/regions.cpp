/* SPDX-License-Identifier: MIT */
/* Masked regions: where threads of a gang take different branches, all blocks
 * up to the point where they meet again are executed one after the other. */
#include <llvm/ADT/PostOrderIterator.h>

#include "common/softgpu/vectors/vectors.h"

using namespace llvm;

namespace vectors {

static BasicBlock *immediate_post_dominator(const kernel &k, BasicBlock *block)
{
    const DomTreeNode *node = k.post_dominators.getNode(block);
    return node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
}

/* All blocks that can be reached from `from` without passing r.exit. */
static void add_reachable(region &r, BasicBlock *from)
{
    SmallVector<BasicBlock *, 16> open = { from };
    while (!open.empty()) {
        BasicBlock *block = open.pop_back_val();
        if (block == r.exit || !r.blocks.insert(block))
            continue;
        for (BasicBlock *next : successors(block))
            open.push_back(next);
    }
}

/* The region that contains a whole loop, which some threads leave before
 * others. */
static bool enclose_loop(const kernel &k, region &r)
{
    Loop *loop = k.loops.getLoopFor(r.entry);
    while (loop && loop->getParentLoop()
           && !loop->getParentLoop()->contains(r.exit))
        loop = loop->getParentLoop();
    if (!loop || loop->contains(r.exit) || !loop->getLoopPreheader())
        return false;
    r.entry = loop->getLoopPreheader();
    r.blocks.clear();
    add_reachable(r, loop->getHeader());
    return true;
}

static bool has_one_entry(const region &r)
{
    for (BasicBlock *block : r.blocks)
        for (BasicBlock *before : predecessors(block))
            if (before != r.entry && !r.blocks.count(before))
                return false;
    return true;
}

static bool make_region(kernel &k, BasicBlock *branch)
{
    region r = { branch, immediate_post_dominator(k, branch), {} };
    if (!r.exit)
        return false;
    for (BasicBlock *next : successors(branch))
        add_reachable(r, next);
    while (r.blocks.count(r.entry))
        if (!enclose_loop(k, r))
            return false;
    if (!has_one_entry(r))
        return false;
    /* A region inside the new one is a part of it. */
    erase_if(k.regions,
             [&](const region &old) { return r.blocks.count(old.entry); });
    for (const region &old : k.regions)
        for (BasicBlock *block : old.blocks)
            if (r.blocks.count(block))
                return false;
    k.regions.push_back(r);
    return true;
}

static void number_regions(kernel &k)
{
    k.region_of.clear();
    for (unsigned i = 0; i < k.regions.size(); i++)
        for (BasicBlock *block : k.regions[i].blocks)
            k.region_of[block] = i + 1;
}

/* A branch on which threads diverge, outside all regions; NULL: none. */
static BasicBlock *find_divergent_branch(
    const kernel &k, const ReversePostOrderTraversal<Function *> &order)
{
    for (BasicBlock *block : order) {
        auto *branch = dyn_cast<BranchInst>(block->getTerminator());
        if (!k.is_masked(block) && branch && branch->isConditional()
            && k.shape_of(branch->getCondition()).kind != shape::UNIFORM
            && !k.region_at(block))
            return block;
    }
    return nullptr;
}

void find_regions(kernel &k)
{
    const ReversePostOrderTraversal<Function *> order(k.function);
    compute_shapes(k);
    while (BasicBlock *block = find_divergent_branch(k, order)) {
        if (!make_region(k, block))
            return k.refuse("its branches are not structured");
        number_regions(k);
        update_shapes(k, k.regions.back());
    }
}

} // namespace vectors
