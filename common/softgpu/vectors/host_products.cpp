/* SPDX-License-Identifier: MIT */
/* Products in host code that overflow.  nvcc's host compiler is gcc, which
 * wraps i * i in 32 bits where a loop compares it with what a kernel stored:
 * programs check their results so.  clang computes such a product in 64 bits
 * instead, and then finds a difference.  So a product of host code that is no
 * part of an address may wrap; device code and addresses stay as they are,
 * since vectors need the addresses of consecutive elements recognized. */
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "common/softgpu/vectors/host_products.h"

using namespace llvm;

namespace vectors {

namespace {

using functions = SmallPtrSet<const Function *, 32>;

/* Add all that the code of found functions calls, or whose address it takes. */
void add_called(functions &found, std::vector<const Function *> &open)
{
    while (!open.empty()) {
        const Function *f = open.back();
        open.pop_back();
        for (const Instruction &i : instructions(f))
            for (const Value *operand : i.operands()) {
                auto *called = dyn_cast<Function>(operand);
                if (called && found.insert(called).second)
                    open.push_back(called);
            }
    }
}

/* What kernels may execute: their threads, gangs, and what these call. */
functions find_device_code(const Module &module)
{
    functions found;
    std::vector<const Function *> open;
    for (const Function &f : module)
        if (f.getName().contains("7softgpu") && found.insert(&f).second)
            open.push_back(&f);
    add_called(found, open);
    return found;
}

/* Do all uses lead to addresses? */
bool is_in_address(const Value *value, unsigned depth)
{
    enum { DEEPEST = 4 }; /* sum, extension, sum, address */
    return depth <= DEEPEST && all_of(value->users(), [&](const User *user) {
               if (isa<GetElementPtrInst>(user))
                   return true;
               const unsigned code = cast<Instruction>(user)->getOpcode();
               return (code == Instruction::Add || code == Instruction::Sub
                       || code == Instruction::SExt || code == Instruction::Mul)
                      && is_in_address(user, depth + 1);
           });
}

} // namespace

bool wrap_host_products(Module &module)
{
    const functions device = find_device_code(module);
    bool changed = false;
    for (Function &f : module)
        for (Instruction &i : instructions(f))
            if (i.getOpcode() == Instruction::Mul && i.hasNoSignedWrap()
                && !device.contains(&f) && !is_in_address(&i, 0)) {
                i.setHasNoSignedWrap(false);
                changed = true;
            }
    return changed;
}

} // namespace vectors
