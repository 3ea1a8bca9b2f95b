/* SPDX-License-Identifier: MIT */
/* Extensions of unsigned values in masked code.  After `if (threadIdx.x >= 5)`,
 * threadIdx.x - 5 rises by one from thread to thread and wraps in no active
 * thread.  The first thread of the row, whose value the others follow from, may
 * be inactive: its value is then 2^32 - 5, which must be extended as -5. */
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

#include "common/softgpu/vectors/widener.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace vectors {

/* A bound of an unsigned value; none: it is not known, or the value may
 * wrap. */
using number = std::optional<uint64_t>;

/* The value, if it fits in the type. */
static number fitting(number value, const Type *type)
{
    const unsigned bits = type->getIntegerBitWidth();
    return value && bits < 64 && *value >> bits == 0 ? value : std::nullopt;
}

static number largest(const Value *value);

/* The bound of a sum, a product or some bits.  Operands have at most 32 bits,
 * so a product of their bounds fits in 64. */
static number largest_of_binary(const BinaryOperator *i)
{
    const number a = largest(i->getOperand(0)), b = largest(i->getOperand(1));
    const unsigned bits = i->getType()->getIntegerBitWidth();
    /* these keep the bound even if the other operand wraps */
    if (b && i->getOpcode() == Instruction::And)
        return b;
    if (b && *b < bits && i->getOpcode() == Instruction::LShr)
        return a.value_or(UINT64_MAX >> (64 - bits)) >> *b;
    if (!a || !b)
        return std::nullopt;
    switch (i->getOpcode()) {
    case Instruction::Add:
    case Instruction::Or:
        return fitting(*a + *b, i->getType());
    case Instruction::Mul:
        return fitting(*a * *b, i->getType());
    case Instruction::Shl:
        return *b < 32 ? fitting(*a << *b, i->getType()) : std::nullopt;
    default:
        return std::nullopt;
    }
}

/* The largest value of any thread, active or not, by the ranges of the built-in
 * variables; none: not known.  What the instructions promise holds for active
 * threads only. */
static number largest(const Value *value)
{
    enum { MOST_BITS = 32 };
    const APInt *constant;
    if (value->getType()->getIntegerBitWidth() > MOST_BITS)
        return std::nullopt;
    if (match(value, m_APInt(constant)))
        return constant->getZExtValue();
    if (auto *cast = dyn_cast<ZExtInst>(value))
        return largest(cast->getOperand(0));
    if (auto *binary = dyn_cast<BinaryOperator>(value))
        return largest_of_binary(binary);
    auto *call = dyn_cast<CallInst>(value);
    const MDNode *range
        = call ? call->getMetadata(LLVMContext::MD_range) : nullptr;
    if (!range)
        return std::nullopt;
    return getConstantRangeFromMetadata(*range)
        .getUnsignedMax().getZExtValue();
}

/* Where all threads are active, the shape has proved that none wraps. */
bool widener::wraps_where_inactive(const ZExtInst *i) const
{
    return !mask.empty() && !largest(i->getOperand(0));
}

/* As a signed value, if it is not negative in active threads.  Else from the
 * first active thread back to the first one. */
rows widener::emit_extension(ZExtInst *i)
{
    Value *narrow = i->getOperand(0);
    const shape s = k.shape_of(narrow);
    Type *set = b.getIntNTy(lanes), *wide = i->getType();
    rows result;
    for (unsigned r = 0; r < row_count; r++) {
        Value *one = scalar(narrow, r);
        if (i->hasNonNeg()) {
            result.push_back(b.CreateSExt(one, wide));
            continue;
        }
        /* without an active thread: any lane, since no access is made */
        Value *lane = b.CreateBinaryIntrinsic(
            Intrinsic::cttz, b.CreateBitCast(mask[r], set), b.getFalse());
        lane = b.CreateAnd(lane, ConstantInt::get(set, lanes - 1));
        Value *offset = b.CreateExtractElement(
            offsets_of(s, one->getType()), lane);
        result.push_back(
            b.CreateSub(b.CreateZExt(b.CreateAdd(one, offset), wide),
                        b.CreateSExt(offset, wide)));
    }
    return result;
}

} // namespace vectors
