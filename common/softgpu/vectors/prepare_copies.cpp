/* SPDX-License-Identifier: MIT */
/* Copies that are calls, as loads and stores: memcpy() and memset() of few
 * bytes, and cp.async. */
#include <llvm/IR/IntrinsicInst.h>

#include "common/softgpu/vectors/vectors.h"

using namespace llvm;

namespace vectors {

static Value *offset_pointer(IRBuilder<> &b, Value *pointer, uint64_t bytes)
{
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), pointer, bytes);
}

/* memset() and memcpy() of few bytes become loads and stores. */
static bool expand_memory_call(MemIntrinsic *call)
{
    enum { MOST_BYTES = 1024 };
    auto *length = dyn_cast<ConstantInt>(call->getLength());
    if (!length || length->getZExtValue() > MOST_BYTES)
        return false;
    IRBuilder<> b(call);
    const uint64_t bytes = length->getZExtValue();
    auto *copy = dyn_cast<MemTransferInst>(call);
    auto *fill = dyn_cast<MemSetInst>(call);
    Align align = call->getDestAlign().valueOrOne();
    if (copy)
        align = std::min(align, copy->getSourceAlign().valueOrOne());
    const uint64_t step = bytes % 4 == 0 && align >= Align(4) ? 4 : 1;
    Type *type = b.getIntNTy((unsigned)step * 8);
    SmallVector<Value *, 64> values;
    for (uint64_t at = 0; at < bytes; at += step) {
        Value *value;
        if (copy) {
            value = b.CreateAlignedLoad(
                type, offset_pointer(b, copy->getSource(), at), Align(step));
        } else {
            value = b.CreateZExt(fill->getValue(), type);
            if (step == 4)
                value = b.CreateMul(value, b.getInt32(0x01010101));
        }
        values.push_back(value);
    }
    for (uint64_t at = 0; at < bytes; at += step)
        b.CreateAlignedStore(values[at / step],
                             offset_pointer(b, call->getDest(), at),
                             Align(step));
    call->eraseFromParent();
    return true;
}

void expand_memory_calls(kernel &k)
{
    SmallVector<MemIntrinsic *, 8> calls;
    for (Instruction &i : instructions(k.function))
        if (auto *call = dyn_cast<MemIntrinsic>(&i))
            calls.push_back(call);
    for (MemIntrinsic *call : calls)
        if (!expand_memory_call(call))
            k.refuse("it copies or fills memory of variable or large size");
}

/* cp.async of a thread's own batches: the bytes are copied at once, which is
 * one of the times that a card may choose.
 * @return was the call replaced? */
static bool expand_async_call(CallBase *call, StringRef name)
{
    enum { WORD = 4 };
    if (!isa<ConstantPointerNull>(call->getArgOperand(0)))
        return false; /* of a pipeline or a barrier */
    if (name == "softgpu_copy_async") {
        Value *to = call->getArgOperand(1), *from = call->getArgOperand(2);
        auto *length = dyn_cast<ConstantInt>(call->getArgOperand(3));
        if (!length || isa<ConstantPointerNull>(to)
            || length->getZExtValue() % WORD)
            return false;
        IRBuilder<> b(call);
        SmallVector<Value *, 4> words;
        for (uint64_t at = 0; at < length->getZExtValue(); at += WORD)
            words.push_back(isa<ConstantPointerNull>(from)
                                ? (Value *)b.getInt32(0)
                                : b.CreateAlignedLoad(
                                      b.getInt32Ty(),
                                      offset_pointer(b, from, at),
                                      Align(WORD)));
        for (uint64_t i = 0; i < words.size(); i++)
            b.CreateAlignedStore(words[i], offset_pointer(b, to, i * WORD),
                                 Align(WORD));
    }
    call->eraseFromParent();
    return true;
}

void expand_async_copies(kernel &k)
{
    SmallVector<CallBase *, 16> calls;
    for (Instruction &i : instructions(k.function)) {
        auto *call = dyn_cast<CallBase>(&i);
        Function *callee = call ? call->getCalledFunction() : nullptr;
        if (callee && callee->getName().starts_with("softgpu_copy_"))
            calls.push_back(call);
    }
    for (CallBase *call : calls) {
        const StringRef name = call->getCalledFunction()->getName();
        if ((name != "softgpu_copy_async" && name != "softgpu_copy_commit"
             && name != "softgpu_copy_wait")
            || !expand_async_call(call, name))
            k.refuse("it has asynchronous copies of a pipeline or a barrier");
    }
    if (!calls.empty() && any_of(instructions(k.function), [](Instruction &i) {
            return i.isVolatile();
        }))
        k.refuse("a volatile access may see that a copy is not complete");
}

} // namespace vectors
