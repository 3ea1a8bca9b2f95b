/* SPDX-License-Identifier: MIT */
/* Loads from two windows of memory.  The words that a table names are seldom
 * anywhere: a row of threads loads the end of one line of an image and the
 * begin of the next one, two lines of a pooling window, or eight words from two
 * places.  Two vector loads and a permutation take half of the time of a
 * gather, or less.
 *
 * The masks of the loads end at the last word that a thread loads: no byte is
 * loaded but those between the first and the last of a window. */
#include "common/softgpu/vectors/windows.h"

#include <llvm/IR/IntrinsicsX86.h>

using namespace llvm;

namespace vectors {

static unsigned lanes_of(const Value *values)
{
    return cast<FixedVectorType>(values->getType())->getNumElements();
}

/* Of each half of the lanes, one of its values for all. */
static Value *of_halves(IRBuilderBase &b, Value *values, unsigned lane)
{
    const unsigned half = lanes_of(values) / 2;
    SmallVector<int, MOST_LANES> from;
    for (unsigned n = 0; n < 2 * half; n++)
        from.push_back((int)(n / half * half + lane));
    return b.CreateShuffleVector(values, from);
}

static Value *holds_for_row(IRBuilderBase &b, Value *condition)
{
    Type *bits = b.getIntNTy(lanes_of(condition));
    return b.CreateICmpEQ(b.CreateBitCast(condition, bits),
                          Constant::getAllOnesValue(bits));
}

/* The words up to the last one of a window. */
static Value *mask_up_to(IRBuilderBase &b, Value *last, unsigned lanes)
{
    SmallVector<Constant *, MOST_LANES> numbers;
    for (unsigned lane = 0; lane < lanes; lane++)
        numbers.push_back(b.getInt32(lane));
    return b.CreateICmpULE(ConstantVector::get(numbers),
                           b.CreateVectorSplat(lanes, last));
}

windows windows_of_halves(IRBuilderBase &b, Value *own)
{
    const unsigned lanes = lanes_of(own), half = lanes / 2;
    Value *at = b.CreateSub(own, of_halves(b, own, 0));
    Value *last = of_halves(b, at, half - 1);
    SmallVector<Constant *, MOST_LANES> begin;
    windows w;
    w.possible = holds_for_row(
        b,
        b.CreateAnd(b.CreateICmpULE(at, last),
                    b.CreateICmpULT(
                        last, b.CreateVectorSplat(lanes, b.getInt32(lanes)))));
    for (unsigned n = 0; n < WINDOWS; n++) {
        w.first[n] = b.CreateExtractElement(own, (uint64_t)n * half);
        w.mask[n] = mask_up_to(
            b, b.CreateExtractElement(at, (uint64_t)(n + 1) * half - 1),
            lanes);
        begin.append(half, b.getInt32(n * lanes));
    }
    w.places = b.CreateAdd(at, ConstantVector::get(begin));
    return w;
}

windows windows_of_any(IRBuilderBase &b, Value *own)
{
    const unsigned lanes = lanes_of(own);
    Value *size = b.CreateVectorSplat(lanes, b.getInt32(lanes));
    Value *none = Constant::getNullValue(own->getType());
    Type *bits = b.getIntNTy(lanes);
    windows w;
    w.first[0] = b.CreateExtractElement(own, (uint64_t)0);
    Value *at = b.CreateSub(own, b.CreateVectorSplat(lanes, w.first[0]));
    Value *is_first = b.CreateICmpULT(at, size);
    Value *next = b.CreateBinaryIntrinsic(
        Intrinsic::cttz, b.CreateNot(b.CreateBitCast(is_first, bits)),
        b.getFalse());
    next = b.CreateAnd(next, ConstantInt::get(bits, lanes - 1));
    w.first[1] = b.CreateExtractElement(own, next);
    Value *at_second
        = b.CreateSub(own, b.CreateVectorSplat(lanes, w.first[1]));
    w.possible = holds_for_row(
        b, b.CreateOr(is_first, b.CreateICmpULT(at_second, size)));
    w.mask[0] = mask_up_to(
        b, b.CreateIntMaxReduce(b.CreateSelect(is_first, at, none)), lanes);
    w.mask[1] = mask_up_to(
        b, b.CreateIntMaxReduce(b.CreateSelect(is_first, none, at_second)),
        lanes);
    w.places = b.CreateSelect(is_first, at, b.CreateAdd(at_second, size));
    return w;
}

Value *select_words(IRBuilderBase &b, Value *const from[WINDOWS],
                    Value *places)
{
    const unsigned lanes = lanes_of(places);
    Type *type = from[0]->getType();
    Value *const first = b.CreateBitCast(from[0], places->getType()),
                *const second = b.CreateBitCast(from[1], places->getType());
    if (lanes == MOST_LANES) /* AVX-512 permutes two registers */
        return b.CreateBitCast(
            b.CreateIntrinsic(Intrinsic::x86_avx512_vpermi2var_d_512, {},
                              { first, places, second }),
            type);
    auto permuted = [&](Value *of) {
        return b.CreateIntrinsic(Intrinsic::x86_avx2_permd, {},
                                 { of, places });
    };
    Value *is_first = b.CreateICmpULT(
        places, b.CreateVectorSplat(lanes, b.getInt32(lanes)));
    return b.CreateBitCast(
        b.CreateSelect(is_first, permuted(first), permuted(second)), type);
}

} // namespace vectors
