/* SPDX-License-Identifier: MIT */
/* The shape of each value: is it the same for all threads of a gang, for those
 * of a row, does it differ by constants from lane to lane, or none of these? */
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "common/softgpu/vectors/vectors.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace vectors {

static shape of_kind(shape::kind_t kind)
{
    shape s;
    s.kind = kind;
    return s;
}

static shape affine(int64_t stride)
{
    shape s = of_kind(shape::AFFINE);
    s.stride = stride;
    return s;
}

/* threadIdx.x and the lane: a row begins at a multiple of its length. */
static shape lane_number(unsigned lanes)
{
    shape s = affine(1);
    s.no_signed_wrap = s.no_wrap = true;
    s.multiple_of = lanes;
    return s;
}

/* A row whose lanes differ from the first one so. */
static shape of_offsets(const lane_offsets &offsets, unsigned lanes)
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

/* Constants and arguments are the same for all threads. */
shape kernel::shape_of(const Value *value) const
{
    if (!isa<Instruction>(value))
        return of_kind(shape::UNIFORM);
    return shapes.lookup(value);
}

/* The shape of a value that is one or the other. */
static shape join(const shape &a, const shape &b)
{
    if (a.kind == shape::UNKNOWN || b.kind == shape::UNKNOWN)
        return a.kind == shape::UNKNOWN ? b : a;
    if (!a.follows_first() && !b.follows_first())
        return of_kind(std::max(a.kind, b.kind));
    if (a.kind != b.kind || a.stride != b.stride || a.offsets != b.offsets)
        return of_kind(shape::VARYING);
    shape s = a;
    s.no_signed_wrap &= b.no_signed_wrap;
    s.no_wrap &= b.no_wrap;
    s.multiple_of = std::min(a.multiple_of, b.multiple_of);
    return s;
}

namespace {

class analysis {
  public:
    explicit analysis(kernel &kernel) : k(kernel) {}
    shape compute(Instruction *i);

  private:
    shape operand(const Instruction *i, unsigned n) const
    {
        return k.shape_of(i->getOperand(n));
    }
    shape join_operands(const Instruction *i) const;
    shape of_binary(BinaryOperator *i);
    unsigned multiple_of(const Value *value) const;
    shape of_sum(BinaryOperator *i, const shape &a, const shape &b);
    shape of_product(BinaryOperator *i, const shape &a);
    shape of_bits(BinaryOperator *i, const shape &a);
    shape of_cast(CastInst *i);
    shape of_comparison(CmpInst *i);
    shape of_address(GetElementPtrInst *i);
    shape of_phi(PHINode *i);
    shape of_call(CallBase *i);

    kernel &k;
};

/* An operation on any values. */
shape analysis::join_operands(const Instruction *i) const
{
    shape::kind_t kind = shape::UNIFORM;
    for (const Use &use : i->operands()) {
        if (!use->getType()->isSized() && !use->getType()->isFirstClassType())
            continue;
        const shape s = k.shape_of(use);
        if (s.kind == shape::UNKNOWN)
            return s;
        kind = std::max(kind, s.kind);
    }
    return of_kind(kind > shape::ROW ? shape::VARYING : kind);
}

/* A power of two that divides the first value of each row. */
unsigned analysis::multiple_of(const Value *value) const
{
    const APInt *constant;
    if (!match(value, m_APInt(constant)))
        return k.shape_of(value).multiple_of;
    return 1u << std::min(constant->countr_zero(), 8u);
}

/* A sum, a difference, or an `or` of disjoint bits, with an operand that
 * follows from its first value. */
shape analysis::of_sum(BinaryOperator *i, const shape &a, const shape &b)
{
    const bool minus = i->getOpcode() == Instruction::Sub;
    lane_offsets offsets = {};
    bool rises = true;
    for (unsigned lane = 0; lane < k.gang.lanes; lane++) {
        const int64_t of_b = b.offset(lane);
        offsets[lane] = a.offset(lane) + (minus ? -of_b : of_b);
        rises &= offsets[lane] >= 0;
    }
    shape s = of_offsets(offsets, k.gang.lanes);
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
    s.multiple_of = std::min(multiple_of(i->getOperand(0)),
                             multiple_of(i->getOperand(1)));
    return s;
}

/* Such a value times a constant, or shifted left. */
shape analysis::of_product(BinaryOperator *i, const shape &a)
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
    for (unsigned lane = 0; lane < k.gang.lanes; lane++)
        offsets[lane] = a.offset(lane) * factor;
    shape s = of_offsets(offsets, k.gang.lanes);
    if (!s.follows_first())
        return s;
    s.no_signed_wrap = a.no_signed_wrap && i->hasNoSignedWrap();
    s.no_wrap = a.no_wrap && i->hasNoUnsignedWrap() && factor > 0;
    s.multiple_of = a.multiple_of;
    if (s.multiple_of < 256 && (factor & (factor - 1)) == 0 && factor > 0)
        s.multiple_of *= (unsigned)std::min<int64_t>(factor, 256);
    return s;
}

/* Lane numbers divided by, or modulo, a power of two: the first value of a row
 * is a multiple of more than the lanes add, so no bit of it changes. */
shape analysis::of_bits(BinaryOperator *i, const shape &a)
{
    const APInt *constant;
    if (!match(i->getOperand(1), m_APInt(constant)))
        return of_kind(shape::VARYING);
    const bool is_and = i->getOpcode() == Instruction::And;
    if (!is_and && constant->uge(std::min(constant->getBitWidth(), 31u)))
        return of_kind(shape::VARYING);
    const unsigned shift = is_and ? 0 : (unsigned)constant->getZExtValue();
    lane_offsets offsets = {};
    for (unsigned lane = 0; lane < k.gang.lanes; lane++) {
        const int64_t own = a.offset(lane);
        if (own < 0 || own >= (int64_t)a.multiple_of
            || !isUIntN(constant->getBitWidth(), (uint64_t)own))
            return of_kind(shape::VARYING);
        offsets[lane] = is_and ? own & (int64_t)constant->getLimitedValue()
                               : own >> shift;
    }
    shape s = of_offsets(offsets, k.gang.lanes);
    if (!s.follows_first())
        return s;
    s.no_signed_wrap = s.no_wrap = true;
    s.multiple_of = std::max(1u, a.multiple_of >> shift);
    return s;
}

/* Of two operands, the rules for those that follow from a first value apart. */
shape analysis::of_binary(BinaryOperator *i)
{
    const shape a = operand(i, 0), b = operand(i, 1);
    if (a.kind == shape::UNKNOWN || b.kind == shape::UNKNOWN)
        return {};
    if ((!a.follows_first() && !b.follows_first())
        || a.kind == shape::VARYING || b.kind == shape::VARYING)
        return join_operands(i);
    switch (i->getOpcode()) {
    case Instruction::Or:
        if (!cast<PossiblyDisjointInst>(i)->isDisjoint())
            return of_kind(shape::VARYING);
        [[fallthrough]];
    case Instruction::Add:
    case Instruction::Sub:
        return of_sum(i, a, b);
    case Instruction::Mul:
    case Instruction::Shl:
        return a.follows_first() && b.is_scalar()
                   ? of_product(i, a)
                   : of_kind(shape::VARYING);
    case Instruction::And:
    case Instruction::LShr:
    case Instruction::AShr:
        return a.follows_first() ? of_bits(i, a) : of_kind(shape::VARYING);
    default:
        return of_kind(shape::VARYING);
    }
}

/* A cast keeps the offsets if no value wraps. */
shape analysis::of_cast(CastInst *i)
{
    const shape a = operand(i, 0);
    if (!a.follows_first())
        return a;
    shape s = a;
    switch (i->getOpcode()) {
    case Instruction::Trunc:
        s.no_signed_wrap = s.no_wrap = false;
        return s;
    case Instruction::SExt:
        s.no_wrap = false;
        return a.no_signed_wrap ? s : of_kind(shape::VARYING);
    case Instruction::ZExt:
        if (!a.no_wrap && !(i->hasNonNeg() && a.no_signed_wrap))
            return of_kind(shape::VARYING);
        s.no_wrap = s.no_signed_wrap = true;
        return s;
    case Instruction::PtrToInt:
    case Instruction::IntToPtr:
        s.no_signed_wrap = s.no_wrap = false;
        return s;
    default:
        return of_kind(shape::VARYING);
    }
}

/* threadIdx.x < 64 is the same for a whole row. */
shape analysis::of_comparison(CmpInst *i)
{
    const shape a = operand(i, 0), b = operand(i, 1);
    const APInt *constant;
    if (a.kind == shape::UNKNOWN || b.kind == shape::UNKNOWN)
        return {};
    if (a.kind != shape::AFFINE || a.stride != 1
        || a.multiple_of < k.gang.lanes
        || !match(i->getOperand(1), m_APInt(constant)))
        return join_operands(i);
    const unsigned lanes = k.gang.lanes;
    switch (i->getPredicate()) {
    case CmpInst::ICMP_ULT:
    case CmpInst::ICMP_SLT:
    case CmpInst::ICMP_UGE:
    case CmpInst::ICMP_SGE:
        return of_kind(constant->urem(lanes) == 0 ? shape::ROW
                                                  : shape::VARYING);
    case CmpInst::ICMP_UGT:
    case CmpInst::ICMP_SGT:
    case CmpInst::ICMP_ULE:
    case CmpInst::ICMP_SLE:
        return of_kind((*constant + 1).urem(lanes) == 0 ? shape::ROW
                                                        : shape::VARYING);
    default:
        return of_kind(shape::VARYING);
    }
}

/* The offsets of the indices, in bytes, add up. */
shape analysis::of_address(GetElementPtrInst *i)
{
    const DataLayout &data = i->getModule()->getDataLayout();
    const unsigned bits = data.getIndexTypeSizeInBits(i->getType());
    MapVector<Value *, APInt> variables;
    APInt constant(bits, 0);
    const shape base = k.shape_of(i->getPointerOperand());
    if (base.kind == shape::UNKNOWN
        || !i->collectOffset(data, bits, variables, constant))
        return base.kind == shape::UNKNOWN ? shape{}
                                           : of_kind(shape::VARYING);
    shape::kind_t kind = base.kind;
    lane_offsets offsets = {};
    for (unsigned lane = 0; lane < k.gang.lanes; lane++)
        offsets[lane] = base.offset(lane);
    bool index_differs = false;
    for (auto &variable : variables) {
        const shape s = k.shape_of(variable.first);
        if (s.kind == shape::UNKNOWN)
            return {};
        kind = std::max(kind, s.kind);
        if (!s.follows_first())
            continue;
        index_differs = true;
        if (!s.no_signed_wrap
            && variable.first->getType()->getIntegerBitWidth() != bits)
            kind = shape::VARYING;
        for (unsigned lane = 0; lane < k.gang.lanes; lane++)
            offsets[lane] += s.offset(lane) * variable.second.getSExtValue();
    }
    if (k.interleaved.count(i) && index_differs)
        return of_kind(shape::VARYING);
    return kind <= shape::ROW || kind == shape::VARYING
               ? of_kind(kind)
               : of_offsets(offsets, k.gang.lanes);
}

/* Threads that came by different ways have different values. */
shape analysis::of_phi(PHINode *i)
{
    BasicBlock *block = i->getParent();
    const bool header = k.loops.isLoopHeader(block);
    bool diverged = k.is_masked(block) && !header;
    for (const region &r : k.regions)
        for (BasicBlock *from : i->blocks())
            diverged |= block == r.exit
                        && (r.blocks.count(from) || from == r.entry);
    if (diverged)
        return of_kind(shape::VARYING);
    shape s;
    for (Value *value : i->incoming_values())
        s = join(s, k.shape_of(value));
    return s;
}

/* Calls that the pass gives a meaning, then all others by their operands. */
shape analysis::of_call(CallBase *i)
{
    Function *callee = i->getCalledFunction();
    const StringRef name = callee ? source_name(callee) : "";
    for (auto &variable : k.builtins)
        for (Function *component : variable)
            if (callee && callee == component)
                return callee == k.builtins[THREAD][0] ? lane_number(k.gang.lanes)
                       : &variable == &k.builtins[THREAD]
                           ? of_kind(shape::ROW)
                           : of_kind(shape::UNIFORM);
    if (name == "softgpu_lane_id")
        return lane_number(k.gang.lanes);
    if (name == "softgpu_warp_shuffle")
        return of_kind(shape::VARYING);
    if (name == "softgpu_warp_ballot") {
        const shape named = operand(i, 0);
        return named.follows_first() ? of_kind(shape::VARYING) : named;
    }
    if (callee && is_atomic_function(callee))
        return of_kind(shape::VARYING);
    if (callee && is_kept_call(callee))
        return of_kind(shape::UNIFORM);
    return join_operands(i);
}

/* The shape of one instruction from those of its operands. */
shape analysis::compute(Instruction *i)
{
    if (auto *binary = dyn_cast<BinaryOperator>(i))
        return of_binary(binary);
    if (auto *cast = dyn_cast<CastInst>(i))
        return of_cast(cast);
    if (auto *comparison = dyn_cast<CmpInst>(i))
        return of_comparison(comparison);
    if (auto *address = dyn_cast<GetElementPtrInst>(i))
        return of_address(address);
    if (auto *phi = dyn_cast<PHINode>(i))
        return of_phi(phi);
    if (auto *call = dyn_cast<CallBase>(i))
        return of_call(call);
    if (auto *select = dyn_cast<SelectInst>(i)) {
        const shape condition = k.shape_of(select->getCondition());
        const shape value = join(k.shape_of(select->getTrueValue()),
                                 k.shape_of(select->getFalseValue()));
        if (condition.kind == shape::UNIFORM && value.follows_first())
            return value;
        return join_operands(i);
    }
    if (auto *array = dyn_cast<AllocaInst>(i)) {
        const DataLayout &data = i->getModule()->getDataLayout();
        auto element = k.interleaved.find(array);
        return affine(element != k.interleaved.end()
                          ? element->second
                          : (int64_t)data.getTypeAllocSize(
                                array->getAllocatedType()));
    }
    return join_operands(i);
}

} // namespace

void compute_shapes(kernel &k)
{
    analysis a(k);
    ReversePostOrderTraversal<Function *> order(k.function);
    for (bool changed = true; changed;) {
        changed = false;
        for (BasicBlock *block : order)
            for (Instruction &i : *block) {
                const shape now = join(k.shapes.lookup(&i), a.compute(&i));
                if (now == k.shapes.lookup(&i))
                    continue;
                k.shapes[&i] = now;
                changed = true;
            }
    }
}

} // namespace vectors
