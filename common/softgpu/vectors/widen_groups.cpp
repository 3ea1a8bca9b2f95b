/* SPDX-License-Identifier: MIT */
/* Loads that are executed together.
 *
 * The lanes' addresses may differ by constants, as those of s[threadIdx.x / 4]
 * or of the members of a float4: vector loads of the elements that they span,
 * and shuffles, are faster than gathers.  Four neighboring words from any
 * address a lane are a load of 16 bytes a lane.
 *
 * Where a mask is needed, this is done if all threads of the row are active.
 * No byte is loaded but those between the first and the last that threads
 * load. */
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Operator.h>

#include "common/softgpu/vectors/quads.h"
#include "common/softgpu/vectors/scattered.h"
#include "common/softgpu/vectors/widener.h"

using namespace llvm;

namespace vectors {

/* Most bytes of a vector in memory whose parts are loaded at once.  Of a store
 * of 64 bytes, Intel's processors forward only the first 32 to such loads; the
 * others wait until the store has left the store buffer. */
static constexpr unsigned FORWARDED_BYTES = 32;

int64_t size_of(Type *type, const DataLayout &data)
{
    const int64_t size = (int64_t)data.getTypeStoreSize(type);
    return size * 8 == (int64_t)data.getTypeSizeInBits(type) ? size : 0;
}

/* Are the lanes' offsets known, in whole elements? */
bool widener::has_known_offsets(const Value *pointer, Type *type) const
{
    const shape s = k.shape_of(pointer);
    const int64_t size = size_of(type, data);
    if (!s.follows_first() || !size)
        return false;
    for (unsigned lane = 0; lane < lanes; lane++)
        if (s.offset(lane) % size)
            return false;
    return true;
}

/* Elements of neighboring vectors, by their numbers.  Each shuffle takes two
 * vectors, so of four the halves are selected first. */
Value *widener::select_elements(ArrayRef<Value *> from, ArrayRef<int> selected)
{
    if (from.size() <= 2)
        return b.CreateShuffleVector(from[0], from.back(), selected);
    const unsigned half = (unsigned)PowerOf2Ceil(from.size()) / 2;
    const int middle = (int)(half * lanes), count = (int)selected.size();
    SmallVector<int, MOST_LANES> low, high, both;
    for (int i = 0; i < count; i++) {
        const bool is_low = selected[i] < middle;
        low.push_back(is_low ? selected[i] : PoisonMaskElem);
        high.push_back(is_low ? PoisonMaskElem : selected[i] - middle);
        both.push_back(is_low ? i : i + count);
    }
    Value *const lower = select_elements(from.take_front(half), low);
    Value *const upper = select_elements(from.drop_front(half), high);
    return b.CreateShuffleVector(lower, upper, both);
}

/* One way if all threads of the row are active, and the condition (of each
 * thread, or of the row) holds, which is likely; else another one. */
rows widener::emit_if_all(unsigned row, Value *condition,
                          function_ref<rows()> together,
                          function_ref<rows()> separate)
{
    if (mask.empty() && !condition)
        return together();
    Type *bits = b.getIntNTy(lanes);
    Value *all = b.getTrue();
    for (Value *each : { condition, mask.empty() ? nullptr : mask[row] }) {
        if (each && each->getType()->isVectorTy())
            each = b.CreateICmpEQ(b.CreateBitCast(each, bits),
                                  ConstantInt::getAllOnesValue(bits));
        all = each ? b.CreateAnd(all, each) : all;
    }
    BasicBlock *whole = new_block("whole_row"), *part = new_block("part");
    BasicBlock *const after = new_block("accessed");
    b.CreateCondBr(all, whole, part,
                   MDBuilder(context).createLikelyBranchWeights());
    b.SetInsertPoint(whole);
    const rows of_whole = together();
    whole = b.GetInsertBlock();
    b.CreateBr(after);
    b.SetInsertPoint(part);
    const rows of_part = separate();
    part = b.GetInsertBlock();
    b.CreateBr(after);
    b.SetInsertPoint(after);
    rows result;
    for (size_t i = 0; i < of_whole.size(); i++) {
        PHINode *value = b.CreatePHI(of_whole[i]->getType(), 2);
        value->addIncoming(of_whole[i], whole);
        value->addIncoming(of_part[i], part);
        result.push_back(value);
    }
    return result;
}

/* --- loads ---------------------------------------------------------------- */

/* Is the address made of a kernel's parameter?  The host set that, which knows
 * no address of shared memory. */
static bool is_of_parameter(const Value *pointer)
{
    while (auto *address = dyn_cast<GEPOperator>(pointer))
        pointer = address->getPointerOperand();
    auto *load = dyn_cast<LoadInst>(pointer);
    return isa<Argument>(load ? load->getPointerOperand()
                                    ->stripInBoundsConstantOffsets()
                              : pointer);
}

/* May the instruction write what the load reads? */
static bool may_write(const Instruction *i, const LoadInst *load)
{
    auto *store = dyn_cast<StoreInst>(i);
    return i->mayWriteToMemory()
           && !(store && store->isSimple()
                && is_shared_address(store->getPointerOperand())
                && is_of_parameter(load->getPointerOperand()));
}

/* The load, and those of the same base after it, up to a store to these. */
static load_group loads_after(LoadInst *i, const DataLayout &data)
{
    load_group all;
    int64_t at;
    for (Instruction *next = i; next && !may_write(next, i);
         next = next->getNextNode()) {
        auto *load = dyn_cast<LoadInst>(next);
        if (load && load->getType() == i->getType() && load->isSimple()
            && is_same_base(i->getPointerOperand(), load->getPointerOperand(),
                            data, at))
            all.members.push_back({ load, at });
    }
    return all;
}

/* Keep the loads of one span of at most MOST_VECTORS vectors. */
static void keep_span(load_group &group, const kernel &k,
                      const DataLayout &data)
{
    const unsigned lanes = k.gang.lanes;
    const LoadInst *front = group.members.front().first;
    const shape s = k.shape_of(front->getPointerOperand());
    const int64_t size = size_of(front->getType(), data);
    int64_t least = 0, largest = 0;
    for (unsigned lane = 0; lane < lanes; lane++) {
        least = std::min(least, s.offset(lane));
        largest = std::max(largest, s.offset(lane));
    }
    std::vector<load_group::member> kept;
    group.begin = least;
    group.end = largest + size;
    for (const load_group::member &m : group.members) {
        const int64_t begin = std::min(group.begin, m.second + least);
        const int64_t end = std::max(group.end, m.second + largest + size);
        if (end - begin > size * lanes * MOST_VECTORS || m.second % size)
            continue;
        group.begin = begin;
        group.end = end;
        kept.push_back(m);
    }
    group.members = kept;
}

/* Keep four loads of neighboring words, in the order of their places, one of
 * which is the group's first: LLVM often loads the last word first. */
static void keep_quad(load_group &group)
{
    std::map<int64_t, LoadInst *> places;
    for (const load_group::member &m : group.members)
        places.insert({ m.second, m.first });
    group.members.clear();
    for (int64_t begin = (1 - QUAD) * WORD;
         begin <= 0 && group.members.size() < QUAD; begin += WORD) {
        group.members.clear();
        group.begin = begin;
        group.end = begin + QUAD * WORD;
        for (int64_t at = begin; at < group.end && places.count(at);
             at += WORD)
            group.members.push_back({ places[at], at });
    }
}

/* The elements of a span, from the address of the group's first load, and the
 * shuffles that select those of each load. */
rows widener::load_span(const load_group &group, Value *address)
{
    LoadInst *front = group.members.front().first;
    Type *type = front->getType();
    auto *wide = FixedVectorType::get(type, lanes);
    const int64_t size = size_of(type, data);
    const shape s = k.shape_of(front->getPointerOperand());
    rows elements, result;
    prefetch_next(front, { b.CreateConstGEP1_64(b.getInt8Ty(), address,
                                                (uint64_t)group.begin) },
                  (uint64_t)(group.end - group.begin));
    for (int64_t at = group.begin; at < group.end; at += size * lanes) {
        Value *from = b.CreateConstGEP1_64(b.getInt8Ty(), address,
                                           (uint64_t)at);
        const int64_t left = (group.end - at) / size;
        SmallVector<Constant *, MOST_LANES> exist;
        for (unsigned lane = 0; lane < lanes; lane++)
            exist.push_back(b.getInt1(lane < left));
        const Align align((uint64_t)size);
        elements.push_back(
            left >= lanes ? (Value *)b.CreateAlignedLoad(wide, from, align)
                          : b.CreateMaskedLoad(wide, from, align,
                                               ConstantVector::get(exist)));
    }
    for (const load_group::member &m : group.members) {
        SmallVector<int, MOST_LANES> selected;
        for (unsigned lane = 0; lane < lanes; lane++)
            selected.push_back(
                (int)((m.second + s.offset(lane) - group.begin) / size));
        result.push_back(select_elements(elements, selected));
    }
    if (elements.size() == QUAD && s.kind == shape::AFFINE
        && s.stride == QUAD * WORD) {
        const auto vectors = std::make_shared<rows>(elements);
        for (size_t m = 0; m < result.size(); m++)
            in_memory.add(result[m], vectors,
                          (int)(group.members[m].second - group.begin) / WORD);
    }
    return result;
}

/* The values of lanes pass through memory: scalar loads take fewer instructions
 * than extracts. */
rows widener::lane_values(Value *values, unsigned step)
{
    IRBuilder<> at_begin(first, first->begin());
    auto *all = cast<FixedVectorType>(values->getType());
    Type *one = all->getElementType();
    const unsigned count = all->getNumElements();
    const unsigned part
        = std::min(count, FORWARDED_BYTES
                              / (unsigned)data.getTypeStoreSize(one));
    auto *type = FixedVectorType::get(one, part);
    rows result;
    for (unsigned begin = 0; begin < count; begin += part) {
        SmallVector<int, MOST_LANES> selected;
        for (unsigned lane = begin; lane < begin + part; lane++)
            selected.push_back((int)lane);
        AllocaInst *memory = at_begin.CreateAlloca(type);
        b.CreateStore(b.CreateShuffleVector(values, selected), memory, true);
        for (unsigned lane = 0; lane < part; lane += step)
            result.push_back(b.CreateLoad(
                one, b.CreateConstInBoundsGEP1_64(one, memory, lane), true));
    }
    return result;
}

/* The addresses of the lanes, whose offsets from the first one are known. */
rows widener::known_addresses(Value *pointer, unsigned row, int64_t begin)
{
    const shape s = k.shape_of(pointer);
    Value *address = scalar(pointer, row);
    rows result;
    for (unsigned lane = 0; lane < lanes; lane++)
        result.push_back(b.CreateConstGEP1_64(
            b.getInt8Ty(), address, (uint64_t)(begin + s.offset(lane))));
    return result;
}

/* Do the loads take four neighboring words, in their order? */
static bool is_quad(const load_group &group)
{
    for (size_t m = 0; m < group.members.size(); m++)
        if (group.members[m].second != group.begin + (int64_t)m * WORD)
            return false;
    return group.members.size() == QUAD;
}

/* The loads of a group, each with an address a lane. */
rows widener::load_single(const load_group &group, Value *pointers,
                          unsigned row)
{
    rows result;
    if (is_quad(group))
        return gather_quad(
            b, k,
            FixedVectorType::get(group.members[0].first->getType(), lanes),
            b.CreateGEP(b.getInt8Ty(), pointers,
                        b.getInt64((uint64_t)group.begin)),
            group.members[0].first->getAlign(), row_mask(row));
    for (const load_group::member &m : group.members) {
        Value *from = b.CreateGEP(b.getInt8Ty(), pointers,
                                  b.getInt64((uint64_t)m.second));
        result.push_back(gather(
            b, k, FixedVectorType::get(m.first->getType(), lanes), from,
            m.first->getAlign(), row_mask(row)));
    }
    return result;
}

/* The loads that are executed together with this one: those of a span, or of
 * four words a lane.
 * @param spans  are the lanes' offsets known? Gets: is it a span?
 * @return false: too few */
bool widener::find_load_group(LoadInst *i, load_group &group, bool &spans) const
{
    const int64_t most = WORD * (int64_t)lanes * MOST_VECTORS;
    group = loads_after(i, data);
    if (spans)
        keep_span(group, k, data);
    const bool far = spans && group.end - group.begin > most;
    if (far)
        group = loads_after(i, data);
    spans &= !far;
    if (!spans)
        keep_quad(group);
    return group.members.size()
           >= (spans ? (mask.empty() ? 1 : 2) : (size_t)QUAD);
}

/* Execute the load together with others; false: it is not one of them. */
bool widener::emit_load_group(LoadInst *i)
{
    if (grouped_loads.count(i))
        return true;
    Value *pointer = i->getPointerOperand();
    const bool known_offsets = has_known_offsets(pointer, i->getType());
    bool spans = known_offsets;
    load_group group;
    if ((!known_offsets && k.shape_of(pointer).kind != shape::VARYING)
        || is_contiguous(pointer, i->getType()) || !i->isSimple()
        || size_of(i->getType(), data) != WORD
        || !find_load_group(i, group, spans))
        return false;
    const auto index = known_offsets ? std::nullopt : index_of(pointer);
    for (unsigned r = 0; r < row_count; r++) {
        Value *address = spans ? scalar(pointer, r) : nullptr;
        Value *pointers = known_offsets && mask.empty() ? nullptr
                                                        : vector(pointer, r);
        auto quads = [&](unsigned run) {
            if (known_offsets)
                return load_quad(group,
                                 known_addresses(pointer, r, group.begin));
            if (index)
                return load_quad(
                    group, indexed_addresses(*index, r, run, group.begin));
            return load_quad(
                group, lane_values(b.CreateGEP(
                           b.getInt8Ty(), first_of_runs(b, pointers, run),
                           b.getInt64((uint64_t)group.begin)), 1));
        };
        auto any_row = [&] {
            return emit_if_all(
                r, nullptr,
                [&] { return spans ? load_span(group, address) : quads(1); },
                [&] { return load_single(group, pointers, r); });
        };
        const rows values
            = known_offsets ? any_row()
                            : emit_if_all(
                                  r,
                                  index ? are_indexed_runs(
                                              b, vector(index->index, r), PAIR)
                                        : are_runs(b, pointers, PAIR),
                                  [&] { return quads(PAIR); }, any_row);
        for (size_t m = 0; m < group.members.size(); m++)
            grouped_loads[group.members[m].first].push_back(values[m]);
    }
    return true;
}

} // namespace vectors
