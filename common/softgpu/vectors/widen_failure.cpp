/* SPDX-License-Identifier: MIT */
/* Errors of a gang: misaligned addresses, and what device code reports. */
#include <llvm/IR/MDBuilder.h>

#include "common/softgpu/vectors/widener.h"

using namespace llvm;

namespace vectors {

/* An error, if the condition holds: `format` is that of its message, with an
 * address.  The core then runs the block's threads one by one (run_grid.c), and
 * reports the first that fails, with its line. */
void widener::emit_failure(Value *condition, unsigned error,
                           const char *format,
                           function_ref<Value *()> address)
{
    BasicBlock *fails = new_block("fails"), *after = new_block("no_failure");
    MDBuilder metadata(context);
    b.CreateCondBr(condition, fails, after,
                   metadata.createUnlikelyBranchWeights());
    b.SetInsertPoint(fails);
    FunctionCallee report = module->getOrInsertFunction(
        "softgpu_fail", FunctionType::get(b.getVoidTy(),
                                          { b.getInt32Ty(), b.getPtrTy() },
                                          true));
    b.CreateCall(report, { b.getInt32(error),
                           b.CreateGlobalString(format, "", 0, module),
                           address() });
    b.CreateBr(after);
    b.SetInsertPoint(after);
}

/* The first address of an active thread that has one of the low bits. */
Value *widener::first_misaligned(Value *pointer, Value *low)
{
    Value *result = Constant::getNullValue(b.getPtrTy());
    for (unsigned r = row_count; r-- > 0;) {
        Value *addresses = vector(pointer, r);
        Type *words = FixedVectorType::get(b.getInt64Ty(), lanes);
        Value *bits = b.CreateAnd(b.CreatePtrToInt(addresses, words),
                                  b.CreateVectorSplat(lanes, low));
        Value *wrong = b.CreateICmpNE(bits, Constant::getNullValue(words));
        if (!mask.empty())
            wrong = b.CreateAnd(wrong, mask[r]);
        Type *set = b.getIntNTy(lanes);
        Value *lane = b.CreateBinaryIntrinsic(
            Intrinsic::cttz, b.CreateBitCast(wrong, set), b.getFalse());
        lane = b.CreateAnd(lane, ConstantInt::get(set, lanes - 1));
        result = b.CreateSelect(any(wrong),
                                b.CreateExtractElement(addresses, lane),
                                result);
    }
    return result;
}

/* Is the address of an active thread misaligned? */
void widener::emit_alignment_test(CallBase *i)
{
    enum { MISALIGNED = 716 };
    Value *pointer = i->getArgOperand(0), *low = i->getArgOperand(1);
    const shape s = k.shape_of(pointer);
    const int64_t bits = cast<ConstantInt>(low)->getSExtValue();
    bool first_decides = s.kind != shape::VARYING;
    for (unsigned lane = 0; lane < lanes; lane++)
        first_decides &= (s.offset(lane) & bits) == 0;
    Type *word = b.getInt64Ty();
    Value *wrong = b.getInt64(0);
    for (unsigned r = 0; r < count(pointer); r++) {
        Value *of_row;
        if (first_decides) {
            of_row = b.CreatePtrToInt(scalar(pointer, r), word);
            if (!mask.empty() && s.kind != shape::UNIFORM)
                of_row = b.CreateSelect(any(mask[r]), of_row, b.getInt64(0));
        } else {
            of_row = b.CreatePtrToInt(vector(pointer, r),
                                      FixedVectorType::get(word, lanes));
            if (!mask.empty())
                of_row = b.CreateSelect(
                    mask[r], of_row,
                    Constant::getNullValue(of_row->getType()));
            of_row = b.CreateOrReduce(of_row);
        }
        wrong = b.CreateOr(wrong, of_row);
    }
    wrong = b.CreateIsNotNull(b.CreateAnd(wrong, low));
    if (!mask.empty())
        wrong = b.CreateAnd(wrong, any(mask));
    emit_failure(wrong, MISALIGNED, "misaligned address %p",
                 [&] { return first_misaligned(pointer, low); });
}

/* Does the condition hold for an active thread?  The rows are joined before
 * one test of their bits. */
Value *widener::any_holds(Value *condition)
{
    const shape s = k.shape_of(condition);
    Value *holds = nullptr;
    for (unsigned r = 0; r < count(condition); r++) {
        Value *own = s.is_scalar() ? scalar(condition, r)
                                   : vector(condition, r);
        if (!mask.empty())
            own = b.CreateLogicalAnd(
                !s.is_scalar()            ? mask[r]
                : s.kind == shape::UNIFORM ? any(mask)
                                           : any(mask[r]),
                own);
        holds = holds ? b.CreateOr(holds, own) : own;
    }
    return s.is_scalar() ? holds : any(holds);
}

/* if (condition) softgpu_fail(...) of the scalar code, or an assertion: when
 * the block runs again, the same threads must fail. */
void widener::emit_failure_test(CallBase *i)
{
    enum { LAUNCH_FAILURE = 719 };
    if (!cast<ConstantInt>(i->getArgOperand(1))->isZero()
        && depends_on_memory(k, i))
        return k.refuse("an assertion depends on memory, which the kernel may "
                        "change");
    emit_failure(any_holds(i->getArgOperand(0)), LAUNCH_FAILURE,
                 "a thread of the block failed",
                 [&] { return Constant::getNullValue(b.getPtrTy()); });
}

} // namespace vectors
