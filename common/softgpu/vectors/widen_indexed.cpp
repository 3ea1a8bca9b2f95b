/* SPDX-License-Identifier: MIT */
/* Addresses whose index is a number of 32 bits, as in x[i] with an unsigned i.
 * Whether float4 are aligned, and which are neighbors, follows
 * from the indices, which are half as many vectors as the addresses; and an
 * instruction of the processor adds an index to its base. */
#include "common/softgpu/vectors/quads.h"
#include "common/softgpu/vectors/widener.h"

using namespace llvm;

namespace vectors {

std::optional<indexed> widener::index_of(Value *pointer) const
{
    auto *address = dyn_cast<GetElementPtrInst>(pointer);
    if (!address || address->getNumIndices() != 1
        || k.interleaved.count(address)
        || data.getTypeAllocSize(address->getSourceElementType()) != WORD)
        return std::nullopt;
    auto *wide = dyn_cast<ZExtInst>(address->getOperand(1));
    Value *base = address->getPointerOperand();
    Value *index = wide ? wide->getOperand(0) : nullptr;
    if (!index || !index->getType()->isIntegerTy(32)
        || k.shape_of(index).kind != shape::VARYING
        || !k.shape_of(base).is_scalar() || !is_available(index)
        || !is_available(base))
        return std::nullopt;
    return indexed{ base, index };
}

Value *low_bits(IRBuilderBase &b, Value *base, Value *index)
{
    auto *type = cast<FixedVectorType>(index->getType());
    Value *bits = b.CreateTrunc(b.CreatePtrToInt(base, b.getInt64Ty()),
                                b.getInt32Ty());
    return b.CreateAdd(b.CreateVectorSplat(type->getNumElements(), bits),
                       b.CreateMul(index, ConstantInt::get(type, WORD)));
}

/* The last index of a run is no less than its first one: it does not wrap. */
Value *are_indexed_runs(IRBuilderBase &b, Value *index, unsigned run)
{
    const unsigned lanes
        = cast<FixedVectorType>(index->getType())->getNumElements();
    SmallVector<int, MOST_LANES> firsts;
    SmallVector<Constant *, MOST_LANES> offsets;
    for (unsigned lane = 0; lane < lanes; lane++) {
        firsts.push_back((int)(lane / run * run));
        offsets.push_back(b.getInt32(lane % run * QUAD));
    }
    Value *const distances = ConstantVector::get(offsets);
    return b.CreateAnd(
        b.CreateICmpEQ(
            b.CreateSub(index, b.CreateShuffleVector(index, firsts)),
            distances),
        b.CreateICmpUGE(index, distances));
}

rows widener::indexed_addresses(const indexed &x, unsigned row, unsigned run,
                                int64_t begin)
{
    Value *const base = b.CreateConstGEP1_64(
        b.getInt8Ty(), scalar(x.base, row), (uint64_t)begin);
    rows result = lane_values(vector(x.index, row), run);
    for (Value *&value : result)
        value = b.CreateGEP(b.getInt32Ty(), base,
                            b.CreateZExt(value, b.getInt64Ty()));
    return result;
}

} // namespace vectors
