/* SPDX-License-Identifier: MIT */
/* Errors of a gang: misaligned addresses, and what device code reports. */
#include <llvm/IR/MDBuilder.h>

#include "common/softgpu/vectors/quads.h"
#include "common/softgpu/vectors/widener.h"

using namespace llvm;

namespace vectors {

/* An error, if the condition holds.  The core then runs the block's threads one
 * by one (run_grid.c), and reports the first that fails, with its line and
 * address.  So one block of the function serves all places of a message. */
void widener::emit_failure(Value *condition, unsigned error,
                           const char *message)
{
    BasicBlock *&fails = failures[message], *after = new_block("no_failure");
    if (!fails) {
        fails = new_block("fails");
        IRBuilder<> at(fails);
        FunctionCallee report = module->getOrInsertFunction(
            "softgpu_fail", FunctionType::get(at.getVoidTy(),
                                              { at.getInt32Ty(),
                                                at.getPtrTy() },
                                              true));
        at.CreateCall(report,
                      { at.getInt32(error),
                        at.CreateGlobalString(message, "", 0, module) });
        at.CreateUnreachable();
    }
    b.CreateCondBr(condition, fails, after,
                   MDBuilder(context).createUnlikelyBranchWeights());
    b.SetInsertPoint(after);
}

/* Is the address of an active thread misaligned? */
void widener::emit_alignment_test(CallBase *i)
{
    enum { MISALIGNED = 716 };
    Value *pointer = i->getArgOperand(0);
    const shape s = k.shape_of(pointer);
    const int64_t bits
        = cast<ConstantInt>(i->getArgOperand(1))->getSExtValue();
    bool first_decides = s.kind != shape::VARYING;
    for (unsigned lane = 0; lane < lanes; lane++)
        first_decides &= (s.offset(lane) & bits) == 0;
    Type *word = b.getInt64Ty();
    Value *all = nullptr; /* the rows' low bits, or those of each lane */
    const unsigned run
        = !first_decides && mask.empty() && bits < QUAD * WORD
              ? known_run(k, pointer, QUAD)
              : 1;
    if (run > 1) {
        for (unsigned r = 0; r < row_count; r++)
            for (Value *address : scalar_runs(pointer, r, run, i)) {
                Value *own = b.CreatePtrToInt(address, word);
                all = all ? b.CreateOr(all, own) : own;
            }
        Value *low = b.CreateAnd(all, ConstantInt::get(word, (uint64_t)bits));
        emit_failure(b.CreateIsNotNull(low), MISALIGNED, "misaligned address");
        return;
    }
    const auto index = first_decides ? std::nullopt : index_of(pointer);
    for (unsigned r = 0; r < count(pointer); r++) {
        Value *of_row = index           ? low_bits(b, scalar(index->base, r),
                                                   vector(index->index, r))
                        : first_decides ? scalar(pointer, r)
                                        : vector(pointer, r);
        if (!index)
            of_row = b.CreatePtrToInt(of_row,
                                      first_decides
                                          ? word
                                          : FixedVectorType::get(word, lanes));
        if (!mask.empty() && s.kind != shape::UNIFORM)
            of_row = b.CreateSelect(
                first_decides ? any(mask[r]) : mask[r], of_row,
                Constant::getNullValue(of_row->getType()));
        all = all ? b.CreateOr(all, of_row) : of_row;
    }
    Value *wrong = b.CreateIsNotNull(
        b.CreateAnd(all, ConstantInt::get(all->getType(), (uint64_t)bits)));
    if (!first_decides)
        wrong = any(wrong);
    if (!mask.empty() && s.kind == shape::UNIFORM)
        wrong = b.CreateAnd(wrong, any(mask));
    emit_failure(wrong, MISALIGNED, "misaligned address");
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
                 "a thread of the block failed");
}

} // namespace vectors
