/* SPDX-License-Identifier: MIT */
/* Float4 whose neighboring lanes share an entry of a table, as those of a tile
 * whose rows are anywhere: the four lanes that copy 16 words of a row have one
 * offset.  That their float4 are neighbors is known then, nothing is tested,
 * and the address of a run of lanes is computed as a scalar. */
#include <llvm/IR/GetElementPtrTypeIterator.h>

#include "common/softgpu/vectors/quads.h"
#include "common/softgpu/vectors/widener.h"

using namespace llvm;

namespace vectors {

enum { MOST_STEPS = 8 /* of an address that is followed */ };

/* From the first lane of its run to each lane.
 * @param to  gets the sum of what it has and that; bytes for a pointer
 * @return are they constants? */
static bool add_offsets(const kernel &k, const Value *value, unsigned run,
                        unsigned steps, uint64_t factor, lane_offsets &to);

/* Is the value the same for the lanes of each run? */
static bool is_same_in_runs(const kernel &k, const Value *value, unsigned run,
                            unsigned steps)
{
    lane_offsets all = {};
    return add_offsets(k, value, run, steps, 1, all) && all == lane_offsets();
}

/* Those of an address: of its base, and of its indices. */
static bool add_address(const kernel &k, const GEPOperator *address,
                        unsigned run, unsigned steps, uint64_t factor,
                        lane_offsets &to)
{
    const DataLayout &data = k.function->getParent()->getDataLayout();
    if (!add_offsets(k, address->getPointerOperand(), run, steps, factor, to))
        return false;
    for (auto t = gep_type_begin(address); t != gep_type_end(address); ++t)
        if (!t.getStructTypeOrNull()
            && !add_offsets(k, t.getOperand(), run, steps,
                            factor * t.getSequentialElementStride(data), to))
            return false;
    return true;
}

static bool add_offsets(const kernel &k, const Value *value, unsigned run,
                        unsigned steps, uint64_t factor, lane_offsets &to)
{
    const shape s = k.shape_of(value);
    if (s.is_scalar())
        return true;
    if (s.follows_first()) {
        for (unsigned lane = 0; lane < k.gang.lanes; lane++)
            to[lane] += (int64_t)factor
                        * (s.offset(lane) - s.offset(lane / run * run));
        return true;
    }
    if (!steps)
        return false;
    if (auto *address = dyn_cast<GEPOperator>(value))
        return add_address(k, address, run, steps - 1, factor, to);
    if (auto *load = dyn_cast<LoadInst>(value))
        return load->isSimple()
               && is_same_in_runs(k, load->getPointerOperand(), run,
                                  steps - 1);
    auto *i = dyn_cast<Instruction>(value);
    if (!i || !(isa<CastInst>(i) || isa<BinaryOperator>(i)))
        return false;
    for (const Value *operand : i->operands())
        if (!is_same_in_runs(k, operand, run, steps - 1))
            return false;
    return true;
}

/* May the words at the load's address be read again before an instruction? */
static bool is_unchanged(const LoadInst *load, const Instruction *before)
{
    if (!load->isSimple() || load->getParent() != before->getParent())
        return false;
    for (const Instruction *i = load; i != before; i = i->getNextNode()) {
        auto *call = i ? dyn_cast<CallBase>(i) : nullptr;
        const Function *f = call ? call->getCalledFunction() : nullptr;
        if (!i
            || (i->mayWriteToMemory()
                && !(f && (f->getName() == alignment_test
                           || f->getName() == failure_test))))
            return false;
    }
    return true;
}

/* Can lane_value() compute it? */
static bool is_computable(const kernel &k, const row_values &row, Value *value,
                          const Instruction *before, unsigned steps)
{
    auto *i = dyn_cast<Instruction>(value);
    if (!i || row.is_available(i))
        return true;
    if (!steps || k.shape_of(value).kind != shape::VARYING
        || !(isa<GetElementPtrInst>(i) || isa<CastInst>(i)
             || isa<BinaryOperator>(i)))
        return false;
    return all_of(i->operands(), [&](Value *operand) {
        return is_computable(k, row, operand, before, steps - 1);
    });
}

/* The value of a lane, as a scalar. */
static Value *lane_value(IRBuilderBase &b, const kernel &k,
                         const row_values &row, Value *value, unsigned lane,
                         const Instruction *before, unsigned steps)
{
    const shape s = k.shape_of(value);
    auto operand = [&](Value *of) {
        return lane_value(b, k, row, of, lane, before, steps - 1);
    };
    if (s.kind != shape::VARYING) {
        Value *first = row.first(value);
        if (!s.offset(lane))
            return first;
        return first->getType()->isPointerTy()
                   ? b.CreateConstGEP1_64(b.getInt8Ty(), first,
                                          (uint64_t)s.offset(lane))
                   : b.CreateAdd(first,
                                 ConstantInt::getSigned(first->getType(),
                                                        s.offset(lane)));
    }
    auto *i = cast<Instruction>(value);
    auto *load = dyn_cast<LoadInst>(i);
    if (steps && load && is_unchanged(load, before)
        && is_computable(k, row, load->getPointerOperand(), before, steps - 1))
        return b.CreateAlignedLoad(load->getType(),
                                   operand(load->getPointerOperand()),
                                   load->getAlign());
    if (!steps
        || !(isa<GetElementPtrInst>(i) || isa<CastInst>(i)
             || isa<BinaryOperator>(i))
        || !all_of(i->operands(), [&](Value *of) {
               return is_computable(k, row, of, before, steps - 1);
           }))
        return b.CreateExtractElement(row.vector(value), (uint64_t)lane);
    Instruction *own = i->clone();
    own->dropUnknownNonDebugMetadata();
    for (Use &use : own->operands())
        use.set(operand(use.get()));
    return b.Insert(own);
}

unsigned known_run(const kernel &k, const Value *pointer, unsigned most)
{
    for (unsigned run = most; run > 1; run /= 2) {
        lane_offsets offsets = {};
        bool fits = add_offsets(k, pointer, run, MOST_STEPS, 1, offsets);
        for (unsigned lane = 0; lane < k.gang.lanes; lane++)
            fits = fits && offsets[lane] == (int64_t)(lane % run) * QUAD * WORD;
        if (fits)
            return run;
    }
    return 1;
}

rows addresses_of_runs(IRBuilderBase &b, const kernel &k,
                       const row_values &row, Value *pointer, unsigned run,
                       const Instruction *before)
{
    rows result;
    for (unsigned lane = 0; lane < k.gang.lanes; lane += run)
        result.push_back(
            lane_value(b, k, row, pointer, lane, before, MOST_STEPS));
    return result;
}

rows widener::scalar_runs(Value *pointer, unsigned row, unsigned run,
                          const Instruction *before)
{
    return addresses_of_runs(
        b, k,
        { [&](Value *value) { return scalar(value, row); },
          [&](Value *value) { return vector(value, row); },
          [&](Value *value) { return is_available(value); } },
        pointer, run, before);
}

} // namespace vectors
