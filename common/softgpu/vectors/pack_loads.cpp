/* SPDX-License-Identifier: MIT */
/* See pack_loads.h. */
#include <llvm/ADT/MapVector.h>
#include <llvm/IR/InstIterator.h>

#include <map>
#include <optional>

#include "common/softgpu/vectors/pack_loads.h"
#include "common/softgpu/vectors/vectors.h"

using namespace llvm;

namespace vectors {

namespace {

/* May it be the first word of a float4 that stays in the order of memory? */
bool is_candidate(const kernel &k, const LoadInst *front)
{
    return k.shape_of(front->getPointerOperand()).follows_first()
           && front->getType()->isFloatTy() && front->isSimple()
           && k.loops.getLoopDepth(front->getParent())
           && !k.is_masked(front->getParent());
}

/* Four loads of neighboring words, from one on, up to a store. */
std::optional<quad> loads_of(const kernel &k, LoadInst *front)
{
    const DataLayout &data = k.function->getParent()->getDataLayout();
    quad found = {};
    int64_t at;
    unsigned count = 0;
    for (Instruction *i = front; i && !i->mayWriteToMemory();
         i = i->getNextNode()) {
        auto *load = dyn_cast<LoadInst>(i);
        if (load && load->getType() == front->getType() && load->isSimple()
            && is_same_base(front->getPointerOperand(),
                            load->getPointerOperand(), data, at)
            && at == (int64_t)count * WORD)
            found[count++] = load;
        if (count == QUAD)
            return found;
    }
    return {};
}

/* By block: the float4 that are loaded there. */
MapVector<BasicBlock *, std::vector<quad>> find_quads(const kernel &k)
{
    MapVector<BasicBlock *, std::vector<quad>> all;
    SmallPtrSet<const Value *, 32> loads;
    for (Instruction &i : instructions(k.function)) {
        auto *front = dyn_cast<LoadInst>(&i);
        if (!front || !is_candidate(k, front) || loads.count(front))
            continue;
        const std::optional<quad> found = loads_of(k, front);
        if (!found)
            continue;
        all[front->getParent()].push_back(*found);
        loads.insert(found->begin(), found->end());
    }
    return all;
}

} // namespace

packable_loads find_packable(kernel &k)
{
    packable_loads all;
    std::map<unsigned, std::vector<packable>> by_breaks;
    for (const auto &[block, quads] : find_quads(k)) {
        const unsigned order = choose_order(k, quads);
        for (const quad &words : quads) {
            const shape s = in_order(
                k, cast<LoadInst>(words[0])->getPointerOperand(), order);
            if (!has_packed_spans(s, k.gang.lanes))
                continue;
            by_breaks[count_breaks(s, k.gang.lanes)].push_back(
                { words, order });
            for (Value *load : words)
                all.by_load[load] = { words, order };
        }
    }
    for (const auto &of : by_breaks)
        all.loads.insert(all.loads.end(), of.second.begin(), of.second.end());
    return all;
}

} // namespace vectors
