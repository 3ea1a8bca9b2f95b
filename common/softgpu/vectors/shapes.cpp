/* SPDX-License-Identifier: MIT */
/* The shape of each value: is it the same for all threads of a gang, for those
 * of a row, does it differ by constants from lane to lane, or none of these? */
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include <deque>

#include "common/softgpu/vectors/vectors.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace vectors {

/* threadIdx.x and the lane: a row begins at a multiple of its length. */
static shape lane_number(unsigned lanes)
{
    shape s = affine(1);
    s.no_signed_wrap = s.no_wrap = true;
    s.multiple_of = lanes;
    return s;
}

/* blockDim.x: other launches run as fibers (fits_gangs() of run_grid.c). */
static shape block_width()
{
    shape s = of_kind(shape::UNIFORM);
    s.multiple_of = MOST_LANES;
    return s;
}

/* Constants and arguments are the same for all threads. */
shape kernel::shape_of(const Value *value) const
{
    const APInt *constant;
    if (isa<Instruction>(value))
        return shapes.lookup(value);
    shape s = of_kind(shape::UNIFORM);
    if (match(value, m_APInt(constant)))
        s.multiple_of = 1u << std::min(constant->countr_zero(), 8u);
    return s;
}

/* The shape of a value that is one or the other. */
static shape join(const shape &a, const shape &b)
{
    if (a.kind == shape::UNKNOWN || b.kind == shape::UNKNOWN)
        return a.kind == shape::UNKNOWN ? b : a;
    if (!a.follows_first() && !b.follows_first()) {
        shape s = of_kind(std::max(a.kind, b.kind));
        s.multiple_of = std::min(a.multiple_of, b.multiple_of);
        return s;
    }
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
    shape of_scalars(BinaryOperator *i);
    shape of_binary(BinaryOperator *i);
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

/* An operation on two values that are the same for a row.  As those of a row
 * begin at a multiple of its length, so does blockIdx.x * blockDim.x. */
shape analysis::of_scalars(BinaryOperator *i)
{
    constexpr unsigned most = 256;
    const shape a = operand(i, 0), b = operand(i, 1);
    shape s = join_operands(i);
    auto *disjoint = dyn_cast<PossiblyDisjointInst>(i);
    switch (i->getOpcode()) {
    case Instruction::Mul:
        s.multiple_of = std::min(most, std::min(most, a.multiple_of)
                                           * std::min(most, b.multiple_of));
        break;
    case Instruction::Or:
        if (!disjoint || !disjoint->isDisjoint())
            break;
        [[fallthrough]];
    case Instruction::Add:
    case Instruction::Sub:
        s.multiple_of = std::min(a.multiple_of, b.multiple_of);
        break;
    case Instruction::Shl:
        s.multiple_of = a.multiple_of;
        break;
    default:
        break;
    }
    return s;
}

/* Of two operands, the rules for those that follow from a first value apart. */
shape analysis::of_binary(BinaryOperator *i)
{
    const shape a = operand(i, 0), b = operand(i, 1);
    if (a.kind == shape::UNKNOWN || b.kind == shape::UNKNOWN)
        return {};
    if (a.is_scalar() && b.is_scalar())
        return of_scalars(i);
    if (a.kind == shape::VARYING || b.kind == shape::VARYING)
        return join_operands(i);
    switch (i->getOpcode()) {
    case Instruction::Or:
        if (!cast<PossiblyDisjointInst>(i)->isDisjoint())
            return of_changed_bits(i, a, k.gang.lanes);
        [[fallthrough]];
    case Instruction::Add:
    case Instruction::Sub:
        return of_sum(i, a, b, k.gang.lanes);
    case Instruction::Xor:
        return of_changed_bits(i, a, k.gang.lanes);
    case Instruction::Mul:
    case Instruction::Shl:
        return a.follows_first() && b.is_scalar()
                   ? of_product(i, a, k.gang.lanes)
                   : of_kind(shape::VARYING);
    case Instruction::And:
    case Instruction::LShr:
    case Instruction::AShr:
        return a.follows_first() ? of_bits(i, a, k.gang.lanes)
                                 : of_kind(shape::VARYING);
    default:
        return of_kind(shape::VARYING);
    }
}

/* A cast keeps the offsets if no value wraps. */
shape analysis::of_cast(CastInst *i)
{
    const shape a = operand(i, 0);
    shape s = a;
    if (!a.follows_first()) {
        if (!isa<TruncInst>(i) && !isa<ZExtInst>(i) && !isa<SExtInst>(i))
            s.multiple_of = 1; /* not of the bits of a float */
        return s;
    }
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
                return callee == k.builtins[THREAD][0]
                           ? lane_number(k.gang.lanes)
                       : callee == k.builtins[BLOCK_DIM][0]
                           ? block_width()
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
    if (callee && must_stay_call(callee))
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

/* The shapes of the instructions, and of all that depend on a shape that
 * changes. */
static void propagate(kernel &k, SetVector<Instruction *> open)
{
    analysis a(k);
    std::deque<Instruction *> queue(open.begin(), open.end());
    DenseSet<Instruction *> queued(open.begin(), open.end());
    while (!queue.empty()) {
        Instruction *const i = queue.front();
        queue.pop_front();
        queued.erase(i);
        shape &known = k.shapes[i];
        const shape now = join(known, a.compute(i));
        if (now == known)
            continue;
        k.shapes[i] = now;
        for (User *user : i->users())
            if (queued.insert(cast<Instruction>(user)).second)
                queue.push_back(cast<Instruction>(user));
    }
}

void compute_shapes(kernel &k)
{
    SetVector<Instruction *> all;
    ReversePostOrderTraversal<Function *> order(k.function);
    for (BasicBlock *block : order)
        for (Instruction &i : *block)
            all.insert(&i);
    propagate(k, all);
}

void update_shapes(kernel &k, const region &changed)
{
    SetVector<Instruction *> all;
    for (PHINode &phi : changed.exit->phis())
        all.insert(&phi);
    for (BasicBlock *block : changed.blocks)
        for (PHINode &phi : block->phis())
            all.insert(&phi);
    propagate(k, all);
}

} // namespace vectors
