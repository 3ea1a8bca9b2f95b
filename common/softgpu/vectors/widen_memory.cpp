/* SPDX-License-Identifier: MIT */
/* Accesses of a gang: one scalar access a row, one of neighboring elements, or
 * a gather or scatter. */
#include "common/softgpu/vectors/scattered.h"
#include "common/softgpu/vectors/widener.h"

using namespace llvm;

namespace vectors {

/* The mask of a row as an operand: all ones where all threads execute. */
Value *widener::row_mask(unsigned row)
{
    return mask.empty() ? Constant::getAllOnesValue(
                              FixedVectorType::get(b.getInt1Ty(), lanes))
                        : mask[row];
}

/* Where a row has no active thread, unused memory is accessed. */
Value *widener::safe_pointer(Value *pointer, unsigned row)
{
    return mask.empty() ? pointer
                        : b.CreateSelect(any(mask[row]), pointer,
                                         unused_memory);
}

/* Do the lanes access neighboring elements? */
bool widener::is_contiguous(const Value *pointer, Type *type) const
{
    const shape s = k.shape_of(pointer);
    return s.kind == shape::AFFINE
           && s.stride == (int64_t)data.getTypeStoreSize(type)
           && data.getTypeStoreSizeInBits(type) == data.getTypeSizeInBits(type);
}

/* --- loads ---------------------------------------------------------------- */

/* Processors gather words of 4 and 8 bytes only. */
static bool is_gathered(Type *type, const DataLayout &data)
{
    const uint64_t bits = data.getTypeSizeInBits(type);
    return bits == 32 || bits == 64;
}

/* A load of neighboring elements, from the address of the first. */
Value *widener::load_neighbors(LoadInst *i, Value *address, unsigned row)
{
    auto *wide = FixedVectorType::get(i->getType(), lanes);
    return mask.empty()
               ? (Value *)b.CreateAlignedLoad(wide, address, i->getAlign())
               : b.CreateMaskedLoad(wide, address, i->getAlign(), mask[row]);
}

/* Scalar loads of the lanes' elements. */
static Value *load_elements(IRBuilderBase &b, const LoadInst *i,
                            ArrayRef<Value *> addresses)
{
    Value *result = PoisonValue::get(
        FixedVectorType::get(i->getType(), (unsigned)addresses.size()));
    for (unsigned lane = 0; lane < addresses.size(); lane++)
        result = b.CreateInsertElement(
            result,
            b.CreateAlignedLoad(i->getType(), addresses[lane], i->getAlign()),
            lane);
    return result;
}

/* A load with an address a lane. */
Value *widener::load_lanes(LoadInst *i, unsigned row)
{
    Type *type = i->getType();
    auto *wide = FixedVectorType::get(type, lanes);
    Value *pointer = i->getPointerOperand();
    if (is_contiguous(pointer, type))
        return load_neighbors(i, scalar(pointer, row), row);
    auto scattered = [&] {
        return gather(b, k, wide, vector(pointer, row), i->getAlign(),
                      row_mask(row));
    };
    if (k.shape_of(pointer).kind == shape::VARYING
        && type->getScalarSizeInBits() == 8 * WORD)
        return load_by_table(i, row, scattered);
    const bool known = k.shape_of(pointer).follows_first();
    if (!mask.empty()
        || (is_gathered(type, data) && (k.has_gather || !known)))
        return scattered();
    return load_elements(b, i,
                         known ? known_addresses(pointer, row, 0)
                               : lane_values(vector(pointer, row), 1));
}

/* Is it an address in a kernel's parameters, which do not change? */
static bool is_parameter(const Value *pointer)
{
    return isa<Argument>(pointer->stripInBoundsConstantOffsets());
}

/* A load, by the shape of its address.  Parameters are loaded once a phase, not
 * again by each of its gangs. */
rows widener::emit_load(LoadInst *i)
{
    const shape address = k.shape_of(i->getPointerOperand());
    rows result;
    if (k.packed_loads.count(i))
        return load_packed(i);
    if (auto *near = neighbors_unless_wrapped(i->getPointerOperand(),
                                              i->getType()))
        return emit_wrapped_or_contiguous(
            near,
            [&](Value *first, unsigned r) {
                return load_neighbors(i, first, r);
            },
            [&](unsigned r) { return load_lanes(i, r); });
    if (emit_load_group(i))
        return grouped_loads[i];
    for (unsigned r = 0; r < count(i); r++) {
        if (!address.is_scalar()) {
            result.push_back(load_lanes(i, r));
            continue;
        }
        Value *pointer = scalar(i->getPointerOperand(), r);
        if (address.kind == shape::ROW)
            pointer = safe_pointer(pointer, r);
        LoadInst *load
            = b.CreateAlignedLoad(i->getType(), pointer, i->getAlign());
        if (is_parameter(i->getPointerOperand()) && i->isSimple())
            load->setMetadata(LLVMContext::MD_invariant_load,
                              MDNode::get(context, {}));
        result.push_back(load);
    }
    if (!phase_loops.empty() && k.loaded_once.count(i))
        result[0] = of_first_gang(result[0]);
    return result;
}

/* --- stores --------------------------------------------------------------- */

/* The value of the last active lane; of all threads that store to one address,
 * the last one wins. */
Value *widener::last_active(Value *value, unsigned row)
{
    Value *all = vector(value, row);
    if (mask.empty())
        return b.CreateExtractElement(all, lanes - 1);
    Type *bits = b.getIntNTy(lanes);
    Value *zeros = b.CreateBinaryIntrinsic(
        Intrinsic::ctlz, b.CreateBitCast(mask[row], bits), b.getFalse());
    Value *lane = b.CreateSub(ConstantInt::get(bits, lanes - 1), zeros);
    lane = b.CreateAnd(lane, ConstantInt::get(bits, lanes - 1));
    return b.CreateExtractElement(all, lane);
}

/* A store of neighboring elements, to the address of the first. */
Value *widener::store_neighbors(StoreInst *i, Value *address, unsigned row)
{
    Value *value = vector(i->getValueOperand(), row);
    return mask.empty()
               ? (Value *)b.CreateAlignedStore(value, address, i->getAlign())
               : b.CreateMaskedStore(value, address, i->getAlign(), mask[row]);
}

/* Scalar stores of the lanes' elements, in the order of the lanes. */
static Value *store_elements(IRBuilderBase &b, const StoreInst *i,
                             Value *values, ArrayRef<Value *> addresses)
{
    Value *last = nullptr;
    for (unsigned lane = 0; lane < addresses.size(); lane++)
        last = b.CreateAlignedStore(b.CreateExtractElement(values, lane),
                                    addresses[lane], i->getAlign());
    return last;
}

/* A store with an address a lane. */
Value *widener::store_lanes(StoreInst *i, unsigned row)
{
    Value *pointer = i->getPointerOperand();
    if (is_contiguous(pointer, i->getValueOperand()->getType()))
        return store_neighbors(i, scalar(pointer, row), row);
    if (mask.empty() && !k.has_scatter && k.shape_of(pointer).follows_first())
        return store_elements(b, i, vector(i->getValueOperand(), row),
                              known_addresses(pointer, row, 0));
    return scatter(b, k, vector(i->getValueOperand(), row),
                   vector(pointer, row), i->getAlign(), row_mask(row));
}

/* One address a row. */
void widener::store_scalar(StoreInst *i)
{
    Value *value = i->getValueOperand();
    const shape address = k.shape_of(i->getPointerOperand());
    const bool one_value = k.shape_of(value).kind == shape::UNIFORM
                           && address.kind == shape::UNIFORM;
    for (unsigned r = one_value ? row_count - 1 : 0; r < row_count; r++) {
        if (address.kind == shape::UNIFORM && mask.empty()
            && r + 1 < row_count)
            continue; /* the last row wins */
        Value *stored = k.shape_of(value).is_scalar() ? scalar(value, r)
                                                      : last_active(value, r);
        Value *pointer = scalar(i->getPointerOperand(), r);
        if (!one_value)
            pointer = safe_pointer(pointer, r);
        b.CreateAlignedStore(stored, pointer, i->getAlign());
    }
}

/* A store, by the shape of its address. */
void widener::emit_store(StoreInst *i)
{
    if (k.shape_of(i->getPointerOperand()).is_scalar())
        return store_scalar(i);
    if (auto *near = neighbors_unless_wrapped(
            i->getPointerOperand(), i->getValueOperand()->getType())) {
        emit_wrapped_or_contiguous(
            near,
            [&](Value *first, unsigned r) {
                return store_neighbors(i, first, r);
            },
            [&](unsigned r) { return store_lanes(i, r); });
        return;
    }
    if (emit_store_together(i))
        return;
    for (unsigned r = 0; r < row_count; r++)
        store_lanes(i, r);
}

/* --- local memory --------------------------------------------------------- */

/* An array of local memory, for all threads of the gang. */
rows widener::emit_local_array(AllocaInst *i)
{
    enum { ALIGN = 64 };
    const uint64_t bytes = data.getTypeAllocSize(i->getAllocatedType());
    const uint64_t elements
        = cast<ConstantInt>(i->getArraySize())->getZExtValue();
    const int64_t stride = k.shape_of(i).stride;
    const uint64_t of_gang = bytes * elements * k.gang.threads();
    Value *array;
    if (k.phases.empty()) {
        IRBuilder<> at(first, first->begin());
        AllocaInst *own
            = at.CreateAlloca(ArrayType::get(b.getInt8Ty(), of_gang));
        own->setAlignment(Align(ALIGN));
        array = own;
    } else {
        array = frame_address(current_phase,
                              allocate_in_frame(of_gang, Align(ALIGN)));
    }
    rows result;
    for (unsigned r = 0; r < row_count; r++)
        result.push_back(b.CreateConstGEP1_64(
            b.getInt8Ty(), array, (uint64_t)stride * lanes * r));
    return result;
}

} // namespace vectors
