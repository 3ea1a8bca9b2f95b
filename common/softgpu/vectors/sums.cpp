/* SPDX-License-Identifier: MIT */
/* Where the sums of a block are in memory, and from where their factors are
 * loaded. */
#include "common/softgpu/vectors/sums.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace vectors {

namespace {

/* The bytes that an access touches, if their number is known. */
struct bytes {
    const Value *base;
    int64_t begin, end;
};

bytes bytes_of(Instruction *access)
{
    const DataLayout &data = access->getModule()->getDataLayout();
    const Value *pointer = getLoadStorePointerOperand(access);
    if (!pointer)
        return { nullptr, 0, 0 };
    APInt at(data.getIndexTypeSizeInBits(pointer->getType()), 0);
    const Value *base
        = pointer->stripAndAccumulateConstantOffsets(data, at, true);
    const int64_t begin = at.getSExtValue();
    const uint64_t size = data.getTypeStoreSize(getLoadStoreType(access));
    return { base, begin, begin + (int64_t)size };
}

} // namespace

memory_of_sums::memory_of_sums(const std::vector<chain> &all)
{
    for (const chain &c : all) {
        const bytes from = c.first && c.last ? bytes_of(c.first) : bytes(),
                    to = c.first && c.last ? bytes_of(c.last) : bytes();
        if (!base)
            base = from.base;
        if (!from.base || from.base != base || to.base != base
            || from.begin != to.begin
            || !places.insert({ from.begin, from.end }).second) {
            base = nullptr;
            return;
        }
    }
    auto *object = dyn_cast_or_null<AllocaInst>(
        base ? getUnderlyingObject(base) : nullptr);
    is_frame = object && object->hasMetadata(frames_mark);
}

bool memory_of_sums::is_accessed_by(Instruction *i, AAResults &aliases) const
{
    if (!i->mayReadOrWriteMemory())
        return false;
    const bytes own = bytes_of(i);
    if (own.base != base)
        return !is_frame
               && isModOrRefSet(aliases.getModRefInfo(
                   i, MemoryLocation::getBeforeOrAfter(base)));
    return any_of(places, [&](const std::pair<const int64_t, int64_t> &sum) {
        return own.begin < sum.second && sum.first < own.end;
    });
}

reloader::reloader(Instruction *p, const memory_of_sums *s,
                   const SmallPtrSetImpl<Instruction *> &moved, AAResults &a)
    : place(p), sums(s), aliases(a)
{
    for (Instruction &i : *place->getParent()) {
        if (&i == place)
            break;
        auto *call = dyn_cast<IntrinsicInst>(&i);
        if (i.mayWriteToMemory() && !moved.count(&i)
            && !(call && call->getIntrinsicID() == Intrinsic::prefetch))
            writer = &i;
    }
}

enum { MANY = 100 };

/* Does nothing write to the memory until the sums have been computed? */
bool reloader::may_load_later(LoadInst *load) const
{
    return load->isSimple() && (!writer || writer->comesBefore(load))
           && (!sums || !sums->is_accessed_by(load, aliases));
}

/* Of how many loads it is made, by selecting elements; MANY: it is not. */
unsigned reloader::count_loads(Value *of, unsigned depth) const
{
    enum { DEEPEST = 6 };
    auto *i = dyn_cast<Instruction>(of);
    if (!i)
        return isa<Constant>(of) ? 0 : MANY;
    if (i->getParent() != place->getParent() || depth == DEEPEST)
        return MANY;
    if (auto *load = dyn_cast<LoadInst>(i))
        return may_load_later(load) ? 1 : MANY;
    if (!isa<ShuffleVectorInst>(i) && !isa<InsertElementInst>(i)
        && !isa<SelectInst>(i))
        return MANY;
    unsigned loads = 0;
    for (Value *operand : i->operands())
        loads += count_loads(operand, depth + 1);
    return loads;
}

Value *reloader::copy(Value *of)
{
    auto *i = dyn_cast<Instruction>(of);
    if (!i)
        return of;
    if (Value *known = reloaded.lookup(of))
        return known;
    Instruction *own = i->clone();
    if (!isa<LoadInst>(i))
        for (Use &operand : own->operands())
            operand = copy(operand);
    own->insertBefore(place);
    originals.insert(i);
    return reloaded[of] = own;
}

/* The factor, loaded at the place, or as it is: more than two loads cost more
 * than one of the factor that was stored. */
Value *reloader::reload(Value *factor)
{
    enum { FEW_LOADS = 2 };
    return count_loads(factor, 0) <= FEW_LOADS ? copy(factor) : factor;
}

void reloader::end()
{
    for (bool changed = true; changed;) {
        changed = false;
        for (Instruction *i : originals.takeVector())
            if (i->use_empty()) {
                i->eraseFromParent();
                changed = true;
            } else {
                originals.insert(i);
            }
    }
}

} // namespace vectors
