/* SPDX-License-Identifier: MIT */
/* Loads whose lanes' addresses differ by constants: s[threadIdx.x / 4].  One or
 * two vector loads of the neighboring elements that they span, and a shuffle,
 * are faster than a gather.  Loads that follow each other, as of the members of
 * a float4, share them.  No byte is loaded but from the first to the last that
 * threads access. */
#include "common/softgpu/vectors/widener.h"

using namespace llvm;

namespace vectors {

enum { MOST_VECTORS = 4 }; /* of a span */

/* Are the lanes' offsets known, in whole elements? */
static bool has_known_offsets(const kernel &k, const LoadInst *i,
                              const DataLayout &data)
{
    const shape s = k.shape_of(i->getPointerOperand());
    Type *type = i->getType();
    const int64_t size = (int64_t)data.getTypeStoreSize(type);
    if (!s.follows_first() || size * 8 != (int64_t)data.getTypeSizeInBits(type))
        return false;
    for (unsigned lane = 0; lane < k.gang.lanes; lane++)
        if (s.offset(lane) % size)
            return false;
    return true;
}

/* The load's place in the span of `first`, if it is in it. */
static bool is_in_span(const LoadInst *first, const LoadInst *i,
                       const DataLayout &data, const kernel &k, int64_t &at)
{
    APInt from(64, 0), to(64, 0);
    const Value *a = first->getPointerOperand(), *b = i->getPointerOperand();
    const Value *base = a->stripAndAccumulateConstantOffsets(data, from, true);
    at = 0;
    if (a == b)
        return i->getType() == first->getType();
    if (base != b->stripAndAccumulateConstantOffsets(data, to, true)
        || i->getType() != first->getType() || !has_known_offsets(k, i, data))
        return false;
    at = (to - from).getSExtValue();
    return at % (int64_t)data.getTypeStoreSize(i->getType()) == 0;
}

/* The span of the load and of those after it in the block, up to a store. */
widener::span *widener::span_of(LoadInst *i)
{
    auto found = spans_of_loads.find(i);
    if (found != spans_of_loads.end())
        return found->second.first;
    if (!has_known_offsets(k, i, data))
        return nullptr;
    const shape s = k.shape_of(i->getPointerOperand());
    const int64_t size = (int64_t)data.getTypeStoreSize(i->getType());
    const int64_t most = size * lanes * MOST_VECTORS;
    int64_t least = 0, largest = 0, at;
    for (unsigned lane = 0; lane < lanes; lane++) {
        least = std::min(least, s.offset(lane));
        largest = std::max(largest, s.offset(lane));
    }
    if (largest + size - least > most)
        return nullptr;
    spans.push_back({ least, largest + size, {} });
    span &own = spans.back();
    for (Instruction *next = i; next && !next->mayWriteToMemory();
         next = next->getNextNode()) {
        auto *load = dyn_cast<LoadInst>(next);
        if (!load || !is_in_span(i, load, data, k, at))
            continue;
        const int64_t begin = std::min(own.begin, at + least);
        const int64_t end = std::max(own.end, at + largest + size);
        if (end - begin > most)
            continue;
        own.begin = begin;
        own.end = end;
        spans_of_loads[load] = { &own, at };
    }
    return &own;
}

/* Elements of neighboring vectors, by their numbers.  Each shuffle takes two
 * vectors, so of four the halves are selected first. */
Value *widener::select_elements(ArrayRef<Value *> from, ArrayRef<int> selected)
{
    if (from.size() <= 2)
        return b.CreateShuffleVector(from[0], from.back(), selected);
    const unsigned half = (unsigned)PowerOf2Ceil(from.size()) / 2;
    const int middle = (int)(half * lanes);
    SmallVector<int, MOST_LANES> low, high, both;
    for (unsigned lane = 0; lane < lanes; lane++) {
        const bool is_low = selected[lane] < middle;
        low.push_back(is_low ? selected[lane] : PoisonMaskElem);
        high.push_back(is_low ? PoisonMaskElem : selected[lane] - middle);
        both.push_back((int)(is_low ? lane : lane + lanes));
    }
    Value *const lower = select_elements(from.take_front(half), low);
    Value *const upper = select_elements(from.drop_front(half), high);
    return b.CreateShuffleVector(lower, upper, both);
}

/* A load from a span. */
Value *widener::load_spanned(LoadInst *i, unsigned row)
{
    span *own = mask.empty() ? span_of(i) : nullptr;
    if (!own)
        return nullptr;
    Type *type = i->getType();
    auto *wide = FixedVectorType::get(type, lanes);
    const int64_t size = (int64_t)data.getTypeStoreSize(type);
    const int64_t place = spans_of_loads[i].second;
    own->elements.resize(row_count);
    rows &elements = own->elements[row];
    for (int64_t at = own->begin;
         at < own->end && (int64_t)elements.size() * size * lanes
                              < own->end - own->begin;
         at += size * lanes) {
        Value *address = b.CreateConstGEP1_64(
            b.getInt8Ty(), scalar(i->getPointerOperand(), row),
            (uint64_t)(at - place));
        const int64_t left = (own->end - at) / size;
        SmallVector<Constant *, MOST_LANES> exist;
        for (unsigned lane = 0; lane < lanes; lane++)
            exist.push_back(b.getInt1(lane < left));
        elements.push_back(
            left >= lanes ? (Value *)b.CreateAlignedLoad(wide, address,
                                                         Align((uint64_t)size))
                          : b.CreateMaskedLoad(wide, address,
                                               Align((uint64_t)size),
                                               ConstantVector::get(exist)));
    }
    const shape s = k.shape_of(i->getPointerOperand());
    SmallVector<int, MOST_LANES> selected;
    for (unsigned lane = 0; lane < lanes; lane++)
        selected.push_back(
            (int)((place + s.offset(lane) - own->begin) / size));
    return select_elements(elements, selected);
}

} // namespace vectors
