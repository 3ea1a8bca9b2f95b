/* SPDX-License-Identifier: MIT */
/* Values and arithmetic of a gang. */
#include <llvm/IR/PatternMatch.h>

#include "common/softgpu/vectors/widener.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace vectors {

/* --- values --------------------------------------------------------------- */

/* How many values a value has: one, or one a row. */
unsigned widener::count(const Value *value) const
{
    return k.shape_of(value).kind == shape::UNIFORM ? 1 : row_count;
}

/* The value as it is known in this block, or from its slots. */
rows widener::get(Value *value)
{
    if (!isa<Instruction>(value))
        return { isa<Argument>(value)
                     ? f->getArg(cast<Argument>(value)->getArgNo())
                     : value };
    auto found = known.find(value);
    if (found != known.end())
        return found->second;
    rows result;
    if (!k.phases.empty() && thread_component(value) >= 0)
        return known[value] = thread_index((unsigned)thread_component(value));
    for (AllocaInst *slot : value_slots[value])
        result.push_back(load(slot));
    if (result.empty()) {
        k.refuse("a value is used before it is known");
        Type *type = value->getType();
        if (k.shape_of(value).kind == shape::VARYING)
            type = FixedVectorType::get(type, lanes);
        result.assign(count(value), PoisonValue::get(type));
    }
    return known[value] = result;
}

/* The value of an instruction, for this block and for others. */
void widener::define(Instruction *i, const rows &value)
{
    auto found = value_slots.find(i);
    known[i] = value;
    if (found == value_slots.end())
        return;
    for (unsigned r = 0; r < value.size(); r++)
        b.CreateStore(value[r], found->second[r]);
}

/* From the first value of a row to that of each lane, as integers. */
Value *widener::offsets_of(const shape &s, Type *type)
{
    SmallVector<Constant *, 64> offsets;
    for (unsigned lane = 0; lane < lanes; lane++)
        offsets.push_back(
            ConstantInt::get(type, (uint64_t)s.offset(lane), true));
    return ConstantVector::get(offsets);
}

/* The one value of a row, or the first one that the others follow from. */
Value *widener::scalar(Value *value, unsigned row)
{
    const rows all = get(value);
    return all[all.size() == 1 ? 0 : row];
}

/* The value of a row as a vector of all lanes. */
Value *widener::widened(Value *value, const rows &all, unsigned row)
{
    const shape s = k.shape_of(value);
    Value *one = all[all.size() == 1 ? 0 : row];
    if (s.kind == shape::VARYING)
        return one;
    if (!s.follows_first())
        return b.CreateVectorSplat(lanes, one);
    if (one->getType()->isPointerTy())
        return b.CreateGEP(b.getInt8Ty(), one,
                           offsets_of(s, b.getInt64Ty()));
    return b.CreateAdd(b.CreateVectorSplat(lanes, one),
                       offsets_of(s, one->getType()));
}

/* The value of a row as a vector. */
Value *widener::vector(Value *value, unsigned row)
{
    return widened(value, get(value), row);
}

/* --- instructions --------------------------------------------------------- */

/* Inactive threads do not divide by 0. */
Value *widener::safe_divisor(Instruction *i, Value *divisor, unsigned row,
                             bool whole_row)
{
    if (mask.empty() || !i->isIntDivRem())
        return divisor;
    Value *active = whole_row ? any(mask[row]) : mask[row];
    return b.CreateSelect(active, divisor,
                          ConstantInt::get(divisor->getType(), 1));
}

/* A scalar instruction, once or for each row.  Flags that promise no overflow
 * are dropped where rows without active threads execute it. */
rows widener::emit_clone(Instruction *i)
{
    rows result;
    for (unsigned r = 0; r < count(i); r++) {
        Instruction *copy = i->clone();
        for (unsigned n = 0; n < i->getNumOperands(); n++)
            copy->setOperand(n, scalar(i->getOperand(n), r));
        if (i->isIntDivRem() && count(i) > 1)
            copy->setOperand(1, safe_divisor(i, copy->getOperand(1), r, true));
        if (!mask.empty())
            copy->dropPoisonGeneratingFlags();
        copy->dropUnknownNonDebugMetadata();
        b.Insert(copy);
        result.push_back(copy);
    }
    return result;
}

/* The first values of the rows.  Bits that are disjoint in active threads may
 * not be so in the first one: their `or` is a sum. */
rows widener::emit_affine(Instruction *i)
{
    auto *extension = dyn_cast<ZExtInst>(i);
    auto *disjoint = dyn_cast<PossiblyDisjointInst>(i);
    rows result;
    if (extension && wraps_where_inactive(extension))
        return emit_extension(extension);
    if (disjoint && disjoint->isDisjoint())
        for (unsigned r = 0; r < count(i); r++)
            result.push_back(b.CreateAdd(scalar(i->getOperand(0), r),
                                         scalar(i->getOperand(1), r)));
    else
        result = emit_clone(i);
    for (Value *first_value : result)
        if (auto *copy = dyn_cast<Instruction>(first_value))
            copy->dropPoisonGeneratingFlags();
    return result;
}

/* An address whose rows are scalars, perhaps with a constant stride. */
rows widener::emit_address(GetElementPtrInst *i)
{
    MapVector<Value *, APInt> variables;
    const unsigned bits = data.getIndexTypeSizeInBits(i->getType());
    APInt constant(bits, 0);
    const bool interleaves = k.interleaved.count(i);
    const int64_t scale = interleaves ? k.gang.threads() : 1;
    i->collectOffset(data, bits, variables, constant);
    rows result;
    for (unsigned r = 0; r < count(i); r++) {
        Value *offset = b.getInt64(
            (uint64_t)(constant.getSExtValue() * scale));
        for (auto &variable : variables) {
            Value *index = first_index(variable.first, r);
            offset = b.CreateAdd(
                offset,
                b.CreateMul(index, b.getInt64((uint64_t)(
                                       variable.second.getSExtValue()
                                       * scale))));
        }
        result.push_back(b.CreateGEP(
            b.getInt8Ty(), scalar(i->getPointerOperand(), r), offset));
    }
    return result;
}

/* Is it an address in an interleaved array? */
static bool is_address_of_local(const kernel &k, const Instruction *i)
{
    return k.interleaved.count(i) != 0;
}

/* An address that differs in each lane. */
Value *widener::emit_vector_address(GetElementPtrInst *i, unsigned row)
{
    if (!is_address_of_local(k, i)) {
        SmallVector<Value *, 4> indices;
        Value *base = i->getPointerOperand();
        for (Value *index : i->indices())
            indices.push_back(k.shape_of(index).is_scalar()
                                  ? scalar(index, row)
                                  : vector(index, row));
        base = k.shape_of(base).is_scalar() ? scalar(base, row)
                                            : vector(base, row);
        return b.CreateGEP(i->getSourceElementType(), base, indices);
    }
    MapVector<Value *, APInt> variables;
    const unsigned bits = data.getIndexTypeSizeInBits(i->getType());
    const int64_t scale = k.gang.threads();
    APInt constant(bits, 0);
    i->collectOffset(data, bits, variables, constant);
    Value *offset = b.CreateVectorSplat(
        lanes, b.getInt64((uint64_t)(constant.getSExtValue() * scale)));
    for (auto &variable : variables) {
        Value *index = b.CreateSExtOrTrunc(
            vector(variable.first, row), FixedVectorType::get(b.getInt64Ty(),
                                                              lanes));
        Value *step = b.CreateVectorSplat(
            lanes, b.getInt64((uint64_t)(variable.second.getSExtValue()
                                         * scale)));
        offset = b.CreateAdd(offset, b.CreateMul(index, step));
    }
    return b.CreateGEP(b.getInt8Ty(), vector(i->getPointerOperand(), row),
                       offset);
}

/* One vector instruction. */
Value *widener::emit_vector(Instruction *i, unsigned row)
{
    Value *result = nullptr;
    auto operand = [&](unsigned n) { return vector(i->getOperand(n), row); };
    if (Value *divided = emit_division(i, row))
        return divided;
    if (auto *binary = dyn_cast<BinaryOperator>(i))
        result = b.CreateBinOp(binary->getOpcode(), operand(0),
                               safe_divisor(i, operand(1), row, false));
    else if (auto *unary = dyn_cast<UnaryOperator>(i))
        result = b.CreateUnOp(unary->getOpcode(), operand(0));
    else if (auto *cast = dyn_cast<CastInst>(i))
        result = b.CreateCast(cast->getOpcode(), operand(0),
                              FixedVectorType::get(cast->getDestTy(), lanes));
    else if (auto *comparison = dyn_cast<CmpInst>(i))
        result = b.CreateCmp(comparison->getPredicate(), operand(0),
                             operand(1));
    else if (isa<SelectInst>(i))
        result = b.CreateSelect(k.shape_of(i->getOperand(0)).is_scalar()
                                    ? scalar(i->getOperand(0), row)
                                    : operand(0),
                                operand(1), operand(2));
    else if (isa<FreezeInst>(i))
        result = b.CreateFreeze(operand(0));
    else if (auto *address = dyn_cast<GetElementPtrInst>(i))
        return emit_vector_address(address, row);
    if (!result) {
        k.refuse(std::string("no vector form of ") + i->getOpcodeName());
        return PoisonValue::get(FixedVectorType::get(i->getType(), lanes));
    }
    if (auto *made = dyn_cast<Instruction>(result))
        made->copyIRFlags(i);
    return result;
}

/* A vector instruction a row. */
rows widener::emit_varying(Instruction *i)
{
    rows result;
    for (unsigned r = 0; r < row_count; r++)
        result.push_back(emit_vector(i, r));
    return result;
}

static bool has_plain_type(const Type *type)
{
    return type->isVoidTy() || type->isPointerTy() || type->isFloatTy()
           || type->isDoubleTy() || type->isHalfTy() || type->isBFloatTy()
           || (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
}

/* One instruction, by its kind and shape. */
void widener::emit(Instruction *i)
{
    const shape s = k.shape_of(i);
    if (!has_plain_type(i->getType()))
        return k.refuse("a value is a vector or a struct");
    if (i->isVolatile())
        return k.refuse("it has volatile accesses");
    if (i->isAtomic() && !isa<FenceInst>(i))
        return k.refuse("it has atomic operations");
    if (i->isLifetimeStartOrEnd())
        return;
    if (isa<FenceInst>(i)) {
        const fence_place at = place_of_fence(k, i);
        if (at == PHASE_BEGIN)
            i->clone()->insertBefore(
                phase_loops[current_phase].enter->getTerminator());
        else if (at == PHASE_END)
            i->clone()->insertInto(phase_loops[current_phase].done,
                                   phase_loops[current_phase].done->end());
        else
            b.Insert(i->clone());
        return;
    }
    if (auto *call = dyn_cast<CallBase>(i))
        return emit_call(call);
    if (emit_copied(i))
        return;
    if (auto *store = dyn_cast<StoreInst>(i))
        return emit_store(store);
    if (auto *load_of = dyn_cast<LoadInst>(i))
        return define(i, emit_load(load_of));
    if (auto *array = dyn_cast<AllocaInst>(i))
        return define(i, emit_local_array(array));
    auto *address = dyn_cast<GetElementPtrInst>(i);
    if (address && s.kind != shape::VARYING)
        return define(i, emit_address(address));
    if (s.kind == shape::VARYING)
        return define(i, emit_varying(i));
    define(i, s.follows_first() ? emit_affine(i) : emit_clone(i));
}

} // namespace vectors
