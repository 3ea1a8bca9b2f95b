/* SPDX-License-Identifier: MIT */
/* See pack_loads.h. */
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>
#include <optional>

#include "common/softgpu/vectors/pack_loads.h"
#include "common/softgpu/vectors/vectors.h"

using namespace llvm;

namespace vectors {

namespace {

/* Threads that differ from their neighbor by something else than 16 bytes: so
 * many pieces has a part. */
unsigned count_breaks(const shape &s, unsigned lanes)
{
    unsigned breaks = 0;
    for (unsigned t = 0; t + 1 < lanes; t++)
        breaks += (t + 1) % (lanes / QUAD)
                  && s.offset(t + 1) - s.offset(t) != QUAD * WORD;
    return breaks;
}

/* Is each part of the float4 loads one load, perhaps with repeated words? */
bool is_packable(const kernel &k, const LoadInst *front)
{
    const shape s = k.shape_of(front->getPointerOperand());
    return s.follows_first() && front->getType()->isFloatTy()
           && front->isSimple() && !k.is_masked(front->getParent())
           && all_of(seq((unsigned)QUAD), [&](unsigned part) {
                  const part_span span = span_of(s, part, k.gang.lanes);
                  return span.words == QUAD || span.words == 2 * QUAD
                         || span.words == k.gang.lanes;
              });
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

} // namespace

packable_loads find_packable(kernel &k)
{
    packable_loads all;
    std::map<unsigned, std::vector<quad>> by_breaks;
    for (Instruction &i : instructions(k.function)) {
        auto *front = dyn_cast<LoadInst>(&i);
        if (!front || !k.loops.getLoopDepth(front->getParent())
            || !is_packable(k, front) || all.by_load.count(front))
            continue;
        const std::optional<quad> found = loads_of(k, front);
        if (!found)
            continue;
        by_breaks[count_breaks(k.shape_of(front->getPointerOperand()),
                               k.gang.lanes)]
            .push_back(*found);
        for (Value *load : *found)
            all.by_load[load] = *found;
    }
    for (const auto &of : by_breaks)
        all.loads.insert(all.loads.end(), of.second.begin(), of.second.end());
    return all;
}

} // namespace vectors
