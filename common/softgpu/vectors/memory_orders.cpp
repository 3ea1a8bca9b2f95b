/* SPDX-License-Identifier: MIT */
/* Float4 in the order of memory.  Where the float4 of all lanes are neighbors,
 * four loads have their words, which shuffles bring to their lanes; a store of
 * such float4 brings them back.  Between the two there is often nothing but a
 * sum, word by word, which needs neither. */
#include "common/softgpu/vectors/groups.h"

using namespace llvm;

namespace vectors {

enum { MOST_STEPS = 64 /* values of a sum, and of its factors */ };

void memory_orders::add(Value *shuffle, std::shared_ptr<rows> vectors, int word)
{
    known[shuffle] = { std::move(vectors), word };
}

rows memory_orders::find(IRBuilderBase &b, ArrayRef<Value *> words) const
{
    unsigned left = MOST_STEPS;
    return find(b, words, left);
}

rows memory_orders::find(IRBuilderBase &b, ArrayRef<Value *> words,
                         unsigned &left) const
{
    auto *first_word = dyn_cast<BinaryOperator>(words[0]);
    const auto of = known.find(words[0]);
    rows lefts, rights, result;
    if (!left--)
        return left = 0, rows();
    for (int word = 0; word < QUAD; word++) {
        auto *own = dyn_cast<BinaryOperator>(words[(size_t)word]);
        const auto other = known.find(words[(size_t)word]);
        if (of != known.end()
                ? other == known.end() || other->second.second != word
                      || other->second.first != of->second.first
                : !first_word || !own
                      || own->getOpcode() != first_word->getOpcode())
            return {};
        lefts.push_back(own ? own->getOperand(0) : nullptr);
        rights.push_back(own ? own->getOperand(1) : nullptr);
    }
    if (of != known.end())
        return *of->second.first;
    lefts = find(b, lefts, left);
    rights = lefts.empty() ? rows() : find(b, rights, left);
    for (size_t n = 0; n < rights.size(); n++) {
        Value *own
            = b.CreateBinOp(first_word->getOpcode(), lefts[n], rights[n]);
        if (auto *made = dyn_cast<Instruction>(own)) {
            made->copyIRFlags(first_word);
            for (Value *word : words)
                made->andIRFlags(word);
        }
        result.push_back(own);
    }
    return result;
}

} // namespace vectors
