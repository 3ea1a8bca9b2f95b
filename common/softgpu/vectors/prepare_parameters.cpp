/* SPDX-License-Identifier: MIT */
/* Parameters.  Of one that is a struct each thread has a copy of its own, which
 * it may change.  Where it only reads it, the copy is not needed.  So a struct
 * of any size, with arrays that are indexed by variables, can be a parameter.
 * And memory that a parameter points to is no shared memory. */
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "common/softgpu/vectors/vectors.h"

using namespace llvm;

namespace vectors {

/* Is the memory only read, but for the copy into it? */
static bool is_only_read(const AllocaInst *local, const MemCpyInst *copy)
{
    SmallVector<const Value *, 16> open = { local };
    while (!open.empty()) {
        for (const User *user : open.pop_back_val()->users()) {
            auto *marker = dyn_cast<IntrinsicInst>(user);
            if (isa<GetElementPtrInst>(user))
                open.push_back(user);
            else if (user != copy && !isa<LoadInst>(user)
                     && !(marker && marker->isLifetimeStartOrEnd()))
                return false;
        }
    }
    return true;
}

/* The local variable that the call fills with a parameter, if no thread changes
 * it. */
static AllocaInst *copied_parameter(const MemCpyInst *copy)
{
    auto *local = dyn_cast<AllocaInst>(copy->getDest());
    auto *bytes = dyn_cast<ConstantInt>(copy->getLength());
    if (!local || !bytes || copy->isVolatile()
        || !isa<Argument>(copy->getSource()->stripInBoundsConstantOffsets()))
        return nullptr;
    const auto size
        = local->getAllocationSize(copy->getModule()->getDataLayout());
    return size && *size == bytes->getZExtValue() && is_only_read(local, copy)
               ? local
               : nullptr;
}

void read_parameters_in_place(Function *f)
{
    SmallVector<MemCpyInst *, 4> copies;
    for (Instruction &i : instructions(f))
        if (auto *copy = dyn_cast<MemCpyInst>(&i))
            copies.push_back(copy);
    for (MemCpyInst *copy : copies) {
        AllocaInst *local = copied_parameter(copy);
        if (!local)
            continue;
        Value *parameter = copy->getSource();
        SmallVector<User *, 8> users(local->users());
        for (User *user : users)
            if (user == copy || isa<IntrinsicInst>(user))
                cast<Instruction>(user)->eraseFromParent();
        local->replaceAllUsesWith(parameter);
        local->eraseFromParent();
    }
}

/* Is it an address in memory that a parameter points to? */
static bool is_from_parameter(const Value *pointer)
{
    auto *load = dyn_cast<LoadInst>(getUnderlyingObject(pointer, 0));
    return load
           && isa<Argument>(getUnderlyingObject(load->getPointerOperand(), 0));
}

void fold_shared_tests(kernel &k)
{
    SmallVector<CallBase *, 8> tests;
    for (Instruction &i : instructions(k.function)) {
        auto *call = dyn_cast<CallBase>(&i);
        Function *callee = call ? call->getCalledFunction() : nullptr;
        if (callee && source_name(callee) == shared_test)
            tests.push_back(call);
    }
    for (CallBase *call : tests) {
        InlineFunctionInfo information;
        if (is_from_parameter(call->getArgOperand(0))) {
            call->replaceAllUsesWith(Constant::getNullValue(call->getType()));
            call->eraseFromParent();
        } else {
            InlineFunction(*call, information);
        }
    }
}

} // namespace vectors
