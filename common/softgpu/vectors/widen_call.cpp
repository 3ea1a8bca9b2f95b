/* SPDX-License-Identifier: MIT */
/* Calls of a gang: barriers, atomics, mathematics. */
#include <llvm/IR/IntrinsicInst.h>

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

/* Rows go on in x, then in y and z. */
void widener::next_row(Value *at[3], Value *const extent[3])
{
    at[0] = b.CreateAdd(at[0], b.getInt32(lanes));
    for (unsigned c = 0; c < 2; c++) {
        Value *carry = b.CreateICmpUGE(at[c], extent[c]);
        at[c] = b.CreateSelect(carry, b.getInt32(0), at[c]);
        at[c + 1] = b.CreateAdd(at[c + 1],
                                b.CreateZExt(carry, b.getInt32Ty()));
    }
}

/* Is the call one of threadIdx?  Then its component, else -1. */
int widener::thread_component(const Value *value) const
{
    auto *call = dyn_cast<CallBase>(value);
    for (int c = 0; call && c < 3; c++)
        if (call->getCalledFunction() == k.builtins[THREAD][c])
            return c;
    return -1;
}

/* blockIdx and its like; without phases also the first thread of each row. */
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
    if (!k.phases.empty())
        return;
    for (unsigned c = 0; c < 3; c++) {
        extent[c] = builtin_values[k.builtins[BLOCK_DIM][c]][0];
        at[c] = load_component(b, module, names[THREAD], c);
    }
    for (unsigned r = 0; r < row_count; r++) {
        for (unsigned c = 0; c < 3; c++)
            builtin_values[k.builtins[THREAD][c]].push_back(at[c]);
        next_row(at, extent);
    }
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

void widener::emit_atomic(CallBase *i)
{
    if (is_order_visible(k, i))
        return k.refuse("the order of its atomic operations matters");
    const rows result = emit_each_thread(i);
    if (!result.empty())
        define(i, result);
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
    count_synchronization();
    if (name == "softgpu_barrier" && k.phases.empty())
        b.CreateCall(i->getCalledFunction());
}

/* Any call; one without a meaning here refuses the kernel. */
void widener::emit_call(CallBase *i)
{
    Function *callee = i->getCalledFunction();
    if (!callee)
        return k.refuse("it calls through a pointer or has inline assembly");
    const StringRef name = source_name(callee);
    if (!k.phases.empty() && thread_component(i) >= 0)
        return; /* get() loads it */
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
    if (name == spread_word)
        return define(i, emit_spread(i));
    if (name == unpack_word)
        return define(i, emit_unpack(i));
    if (name.starts_with("softgpu_barrier") || name == "softgpu_active_mask")
        return emit_wait(i, name);
    if (name == lockstep_note)
        return emit_lockstep_note(i);
    if (is_warp_call(callee)) {
        count_synchronization();
        test_named(i->getArgOperand(0));
        if (!mask.empty() && meets_in_two_branches(k, i))
            return k.refuse("lanes of a warp meet in two branches");
    }
    if (name == lockstep && !mask.empty())
        return k.refuse("lanes are in lockstep under a condition");
    if (name == "softgpu_warp_sync" || name == lockstep)
        return; /* the lanes execute each instruction together */
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
