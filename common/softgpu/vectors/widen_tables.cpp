/* SPDX-License-Identifier: MIT */
/* Loads whose addresses come from a table.  That of the next thread is the next
 * one most often: then one vector load is many times faster than a gather, and
 * to look costs a sixth of one.  Where the index is a sum of what a thread has
 * from the table and what its row shares, only the first is looked at: it stays
 * the same in the loads of a tile, and the compiler looks once. */
#include <llvm/IR/PatternMatch.h>

#include "common/softgpu/vectors/widener.h"

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

/* Which values of a row follow the first one, `step` by `step`? */
static Value *are_neighbors(IRBuilderBase &b, Value *values, uint64_t step)
{
    auto *type = cast<FixedVectorType>(values->getType());
    SmallVector<Constant *, MOST_LANES> offsets;
    for (unsigned lane = 0; lane < type->getNumElements(); lane++)
        offsets.push_back(
            ConstantInt::get(type->getElementType(), lane * step));
    Value *first = b.CreateVectorSplat(
        type->getNumElements(), b.CreateExtractElement(values, (uint64_t)0));
    return b.CreateICmpEQ(values,
                          b.CreateAdd(first, ConstantVector::get(offsets)));
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

Value *widener::load_by_table(LoadInst *i, unsigned row,
                              function_ref<Value *()> separate)
{
    auto *wide = FixedVectorType::get(i->getType(), lanes);
    const by_index parts = parts_of(k, i->getPointerOperand());
    const bool has_parts = parts.base && is_available(parts.own)
                           && is_available(parts.base)
                           && (!parts.common || is_available(parts.common));
    Value *near, *from;
    if (has_parts) {
        Value *own = vector(parts.own, row);
        Value *first = b.CreateExtractElement(own, (uint64_t)0);
        if (parts.common)
            first = b.CreateAdd(first, scalar(parts.common, row));
        Value *follow = are_neighbors(b, own, 1);
        near = b.CreateAnd(
            b.CreateICmpEQ(b.CreateBitCast(follow, b.getIntNTy(lanes)),
                           Constant::getAllOnesValue(b.getIntNTy(lanes))),
            is_in_range(b, first, isa<SExtInst>(parts.extended), lanes));
        from = b.CreateGEP(i->getType(), scalar(parts.base, row),
                           b.CreateCast(parts.extended->getOpcode(), first,
                                        b.getInt64Ty()));
    } else {
        Value *pointers = vector(i->getPointerOperand(), row);
        near = are_neighbors(
            b,
            b.CreatePtrToInt(pointers,
                             FixedVectorType::get(b.getInt64Ty(), lanes)),
            WORD);
        from = b.CreateExtractElement(pointers, (uint64_t)0);
    }
    return emit_if_all(
        row, near,
        [&] { return rows{ b.CreateAlignedLoad(wide, from, i->getAlign()) }; },
        [&] { return rows{ separate() }; })[0];
}

} // namespace vectors
