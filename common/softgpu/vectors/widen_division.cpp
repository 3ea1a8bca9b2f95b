/* SPDX-License-Identifier: MIT */
/* Division of 32-bit integers by a divisor that is not a constant.  Processors
 * have no vector instruction for it; a product of doubles gives the same
 * quotient.  With x' = x + 1/2, x' / d is at least 1 / (2 d) from each integer,
 * and x' * (1 / d), each operation rounded, differs from it by less than
 * 2^33 * 2^-52 / d.  So what is cut off at the point is exact. */
#include "common/softgpu/vectors/widener.h"

using namespace llvm;

namespace vectors {

/* Is it such a division, or its remainder, with a divisor that is known at run
 * time only? */
static bool is_division(const Instruction *i)
{
    return i->isIntDivRem() && i->getType()->isIntegerTy(32)
           && !isa<Constant>(i->getOperand(1));
}

/* Fibers fault where a thread divides by 0, or the least number by -1. */
void widener::test_division(Value *dividend, Value *divisor, bool is_signed,
                            unsigned row)
{
    enum { LAUNCH_FAILURE = 719 };
    Type *type = divisor->getType();
    Value *wrong = b.CreateICmpEQ(divisor, Constant::getNullValue(type));
    if (is_signed) {
        Value *overflows = b.CreateAnd(
            b.CreateICmpEQ(divisor, Constant::getAllOnesValue(type)),
            b.CreateICmpEQ(dividend,
                           ConstantInt::getSigned(type, INT32_MIN)));
        wrong = b.CreateOr(wrong, mask.empty()
                                      ? overflows
                                      : b.CreateLogicalAnd(mask[row],
                                                           overflows));
    }
    emit_failure(any(wrong), LAUNCH_FAILURE, "a thread divides by 0");
}

/* x / d, cut off.  `of_row` is the divisor, if it is one for the row. */
static Value *quotient(IRBuilderBase &b, Value *dividend, Value *divisor,
                       Value *of_row, bool is_signed)
{
    const auto lanes
        = cast<FixedVectorType>(dividend->getType())->getElementCount();
    Type *number = b.getDoubleTy(),
         *numbers = VectorType::get(number, lanes);
    auto convert = [&](Value *value, Type *type) {
        return is_signed ? b.CreateSIToFP(value, type)
                         : b.CreateUIToFP(value, type);
    };
    Value *x = convert(dividend, numbers);
    Value *half = ConstantFP::get(numbers, 0.5);
    if (is_signed)
        half = b.CreateBinaryIntrinsic(Intrinsic::copysign, half, x);
    x = b.CreateFAdd(x, half);
    Value *const one = ConstantFP::get(number, 1);
    Value *result
        = of_row ? b.CreateFMul(
              x, b.CreateVectorSplat(
                     lanes, b.CreateFDiv(one, convert(of_row, number))))
                 : b.CreateFDiv(x, convert(divisor, numbers));
    return is_signed ? b.CreateFPToSI(result, dividend->getType())
                     : b.CreateFPToUI(result, dividend->getType());
}

/* Such a division of a row; NULL: it is another instruction. */
Value *widener::emit_division(Instruction *i, unsigned row)
{
    if (!is_division(i))
        return nullptr;
    const unsigned code = i->getOpcode();
    const bool is_signed
        = code == Instruction::SDiv || code == Instruction::SRem;
    Value *const by = i->getOperand(1);
    Value *of_row = nullptr, *divisor;
    if (k.shape_of(by).is_scalar()) {
        of_row = safe_divisor(i, scalar(by, row), row, true);
        divisor = b.CreateVectorSplat(lanes, of_row);
    } else {
        divisor = safe_divisor(i, vector(by, row), row, false);
    }
    Value *dividend = vector(i->getOperand(0), row);
    test_division(dividend, divisor, is_signed, row);
    Value *result = quotient(b, dividend, divisor, of_row, is_signed);
    if (code == Instruction::SRem || code == Instruction::URem)
        result = b.CreateSub(dividend, b.CreateMul(result, divisor));
    return result;
}

} // namespace vectors
