/* SPDX-License-Identifier: MIT */
/* What is known of the alignment of an address, and tests that follow from it.
 * LLVM looks at most six operations deep: from the address of an element of a
 * tile to the bits of threadIdx.x there are more. */
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>
#include <llvm/Transforms/Utils/Local.h>

#include "common/softgpu/vectors/prepare.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace vectors {

/* Low bits of an index that are 0; each index is looked at for itself. */
static unsigned low_zeros(Value *index, const alignment_facts &facts)
{
    return computeKnownBits(index, facts.data, 0, &facts.assumptions,
                            facts.at, &facts.dominators)
        .countMinTrailingZeros();
}

/* Low bits of what an address adds to its base that are 0. */
static unsigned low_zeros_of_offset(GEPOperator *address,
                                    const alignment_facts &facts)
{
    unsigned zeros = Log2(Align(Value::MaximumAlignment));
    for (auto step = gep_type_begin(address), end = gep_type_end(address);
         step != end; ++step) {
        Value *index = step.getOperand();
        auto *constant = dyn_cast<ConstantInt>(index);
        uint64_t bytes;
        if (StructType *type = step.getStructTypeOrNull()) {
            bytes = facts.data.getStructLayout(type)->getElementOffset(
                (unsigned)constant->getZExtValue());
            if (bytes)
                zeros = std::min(zeros, (unsigned)countr_zero(bytes));
            continue;
        }
        bytes = step.getSequentialElementStride(facts.data)
                    .getFixedValue();
        if (bytes && !(constant && constant->isZero()))
            zeros = std::min(zeros, (unsigned)countr_zero(bytes)
                                        + low_zeros(index, facts));
    }
    return zeros;
}

Align known_alignment(Value *address, const alignment_facts &facts)
{
    Align known = getKnownAlignment(address, facts.data, facts.at,
                                    &facts.assumptions, &facts.dominators);
    auto *step = dyn_cast<GEPOperator>(address);
    if (!step || step->getType()->isVectorTy())
        return known;
    const Align of_base = known_alignment(step->getPointerOperand(), facts);
    const unsigned zeros = std::min(low_zeros_of_offset(step, facts),
                                    Log2(of_base));
    return std::max(known, Align(1ull << zeros));
}

void fold_alignment_tests(Function *f, AssumptionCache &assumptions,
                          DominatorTree &dominators)
{
    const DataLayout &data = f->getParent()->getDataLayout();
    SmallVector<std::pair<Instruction *, Value *>, 16> tests;
    for (Instruction &i : instructions(f)) {
        Value *address;
        const APInt *bits;
        if (match(&i, m_And(m_PtrToInt(m_Value(address)), m_APInt(bits)))
            && bits->ult(known_alignment(
                             address, { data, assumptions, dominators, &i })
                             .value()))
            tests.push_back({ &i, ConstantInt::get(i.getType(), 0) });
    }
    for (auto [test, result] : tests) {
        test->replaceAllUsesWith(result);
        RecursivelyDeleteTriviallyDeadInstructions(test);
    }
}

} // namespace vectors
