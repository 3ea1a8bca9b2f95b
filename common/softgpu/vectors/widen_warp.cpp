/* SPDX-License-Identifier: MIT */
/* Warp functions of a gang, which is one warp: votes, shuffles, gathered
 * values. */
#include <llvm/IR/IntrinsicsX86.h>

#include "common/softgpu/vectors/widener.h"
#include "common/softgpu/vectors/windows.h"

using namespace llvm;

namespace vectors {

/* The bits of a predicate, by lane of the warp. */
Value *widener::ballot(Value *predicate)
{
    Value *bits = b.getInt32(0);
    for (unsigned r = 0; r < row_count; r++) {
        Value *holds = b.CreateICmpNE(
            vector(predicate, r),
            Constant::getNullValue(
                FixedVectorType::get(predicate->getType(), lanes)));
        if (!mask.empty())
            holds = b.CreateLogicalAnd(mask[r], holds);
        Value *row = b.CreateZExt(b.CreateBitCast(holds, b.getIntNTy(lanes)),
                                  b.getInt32Ty());
        bits = b.CreateOr(bits, b.CreateShl(row, r * lanes));
    }
    return bits;
}

/* The lanes of `of` that the mask of a call names, for the threads of each row:
 * one number where they name the same lanes, else a vector. */
rows widener::named_lanes(Value *named, Value *of)
{
    const shape s = k.shape_of(named);
    rows result;
    for (unsigned r = 0; r < (s.kind == shape::UNIFORM ? 1 : row_count); r++)
        result.push_back(
            s.is_scalar()
                ? b.CreateAnd(of, scalar(named, r))
                : b.CreateAnd(b.CreateVectorSplat(lanes, of),
                              vector(named, r)));
    return result;
}

/* Does the mask leave the lane of an active thread out? */
Value *widener::leaves_out(Value *named)
{
    auto *word = FixedVectorType::get(b.getInt32Ty(), lanes);
    if (k.shape_of(named).kind == shape::UNIFORM)
        return b.CreateIsNotNull(b.CreateAnd(
            ballot(b.getInt32(1)), b.CreateNot(scalar(named, 0))));
    Value *result = b.getFalse();
    for (unsigned r = 0; r < row_count; r++) {
        SmallVector<Constant *, MOST_LANES> own;
        for (unsigned lane = 0; lane < lanes; lane++)
            own.push_back(b.getInt32(1u << (r * lanes + lane)));
        Value *lacks = b.CreateICmpEQ(
            b.CreateAnd(vector(named, r), ConstantVector::get(own)),
            Constant::getNullValue(word));
        if (!mask.empty())
            lacks = b.CreateAnd(lacks, mask[r]);
        result = b.CreateOr(result, any(lacks));
    }
    return result;
}

/* A thread whose mask does not name its own lane fails, as on fibers. */
void widener::test_named(Value *named)
{
    enum { LAUNCH_FAILURE = 719 };
    auto *constant = dyn_cast<ConstantInt>(named);
    if (!constant || !constant->isMinusOne())
        emit_failure(leaves_out(named), LAUNCH_FAILURE,
                     "a mask leaves the lane of its thread out");
}

/* The lanes that take part in a call: named by its mask, and active. */
rows widener::participants(Value *named)
{
    return named_lanes(named, ballot(b.getInt32(1)));
}

/* Is a lane, by its number, one of the participants? */
Value *widener::is_member(const rows &all, unsigned row, Value *lane)
{
    Value *of_row = all[all.size() == 1 ? 0 : row];
    if (!of_row->getType()->isVectorTy())
        of_row = b.CreateVectorSplat(lanes, of_row);
    return b.CreateTrunc(b.CreateLShr(of_row, lane),
                         FixedVectorType::get(b.getInt1Ty(), lanes));
}

/* The values of all lanes in memory. */
static AllocaInst *gathered_values(BasicBlock *first, Type *type)
{
    enum { LANES = 32, ALIGN = 64 };
    IRBuilder<> at(first, first->begin());
    AllocaInst *values = at.CreateAlloca(ArrayType::get(type, LANES + 1));
    values->setAlignment(Align(ALIGN));
    return values;
}

/* The shuffle of a 32-bit value that was extended to 64 bits. */
static Value *narrow_source(const Instruction *call, Value *value)
{
    auto *extension = dyn_cast<ZExtInst>(value);
    return extension && extension->getParent() == call->getParent()
                   && extension->getSrcTy()->isIntegerTy(32)
               ? extension->getOperand(0)
               : value;
}

bool has_permute(const Function *f, unsigned lanes)
{
    const StringRef features
        = f->getFnAttribute("target-features").getValueAsString();
    return lanes == 16 || (lanes == 8 && features.contains("+avx2"));
}

/* The words of the source lanes, from all rows.  AVX-512 permutes two
 * registers; AVX2 permutes one, and what it gives of each row is blended. */
Value *widener::permute_words(Value *value, Value *sources)
{
    enum { TWO_REGISTERS = 16 };
    if (lanes == TWO_REGISTERS)
        return b.CreateIntrinsic(
            Intrinsic::x86_avx512_vpermi2var_d_512, {},
            { vector(value, 0), sources, vector(value, row_count - 1) });
    Value *of_row = b.CreateLShr(sources, Log2_32(lanes)), *result = nullptr;
    for (unsigned r = 0; r < row_count; r++) {
        Value *words = b.CreateIntrinsic(Intrinsic::x86_avx2_permd, {},
                                         { vector(value, r), sources });
        Value *here = b.CreateICmpEQ(
            of_row, b.CreateVectorSplat(lanes, b.getInt32(r)));
        result = result ? b.CreateSelect(here, words, result) : words;
    }
    return result;
}

/* The value of the source lane, for each lane of each row: permuted in
 * registers, or all lanes store, then each loads from its source. */
rows widener::permute(Value *value, const rows &sources)
{
    enum { PERMUTED_BITS = 32 };
    Type *type = value->getType();
    const Align align(data.getTypeStoreSize(type));
    AllocaInst *values = nullptr;
    rows result;
    if (!has_permute(f, lanes) || !type->isIntegerTy(PERMUTED_BITS)) {
        values = gathered_values(first, type);
        for (unsigned r = 0; r < row_count; r++)
            b.CreateAlignedStore(vector(value, r),
                                 b.CreateConstGEP1_32(type, values, r * lanes),
                                 align);
    }
    for (unsigned r = 0; r < row_count; r++)
        result.push_back(
            values ? (Value *)b.CreateMaskedGather(
                         FixedVectorType::get(type, lanes),
                         b.CreateGEP(type, values, sources[r]), align,
                         row_mask(r))
                   : permute_words(value, sources[r]));
    return result;
}

/* A value is that of the source lane, if this lane takes part, else 0. */
rows widener::emit_shuffle(CallBase *i)
{
    enum { LANE_BITS = 31 };
    Value *value = narrow_source(i, i->getArgOperand(1));
    auto *wide = FixedVectorType::get(value->getType(), lanes);
    const rows all = participants(i->getArgOperand(0));
    rows sources, result;
    for (unsigned r = 0; r < row_count; r++)
        sources.push_back(b.CreateAnd(
            vector(i->getArgOperand(2), r),
            b.CreateVectorSplat(lanes, b.getInt32(LANE_BITS))));
    const rows values = permute(value, sources);
    for (unsigned r = 0; r < row_count; r++) {
        Value *got = b.CreateSelect(is_member(all, r, sources[r]), values[r],
                                    Constant::getNullValue(wide));
        result.push_back(b.CreateZExt(
            got, FixedVectorType::get(b.getInt64Ty(), lanes)));
    }
    return result;
}

/* softgpu_warp_gather(): the values by lane, then the participants. */
rows widener::emit_gather(CallBase *i)
{
    enum { LANES = 32 };
    Type *word = b.getInt64Ty();
    AllocaInst *values = gathered_values(first, word);
    const rows all = participants(i->getArgOperand(0));
    if (all.size() > 1)
        k.refuse("the masks of a warp's call differ by thread");
    for (unsigned r = 0; r < row_count; r++)
        b.CreateAlignedStore(vector(i->getArgOperand(1), r),
                             b.CreateConstGEP1_32(word, values, r * lanes),
                             Align(8));
    b.CreateStore(b.CreateZExt(all[0], word),
                  b.CreateConstGEP1_32(word, values, LANES));
    return { values };
}

} // namespace vectors
