/* SPDX-License-Identifier: MIT */
/* Shapes by the offsets of the lanes from the first value of a row, and the
 * arithmetic that keeps the offsets constant. */
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "common/softgpu/vectors/vectors.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace vectors {

shape of_kind(shape::kind_t kind)
{
    shape s;
    s.kind = kind;
    return s;
}

shape affine(int64_t stride)
{
    shape s = of_kind(shape::AFFINE);
    s.stride = stride;
    return s;
}

/* A row whose lanes differ from the first one so. */
shape of_offsets(const lane_offsets &offsets, unsigned lanes)
{
    shape s = affine(offsets[1]);
    for (unsigned lane = 0; lane < lanes; lane++) {
        if (offsets[lane] != s.offset(lane))
            s.kind = shape::PATTERN;
        if (std::abs(offsets[lane]) > INT32_MAX)
            return of_kind(shape::VARYING);
    }
    if (s.kind == shape::PATTERN) {
        s.stride = 0;
        s.offsets = offsets;
    } else if (s.stride == 0) {
        s.kind = shape::ROW;
    }
    return s;
}

/* A sum, a difference, or an `or` of disjoint bits, with an operand that
 * follows from its first value. */
shape of_sum(const BinaryOperator *i, const shape &a, const shape &b,
             unsigned lanes)
{
    const bool minus = i->getOpcode() == Instruction::Sub;
    lane_offsets offsets = {};
    bool rises = true;
    for (unsigned lane = 0; lane < lanes; lane++) {
        const int64_t of_b = b.offset(lane);
        offsets[lane] = a.offset(lane) + (minus ? -of_b : of_b);
        rises &= offsets[lane] >= 0;
    }
    shape s = of_offsets(offsets, lanes);
    if (!s.follows_first())
        return s;
    const bool disjoint = i->getOpcode() == Instruction::Or;
    auto exact = [](const shape &x, bool flag) {
        return x.is_scalar() || flag;
    };
    s.no_signed_wrap = (disjoint || i->hasNoSignedWrap())
                       && exact(a, a.no_signed_wrap)
                       && exact(b, b.no_signed_wrap);
    s.no_wrap = (disjoint || i->hasNoUnsignedWrap()) && rises
                && exact(a, a.no_wrap) && exact(b, b.no_wrap);
    s.multiple_of = std::min(a.multiple_of, b.multiple_of);
    return s;
}

/* Such a value times a constant, or shifted left. */
shape of_product(const BinaryOperator *i, const shape &a, unsigned lanes)
{
    const APInt *constant;
    if (!match(i->getOperand(1), m_APInt(constant)))
        return of_kind(shape::VARYING);
    int64_t factor = constant->getSExtValue();
    if (i->getOpcode() == Instruction::Shl) {
        if (constant->uge(31))
            return of_kind(shape::VARYING);
        factor = (int64_t)1 << constant->getZExtValue();
    }
    if (factor == 0 || factor > INT32_MAX || factor < INT32_MIN)
        return of_kind(shape::VARYING);
    lane_offsets offsets = {};
    for (unsigned lane = 0; lane < lanes; lane++)
        offsets[lane] = a.offset(lane) * factor;
    shape s = of_offsets(offsets, lanes);
    if (!s.follows_first())
        return s;
    s.no_signed_wrap = a.no_signed_wrap && i->hasNoSignedWrap();
    s.no_wrap = a.no_wrap && i->hasNoUnsignedWrap() && factor > 0;
    s.multiple_of = a.multiple_of;
    if (s.multiple_of < 256 && (factor & (factor - 1)) == 0 && factor > 0)
        s.multiple_of *= (unsigned)std::min<int64_t>(factor, 256);
    return s;
}

/* A value shifted right that does not wrap: the bits that are lost are those of
 * the first value, or of the offsets, if the others have none there.
 * @return false: both have some */
static bool shift_offsets(const BinaryOperator *i, const shape &a,
                          unsigned lanes, lane_offsets &offsets)
{
    const APInt *constant;
    const bool is_signed = i->getOpcode() == Instruction::AShr;
    if (i->getOpcode() == Instruction::And
        || !match(i->getOperand(1), m_APInt(constant)) || constant->uge(31)
        || constant->isZero()
        || !(is_signed ? a.no_signed_wrap : a.no_wrap))
        return false;
    const unsigned shift = (unsigned)constant->getZExtValue();
    const int64_t lost = ((int64_t)1 << shift) - 1;
    const bool first_has_none = a.multiple_of > lost;
    for (unsigned lane = 0; lane < lanes; lane++) {
        if (!first_has_none && (a.offset(lane) & lost))
            return false;
        offsets[lane] = a.offset(lane) >> shift;
    }
    return true;
}

/* Lane numbers divided by, or modulo, a power of two: the first value of a row
 * is a multiple of more than the lanes add, so no bit of it changes.  A mask of
 * lower bits makes it 0. */
shape of_bits(const BinaryOperator *i, const shape &a, unsigned lanes)
{
    enum { MULTIPLE_OF_0 = 1 << 16 };
    const APInt *constant;
    if (!match(i->getOperand(1), m_APInt(constant)))
        return of_kind(shape::VARYING);
    const bool is_and = i->getOpcode() == Instruction::And;
    if (!is_and && constant->uge(std::min(constant->getBitWidth(), 31u)))
        return of_kind(shape::VARYING);
    const unsigned shift = is_and ? 0 : (unsigned)constant->getZExtValue();
    lane_offsets offsets = {};
    const bool exact = shift_offsets(i, a, lanes, offsets);
    for (unsigned lane = 0; lane < lanes && !exact; lane++) {
        const int64_t own = a.offset(lane);
        if (own < 0 || own >= (int64_t)a.multiple_of
            || !isUIntN(constant->getBitWidth(), (uint64_t)own))
            return of_kind(shape::VARYING);
        offsets[lane] = is_and ? own & (int64_t)constant->getLimitedValue()
                               : own >> shift;
    }
    shape s = of_offsets(offsets, lanes);
    if (!s.follows_first())
        return s;
    s.no_signed_wrap = true;
    s.no_wrap = !exact || i->getOpcode() == Instruction::LShr;
    s.multiple_of = is_and && constant->ult(a.multiple_of)
                        ? (unsigned)MULTIPLE_OF_0
                        : std::max(1u, a.multiple_of >> shift);
    return s;
}

/* Lane numbers with bits set or flipped, such as the last of four columns,
 * threadIdx.x % 8 * 4 | 3, which LLVM makes of a sum: of the constant, the bits
 * below those of the first value change the offsets. */
shape of_changed_bits(const BinaryOperator *i, const shape &a, unsigned lanes)
{
    const APInt *constant;
    const unsigned own_bits = Log2_32(a.multiple_of);
    if (!match(i->getOperand(1), m_APInt(constant))
        || own_bits + 1 >= constant->getBitWidth())
        return of_kind(shape::VARYING);
    const int64_t low
        = (int64_t)constant->extractBitsAsZExtValue(own_bits + 1, 0)
          & (a.multiple_of - 1);
    const bool is_or = i->getOpcode() == Instruction::Or;
    lane_offsets offsets = {};
    for (unsigned lane = 0; lane < lanes; lane++) {
        const int64_t own = a.offset(lane);
        if (own < 0 || own >= (int64_t)a.multiple_of)
            return of_kind(shape::VARYING);
        offsets[lane] = (is_or ? own | low : own ^ low) - low;
    }
    shape s = of_offsets(offsets, lanes);
    if (!s.follows_first())
        return s;
    s.no_signed_wrap = s.no_wrap = true;
    s.multiple_of = low ? (unsigned)(low & -low) : a.multiple_of;
    return s;
}

} // namespace vectors
