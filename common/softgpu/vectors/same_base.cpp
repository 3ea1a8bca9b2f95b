/* SPDX-License-Identifier: MIT */
/* Addresses that differ by a constant.  LLVM turns the sum threadIdx.x * 8 + 3
 * into an `or`, so the constant may be a part of an index. */
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "common/softgpu/vectors/groups.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace vectors {

namespace {

/* An index, or what it is extended from, and how. */
using term = std::pair<const Value *, unsigned>;

/* base + constant + sum of term * factor, in bytes. */
struct parts {
    const Value *base;
    int64_t constant = 0;
    MapVector<term, int64_t> factors;
};

/* Add an index.  Of `rest | bits` without a common bit the constant is a part,
 * before and after an extension, since it is not negative. */
void add_index(parts &p, const Value *index, int64_t factor)
{
    enum { MOST_BITS = 31 };
    const APInt *bits;
    Value *rest;
    term own = { index, 0 };
    if (isa<ZExtInst>(index) || isa<SExtInst>(index))
        own = { cast<CastInst>(index)->getOperand(0),
                cast<CastInst>(index)->getOpcode() };
    if (match(own.first, m_DisjointOr(m_Value(rest), m_APInt(bits)))
        && !bits->isNegative() && bits->getActiveBits() < MOST_BITS) {
        p.constant += bits->getSExtValue() * factor;
        own.first = rest;
    }
    p.factors[own] += factor;
}

parts parts_of(const Value *pointer, const DataLayout &data)
{
    const unsigned bits = data.getIndexTypeSizeInBits(pointer->getType());
    parts p;
    while (auto *address = dyn_cast<GEPOperator>(pointer)) {
        MapVector<Value *, APInt> variables;
        APInt constant(bits, 0);
        if (!address->collectOffset(data, bits, variables, constant))
            break;
        p.constant += constant.getSExtValue();
        for (auto &variable : variables)
            add_index(p, variable.first, variable.second.getSExtValue());
        pointer = address->getPointerOperand();
    }
    p.base = pointer;
    return p;
}

} // namespace

bool is_same_base(const Value *from, const Value *to, const DataLayout &data,
                  int64_t &at)
{
    const parts a = parts_of(from, data), b = parts_of(to, data);
    if (a.base != b.base || a.factors.size() != b.factors.size())
        return false;
    for (const auto &factor : a.factors)
        if (b.factors.lookup(factor.first) != factor.second)
            return false;
    at = b.constant - a.constant;
    return true;
}

} // namespace vectors
