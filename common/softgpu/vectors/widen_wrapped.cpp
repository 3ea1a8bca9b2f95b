/* SPDX-License-Identifier: MIT */
/* Accesses by an index that may wrap.  threadIdx is unsigned in CUDA, so is the
 * index of a[row * n + threadIdx.x]: from one thread to the next it rises by 1,
 * or falls from 2^32 - 1 to 0.  A row whose index does not wrap accesses
 * neighboring elements; the other way is a gather or a scatter. */
#include <llvm/IR/MDBuilder.h>

#include "common/softgpu/vectors/widener.h"

using namespace llvm;

namespace vectors {

/* The extension of an AFFINE index, of which shapes.cpp could not prove that no
 * value wraps; else NULL. */
static const CastInst *wrapping_index(const kernel &k, const Value *index)
{
    auto *cast = dyn_cast<CastInst>(index);
    if (!cast || !(isa<ZExtInst>(cast) || isa<SExtInst>(cast)))
        return nullptr;
    const shape from = k.shape_of(cast->getOperand(0));
    const unsigned bits = cast->getSrcTy()->getIntegerBitWidth();
    return k.shape_of(cast).kind == shape::VARYING
                   && from.kind == shape::AFFINE && bits >= 16
                   && std::abs(from.stride) < INT16_MAX / k.gang.lanes
               ? cast
               : nullptr;
}

/* Can get() read the value here? */
bool widener::is_available(Value *value) const
{
    return !isa<Instruction>(value) || known.count(value)
           || value_slots.count(value)
           || (!k.phases.empty() && thread_component(value) >= 0);
}

/* The address, if the lanes access neighboring elements unless an index wraps;
 * else NULL. */
GetElementPtrInst *widener::neighbors_unless_wrapped(Value *pointer,
                                                     Type *type) const
{
    auto *address = dyn_cast<GetElementPtrInst>(pointer);
    MapVector<Value *, APInt> variables;
    const unsigned bits = data.getIndexTypeSizeInBits(pointer->getType());
    APInt constant(bits, 0);
    if (!address || k.shape_of(address).kind != shape::VARYING
        || k.interleaved.count(address)
        || !address->collectOffset(data, bits, variables, constant))
        return nullptr;
    const shape base = k.shape_of(address->getPointerOperand());
    int64_t stride = base.stride;
    bool fits = base.kind <= shape::AFFINE
                && is_available(address->getPointerOperand());
    for (auto &variable : variables) {
        const CastInst *cast = wrapping_index(k, variable.first);
        Value *index = cast ? cast->getOperand(0) : variable.first;
        const shape of_index = k.shape_of(index);
        fits = fits && of_index.kind <= shape::AFFINE && is_available(index)
               && (cast || of_index.no_signed_wrap || of_index.is_scalar()
                   || index->getType()->getIntegerBitWidth() == bits);
        stride += of_index.stride * variable.second.getSExtValue();
    }
    return fits && stride == (int64_t)data.getTypeStoreSize(type)
                   && data.getTypeStoreSizeInBits(type)
                          == data.getTypeSizeInBits(type)
               ? address
               : nullptr;
}

/* One index of an address, for the first thread of a row. */
Value *widener::first_index(Value *index, unsigned row)
{
    if (const CastInst *cast = wrapping_index(k, index))
        return b.CreateCast(cast->getOpcode(),
                            scalar(cast->getOperand(0), row),
                            b.getInt64Ty());
    return b.CreateSExtOrTrunc(scalar(index, row), b.getInt64Ty());
}

/* Does the index wrap within the row? */
Value *widener::wraps(const CastInst *cast, unsigned row)
{
    Value *index = scalar(cast->getOperand(0), row);
    const int64_t stride = k.shape_of(cast->getOperand(0)).stride;
    const unsigned bits = index->getType()->getIntegerBitWidth();
    const APInt reach(bits, (uint64_t)(std::abs(stride) * (lanes - 1)));
    const bool is_signed = isa<SExtInst>(cast);
    if (stride > 0) {
        const APInt most = is_signed ? APInt::getSignedMaxValue(bits)
                                     : APInt::getMaxValue(bits);
        return b.CreateICmp(is_signed ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT,
                            index, b.getInt(most - reach));
    }
    const APInt least = is_signed ? APInt::getSignedMinValue(bits)
                                  : APInt::getMinValue(bits);
    return b.CreateICmp(is_signed ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT,
                        index, b.getInt(least + reach));
}

/* Does an index of the address wrap within any row of the gang? */
Value *widener::any_wraps(GetElementPtrInst *address)
{
    MapVector<Value *, APInt> variables;
    const unsigned bits = data.getIndexTypeSizeInBits(address->getType());
    APInt constant(bits, 0);
    address->collectOffset(data, bits, variables, constant);
    Value *result = b.getFalse();
    for (auto &variable : variables)
        if (const CastInst *cast = wrapping_index(k, variable.first))
            for (unsigned r = 0; r < row_count; r++)
                result = b.CreateOr(result, wraps(cast, r));
    return result;
}

/* An access by such an address, for wrapped and for contiguous lanes. */
rows widener::emit_wrapped_or_contiguous(
    GetElementPtrInst *address,
    function_ref<Value *(Value *, unsigned)> neighbors,
    function_ref<Value *(unsigned)> separate)
{
    enum { WRAPPED, IN_ORDER, BRANCHES };
    const rows firsts = emit_address(address);
    BasicBlock *branches[BRANCHES] = { new_block("wrapped"),
                                        new_block("in_order") };
    BasicBlock *const after = new_block("accessed");
    rows values[BRANCHES], result;
    b.CreateCondBr(any_wraps(address), branches[WRAPPED], branches[IN_ORDER],
                   MDBuilder(context).createUnlikelyBranchWeights());
    const DenseMap<Value *, rows> known_before = known;
    for (unsigned branch = 0; branch < BRANCHES; branch++) {
        b.SetInsertPoint(branches[branch]);
        for (unsigned r = 0; r < row_count; r++)
            values[branch].push_back(branch == IN_ORDER
                                         ? neighbors(firsts[r], r)
                                         : separate(r));
        branches[branch] = b.GetInsertBlock();
        b.CreateBr(after);
        known = known_before; /* what one branch has read, the other has not */
    }
    b.SetInsertPoint(after);
    for (unsigned r = 0; r < row_count; r++) {
        Type *type = values[WRAPPED][r]->getType();
        if (type->isVoidTy())
            continue;
        PHINode *value = b.CreatePHI(type, BRANCHES);
        for (unsigned branch = 0; branch < BRANCHES; branch++)
            value->addIncoming(values[branch][r], branches[branch]);
        result.push_back(value);
    }
    return result;
}

} // namespace vectors
