/* SPDX-License-Identifier: MIT */
/* Calls of a gang: barriers, warp functions, mathematics. */
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>

#include "common/softgpu/vectors/widener.h"

using namespace llvm;

namespace vectors {

/* --- built-in variables --------------------------------------------------- */

/* Thread-local variables of the core; threadIdx is that of the first thread. */
static Value *load_component(IRBuilder<> &b, Module *module, const char *name,
                             unsigned component)
{
    Type *three = ArrayType::get(b.getInt32Ty(), 3);
    auto *variable = cast<GlobalVariable>(
        module->getOrInsertGlobal(name, three, [&] {
            return new GlobalVariable(*module, three, false,
                                      GlobalValue::ExternalLinkage, nullptr,
                                      name, nullptr,
                                      GlobalValue::InitialExecTLSModel);
        }));
    return b.CreateLoad(
        b.getInt32Ty(),
        b.CreateConstGEP2_32(three, b.CreateThreadLocalAddress(variable), 0,
                             component));
}

/* The first thread of each row: rows go on in x, then in y and z. */
void widener::load_builtins()
{
    static const char *const names[] = { "threadIdx", "blockIdx", "blockDim",
                                         "gridDim" };
    Value *extent[3], *at[3];
    for (unsigned c = 0; c < 3; c++)
        for (int v = BLOCK; v < BUILTINS; v++)
            builtin_values[k.builtins[v][c]] = {
                load_component(b, module, names[v], c)
            };
    for (unsigned c = 0; c < 3; c++) {
        extent[c] = builtin_values[k.builtins[BLOCK_DIM][c]][0];
        at[c] = load_component(b, module, names[THREAD], c);
    }
    for (unsigned r = 0; r < row_count; r++) {
        for (unsigned c = 0; c < 3; c++)
            builtin_values[k.builtins[THREAD][c]].push_back(at[c]);
        at[0] = b.CreateAdd(at[0], b.getInt32(lanes));
        for (unsigned c = 0; c < 2; c++) {
            Value *carry = b.CreateICmpUGE(at[c], extent[c]);
            at[c] = b.CreateSelect(carry, b.getInt32(0), at[c]);
            at[c + 1] = b.CreateAdd(at[c + 1],
                                    b.CreateZExt(carry, b.getInt32Ty()));
        }
    }
}

/* --- warp functions ------------------------------------------------------- */

/* The bits of a predicate, by lane of the warp. */
Value *widener::ballot(Value *predicate)
{
    Value *bits = b.getInt32(0);
    for (unsigned r = 0; r < row_count; r++) {
        Value *holds = b.CreateICmpNE(
            vector(predicate, r),
            Constant::getNullValue(
                FixedVectorType::get(predicate->getType(), lanes)));
        if (!mask.empty())
            holds = b.CreateLogicalAnd(mask[r], holds);
        Value *row = b.CreateZExt(b.CreateBitCast(holds, b.getIntNTy(lanes)),
                                  b.getInt32Ty());
        bits = b.CreateOr(bits, b.CreateShl(row, r * lanes));
    }
    return bits;
}

/* The lanes of `of` that the mask of a call names, for the threads of each row:
 * one number where they name the same lanes, else a vector. */
rows widener::named_lanes(Value *named, Value *of)
{
    const shape s = k.shape_of(named);
    rows result;
    for (unsigned r = 0; r < (s.kind == shape::UNIFORM ? 1 : row_count); r++)
        result.push_back(
            s.is_scalar()
                ? b.CreateAnd(of, scalar(named, r))
                : b.CreateAnd(b.CreateVectorSplat(lanes, of),
                              vector(named, r)));
    return result;
}

/* The lanes that take part in a call: named by its mask, and active. */
rows widener::participants(Value *named)
{
    return named_lanes(named, ballot(b.getInt32(1)));
}

/* Is a lane, by its number, one of the participants? */
Value *widener::takes_part(const rows &all, unsigned row, Value *lane)
{
    Value *of_row = all[all.size() == 1 ? 0 : row];
    if (!of_row->getType()->isVectorTy())
        of_row = b.CreateVectorSplat(lanes, of_row);
    return b.CreateTrunc(b.CreateLShr(of_row, lane),
                         FixedVectorType::get(b.getInt1Ty(), lanes));
}

/* The values of all lanes in memory. */
static AllocaInst *gathered_values(BasicBlock *first, Type *type)
{
    enum { LANES = 32, ALIGN = 64 };
    IRBuilder<> at(first, first->begin());
    AllocaInst *values = at.CreateAlloca(ArrayType::get(type, LANES + 1));
    values->setAlignment(Align(ALIGN));
    return values;
}

/* The shuffle of a 32-bit value that was extended to 64 bits. */
static Value *narrow_source(const Instruction *call, Value *value)
{
    auto *extension = dyn_cast<ZExtInst>(value);
    return extension && extension->getParent() == call->getParent()
                   && extension->getSrcTy()->isIntegerTy(32)
               ? extension->getOperand(0)
               : value;
}

/* Through memory: all lanes store, then each loads its source lane. */
rows widener::emit_shuffle(CallBase *i)
{
    enum { LANE_BITS = 31 };
    Value *value = narrow_source(i, i->getArgOperand(1));
    Type *type = value->getType();
    auto *wide = FixedVectorType::get(type, lanes);
    AllocaInst *values = gathered_values(first, type);
    const rows all = participants(i->getArgOperand(0));
    rows result;
    for (unsigned r = 0; r < row_count; r++)
        b.CreateAlignedStore(
            vector(value, r),
            b.CreateConstGEP1_32(type, values, r * lanes),
            Align(data.getTypeStoreSize(type)));
    for (unsigned r = 0; r < row_count; r++) {
        Value *from = b.CreateAnd(
            vector(i->getArgOperand(2), r),
            b.CreateVectorSplat(lanes, b.getInt32(LANE_BITS)));
        Value *got = b.CreateMaskedGather(
            wide, b.CreateGEP(type, values, from),
            Align(data.getTypeStoreSize(type)), row_mask(r));
        got = b.CreateSelect(takes_part(all, r, from), got,
                             Constant::getNullValue(wide));
        result.push_back(b.CreateZExt(
            got, FixedVectorType::get(b.getInt64Ty(), lanes)));
    }
    return result;
}

/* softgpu_warp_gather(): the values by lane, then the participants. */
rows widener::emit_gather(CallBase *i)
{
    enum { LANES = 32 };
    Type *word = b.getInt64Ty();
    AllocaInst *values = gathered_values(first, word);
    const rows all = participants(i->getArgOperand(0));
    if (all.size() > 1)
        k.refuse("the masks of a warp's call differ by thread");
    for (unsigned r = 0; r < row_count; r++)
        b.CreateAlignedStore(vector(i->getArgOperand(1), r),
                             b.CreateConstGEP1_32(word, values, r * lanes),
                             Align(8));
    b.CreateStore(b.CreateZExt(all[0], word),
                  b.CreateConstGEP1_32(word, values, LANES));
    return { values };
}

/* --- mathematics ---------------------------------------------------------- */

/* Is there a vector form of the intrinsic with the same bits? */
static bool is_elementwise(Intrinsic::ID id)
{
    switch (id) {
    case Intrinsic::fma:
    case Intrinsic::fmuladd:
    case Intrinsic::sqrt:
    case Intrinsic::fabs:
    case Intrinsic::minnum:
    case Intrinsic::maxnum:
    case Intrinsic::copysign:
    case Intrinsic::floor:
    case Intrinsic::ceil:
    case Intrinsic::trunc:
    case Intrinsic::rint:
    case Intrinsic::nearbyint:
    case Intrinsic::round:
    case Intrinsic::roundeven:
    case Intrinsic::smin:
    case Intrinsic::smax:
    case Intrinsic::umin:
    case Intrinsic::umax:
    case Intrinsic::ctpop:
    case Intrinsic::bswap:
    case Intrinsic::bitreverse:
    case Intrinsic::fshl:
    case Intrinsic::fshr:
    case Intrinsic::uadd_sat:
    case Intrinsic::usub_sat:
    case Intrinsic::sadd_sat:
    case Intrinsic::ssub_sat:
        return true;
    default:
        return false;
    }
}

/* A function without side effects, called for each lane. */
static Value *call_each_lane(IRBuilder<> &b, CallBase *i,
                             ArrayRef<Value *> arguments, unsigned lanes)
{
    Value *result = PoisonValue::get(FixedVectorType::get(i->getType(), lanes));
    for (unsigned lane = 0; lane < lanes; lane++) {
        SmallVector<Value *, 4> of_lane;
        for (Value *argument : arguments)
            of_lane.push_back(argument->getType()->isVectorTy()
                                  ? b.CreateExtractElement(argument, lane)
                                  : argument);
        CallInst *call = b.CreateCall(i->getFunctionType(),
                                      i->getCalledOperand(), of_lane);
        call->setAttributes(i->getAttributes());
        result = b.CreateInsertElement(result, call, lane);
    }
    return result;
}

/* By a vector instruction with the same bits, else lane by lane. */
rows widener::emit_math(CallBase *i)
{
    if (k.shape_of(i).kind != shape::VARYING)
        return emit_clone(i);
    auto *intrinsic = dyn_cast<IntrinsicInst>(i);
    rows result;
    for (unsigned r = 0; r < row_count; r++) {
        SmallVector<Value *, 4> arguments;
        for (Value *argument : i->args())
            arguments.push_back(isa<Constant>(argument)
                                        && argument->getType()->isIntegerTy(1)
                                    ? argument
                                    : vector(argument, r));
        if (intrinsic && is_elementwise(intrinsic->getIntrinsicID())) {
            CallInst *call = b.CreateIntrinsic(
                intrinsic->getIntrinsicID(),
                { FixedVectorType::get(i->getType(), lanes) }, arguments);
            if (isa<FPMathOperator>(call))
                call->copyFastMathFlags(i);
            result.push_back(call);
        } else {
            result.push_back(call_each_lane(b, i, arguments, lanes));
        }
    }
    return result;
}

/* --- calls for one lane after the other ----------------------------------- */

/* An argument of all threads in memory, in their order. */
AllocaInst *widener::spill(Value *value)
{
    enum { ALIGN = 64 };
    Type *type = value->getType();
    IRBuilder<> at(first, first->begin());
    AllocaInst *all = at.CreateAlloca(ArrayType::get(type, k.gang.threads()));
    all->setAlignment(Align(ALIGN));
    for (unsigned r = 0; r < row_count; r++)
        b.CreateAlignedStore(vector(value, r),
                             b.CreateConstGEP1_32(type, all, r * lanes),
                             Align(data.getTypeStoreSize(type)));
    return all;
}

/* The call for each active thread, in their order. */
rows widener::emit_each_thread(CallBase *i)
{
    Type *type = i->getType();
    Type *word = b.getInt32Ty();
    SmallVector<Value *, 4> arguments;
    for (Value *argument : i->args())
        arguments.push_back(k.shape_of(argument).kind == shape::UNIFORM
                                ? scalar(argument, 0)
                                : spill(argument));
    AllocaInst *results = nullptr;
    if (!type->isVoidTy())
        results = spill(Constant::getNullValue(type));
    Value *active = ballot(b.getInt32(1));
    BasicBlock *before = b.GetInsertBlock();
    BasicBlock *loop = new_block("thread"), *after = new_block("all_threads");
    b.CreateCondBr(b.CreateIsNotNull(active), loop, after);
    b.SetInsertPoint(loop);
    PHINode *left = b.CreatePHI(word, 2);
    left->addIncoming(active, before);
    Value *lane = b.CreateBinaryIntrinsic(Intrinsic::cttz, left, b.getTrue());
    SmallVector<Value *, 4> own;
    for (unsigned n = 0; n < arguments.size(); n++) {
        Value *argument = i->getArgOperand(n);
        Type *of = argument->getType();
        own.push_back(k.shape_of(argument).kind == shape::UNIFORM
                          ? arguments[n]
                          : b.CreateLoad(of, b.CreateGEP(of, arguments[n],
                                                         lane)));
    }
    CallInst *call = b.CreateCall(i->getFunctionType(), i->getCalledOperand(),
                                  own);
    call->setCallingConv(i->getCallingConv());
    if (results)
        b.CreateStore(call, b.CreateGEP(type, results, lane));
    Value *rest = b.CreateAnd(left, b.CreateSub(left, b.getInt32(1)));
    left->addIncoming(rest, b.GetInsertBlock());
    b.CreateCondBr(b.CreateIsNotNull(rest), loop, after);
    b.SetInsertPoint(after);
    rows result;
    for (unsigned r = 0; results && r < row_count; r++)
        result.push_back(b.CreateAlignedLoad(
            FixedVectorType::get(type, lanes),
            b.CreateConstGEP1_32(type, results, r * lanes),
            Align(data.getTypeStoreSize(type))));
    return result;
}

/* The order of several atomics of one thread would change, which sums of
 * floating-point numbers and used results show; and a result that a loop waits
 * for never comes, since the lanes wait together. */
void widener::emit_atomic(CallBase *i)
{
    bool order_shows = !i->use_empty();
    for (Value *argument : i->args())
        order_shows |= argument->getType()->isFloatingPointTy();
    if (order_shows
        && (k.loops.getLoopFor(i->getParent()) || ordered_atomics++))
        return k.refuse("the order of its atomic operations matters");
    const rows result = emit_each_thread(i);
    if (!result.empty())
        define(i, result);
}

/* --- faults --------------------------------------------------------------- */

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
    const bool first_decides
        = s.is_scalar()
          || (s.kind == shape::AFFINE && (s.stride & bits) == 0);
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
        wrong = b.CreateAnd(wrong, b.CreateIsNotNull(ballot(b.getInt32(1))));
    emit_failure(wrong, MISALIGNED, "misaligned address %p",
                 [&] { return first_misaligned(pointer, low); });
}

/* if (condition) softgpu_fail(...) of the scalar code. */
void widener::emit_failure_test(CallBase *i)
{
    enum { LAUNCH_FAILURE = 719 };
    emit_failure(b.CreateIsNotNull(ballot(i->getArgOperand(0))),
                 LAUNCH_FAILURE, "a thread of the block failed",
                 [&] { return Constant::getNullValue(b.getPtrTy()); });
}

/* --- calls ---------------------------------------------------------------- */

/* __syncthreads_count() and its like. */
rows widener::emit_vote(CallBase *i)
{
    FunctionCallee vote = module->getOrInsertFunction(
        "softgpu_gang_vote", b.getInt32Ty(), b.getInt32Ty(), b.getInt32Ty(),
        b.getInt32Ty());
    Value *votes = b.CreateUnaryIntrinsic(Intrinsic::ctpop,
                                          ballot(i->getArgOperand(1)));
    return { b.CreateCall(vote, { scalar(i->getArgOperand(0), 0), votes,
                                  b.getInt32(k.gang.threads()) }) };
}

/* A call that waits for threads: all of the gang make it. */
void widener::emit_wait(CallBase *i, StringRef name)
{
    if (!mask.empty())
        return k.refuse("a barrier is under a condition");
    if (name == "softgpu_barrier_vote")
        return define(i, emit_vote(i));
    if (name == "softgpu_active_mask")
        return define(i, { ballot(b.getInt32(1)) });
    if (name == "softgpu_barrier")
        b.CreateCall(i->getCalledFunction());
}

/* Any call; one without a meaning here refuses the kernel. */
void widener::emit_call(CallBase *i)
{
    Function *callee = i->getCalledFunction();
    if (!callee)
        return k.refuse("it calls through a pointer or has inline assembly");
    const StringRef name = source_name(callee);
    auto builtin = builtin_values.find(callee);
    if (builtin != builtin_values.end())
        return define(i, builtin->second);
    if (name == "softgpu_kernel_end" || name == "softgpu_spin"
        || isa<AssumeInst>(i) || isa<DbgInfoIntrinsic>(i))
        return;
    if (name == alignment_test)
        return emit_alignment_test(i);
    if (name == failure_test)
        return emit_failure_test(i);
    if (name.starts_with("softgpu_barrier") || name == "softgpu_warp_sync"
        || name == "softgpu_active_mask")
        return emit_wait(i, name);
    if (name == "softgpu_lane_id") {
        rows first_lanes;
        for (unsigned r = 0; r < row_count; r++)
            first_lanes.push_back(b.getInt32(r * lanes));
        return define(i, first_lanes);
    }
    if (name == "softgpu_warp_shuffle")
        return define(i, emit_shuffle(i));
    if (name == "softgpu_warp_gather")
        return define(i, emit_gather(i));
    if (name == "softgpu_warp_ballot")
        return define(i, named_lanes(i->getArgOperand(0),
                                     ballot(i->getArgOperand(1))));
    if (is_atomic_function(callee))
        return emit_atomic(i);
    if (!i->doesNotAccessMemory())
        return k.refuse("it calls " + name.str());
    define(i, emit_math(i));
}

} // namespace vectors
