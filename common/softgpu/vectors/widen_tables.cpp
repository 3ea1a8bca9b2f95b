/* SPDX-License-Identifier: MIT */
/* Loads whose addresses come from a table.  That of the next thread is the next
 * one most often: then one vector load is many times faster than a gather, and
 * to look costs a sixth of one.  An index is looked at more closely: most rows
 * load from two windows.  Where it is a sum of what a thread has from the table
 * and what its row shares, only the first is looked at: it stays the same in
 * the loads of a tile, and the compiler looks once. */
#include <llvm/IR/PatternMatch.h>

#include "common/softgpu/vectors/widener.h"
#include "common/softgpu/vectors/windows.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace vectors {

namespace {

/* An address: base + WORD * extended(own + common), where the lanes differ in
 * nothing but `own`. */
struct by_index {
    Value *base = nullptr, *own = nullptr;
    Value *common = nullptr; /* NULL: none */
    CastInst *extended = nullptr;
};

/* The parts of an address; NULL as its base: it has others, too. */
by_index parts_of(const kernel &k, Value *pointer)
{
    auto *address = dyn_cast<GetElementPtrInst>(pointer);
    by_index parts, none;
    if (!address || address->getNumIndices() != 1
        || !k.shape_of(address->getPointerOperand()).is_scalar()
        || address->getSourceElementType()->getPrimitiveSizeInBits()
               != 8 * WORD)
        return none;
    parts.extended = dyn_cast<CastInst>(address->idx_begin()->get());
    if (!parts.extended || !parts.extended->getType()->isIntegerTy(64)
        || !(isa<ZExtInst>(parts.extended) || isa<SExtInst>(parts.extended)))
        return none;
    parts.own = parts.extended->getOperand(0);
    Value *one, *other;
    if (match(parts.own, m_Add(m_Value(one), m_Value(other)))) {
        if (k.shape_of(one).is_scalar())
            std::swap(one, other);
        if (k.shape_of(other).is_scalar()) {
            parts.own = one;
            parts.common = other;
        }
    }
    parts.base = address->getPointerOperand();
    return parts;
}

} // namespace

/* Do the values of a row follow the first one, `step` by `step`? */
static Value *are_neighbors(IRBuilderBase &b, Value *values, uint64_t step)
{
    auto *type = cast<FixedVectorType>(values->getType());
    const unsigned lanes = type->getNumElements();
    SmallVector<Constant *, MOST_LANES> offsets;
    for (unsigned lane = 0; lane < lanes; lane++)
        offsets.push_back(
            ConstantInt::get(type->getElementType(), lane * step));
    Value *first = b.CreateVectorSplat(
        lanes, b.CreateExtractElement(values, (uint64_t)0));
    Value *follow = b.CreateICmpEQ(
        values, b.CreateAdd(first, ConstantVector::get(offsets)));
    return b.CreateICmpEQ(b.CreateBitCast(follow, b.getIntNTy(lanes)),
                          Constant::getAllOnesValue(b.getIntNTy(lanes)));
}

/* Does no index of the row wrap, from the first one on? */
static Value *is_in_range(IRBuilderBase &b, Value *first, bool is_signed,
                          unsigned lanes)
{
    const unsigned bits = first->getType()->getIntegerBitWidth();
    const APInt most = is_signed ? APInt::getSignedMaxValue(bits)
                                 : APInt::getMaxValue(bits);
    return b.CreateICmp(is_signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE,
                        first, b.getInt(most - (lanes - 1)));
}

/* How the words of a row can be loaded together. */
struct joined_load {
    Value *possible;
    windows in; /* without places: in one window */
    SmallVector<Value *, WINDOWS> from;
};

/* From two windows.
 * @param own, base, common  the values of parts; common may be NULL */
static joined_load from_windows(IRBuilderBase &b, const by_index &parts,
                             Type *type, Value *own, Value *base,
                             Value *common)
{
    const unsigned lanes
        = cast<FixedVectorType>(own->getType())->getNumElements();
    joined_load t;
    t.in = common ? windows_of_any(b, own) : windows_of_halves(b, own);
    t.possible = t.in.possible;
    for (Value *first : t.in.first) {
        Value *at = common ? b.CreateAdd(first, common) : first;
        t.possible = b.CreateAnd(
            t.possible,
            is_in_range(b, at, isa<SExtInst>(parts.extended), lanes));
        t.from.push_back(b.CreateGEP(
            type, base,
            b.CreateCast(parts.extended->getOpcode(), at, b.getInt64Ty())));
    }
    return t;
}

/* From neighboring addresses. */
static joined_load from_neighbors(IRBuilderBase &b, Value *pointers)
{
    const unsigned lanes
        = cast<FixedVectorType>(pointers->getType())->getNumElements();
    Value *addresses = b.CreatePtrToInt(
        pointers, FixedVectorType::get(b.getInt64Ty(), lanes));
    return { are_neighbors(b, addresses, WORD),
             {},
             { b.CreateExtractElement(pointers, (uint64_t)0) } };
}

/* Are windows found by the parts of the address? */
static bool has_windows(const by_index &parts, const Function *f,
                        unsigned lanes)
{
    return parts.base && parts.own->getType()->isIntegerTy(8 * WORD)
           && has_permute(f, lanes);
}

Value *widener::load_by_table(LoadInst *i, unsigned row,
                              function_ref<Value *()> separate)
{
    auto *wide = FixedVectorType::get(i->getType(), lanes);
    const by_index parts = parts_of(k, i->getPointerOperand());
    const bool by_parts
        = has_windows(parts, f, lanes) && is_available(parts.own)
          && is_available(parts.base)
          && (!parts.common || is_available(parts.common));
    const joined_load t
        = by_parts
              ? from_windows(b, parts, i->getType(), vector(parts.own, row),
                             scalar(parts.base, row),
                             parts.common ? scalar(parts.common, row)
                                          : nullptr)
              : from_neighbors(b, vector(i->getPointerOperand(), row));
    auto load = [&]() -> rows {
        if (!t.in.places)
            return { b.CreateAlignedLoad(wide, t.from[0], i->getAlign()) };
        Value *words[WINDOWS];
        for (unsigned n = 0; n < WINDOWS; n++)
            words[n] = b.CreateMaskedLoad(wide, t.from[n], i->getAlign(),
                                          t.in.mask[n],
                                          Constant::getNullValue(wide));
        return { select_words(b, words, t.in.places) };
    };
    return emit_if_all(row, t.possible, load,
                       [&] { return rows{ separate() }; })[0];
}

} // namespace vectors
