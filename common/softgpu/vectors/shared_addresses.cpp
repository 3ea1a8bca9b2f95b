/* SPDX-License-Identifier: MIT */
/* Addresses of shared memory, and of the runtime's variables. */
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <cstddef>

#include "common/softgpu/include/softgpu/abi.h"
#include "common/softgpu/vectors/vectors.h"

using namespace llvm;

namespace vectors {

bool is_member(const DataLayout &data, const Value *pointer,
               StringRef variable, ArrayRef<uint64_t> members)
{
    APInt offset(data.getIndexTypeSizeInBits(pointer->getType()), 0);
    const Value *base = pointer->stripAndAccumulateConstantOffsets(
        data, offset, true);
    auto *call = dyn_cast<IntrinsicInst>(base);
    if (call && call->getIntrinsicID() == Intrinsic::threadlocal_address)
        base = call->getArgOperand(0);
    return isa<GlobalVariable>(base) && base->getName().contains(variable)
           && is_contained(members, offset.getZExtValue());
}

bool is_shared_base(const LoadInst *load)
{
    const DataLayout &data = load->getModule()->getDataLayout();
    const Value *pointer = load->getPointerOperand();
    return is_member(data, pointer, "softgpu_tls",
                     { offsetof(struct softgpu_tls, shared),
                       offsetof(struct softgpu_tls, functions),
                       offsetof(struct softgpu_tls, dynamic) })
           || is_member(data, pointer, "13shared_record",
                        { offsetof(struct softgpu_shared_variable, offset) });
}

bool is_shared_address(const Value *pointer)
{
    while (auto *address = dyn_cast<GEPOperator>(pointer))
        pointer = address->getPointerOperand();
    auto *load = dyn_cast<LoadInst>(pointer);
    return load && load->getType()->isPointerTy() && is_shared_base(load);
}

} // namespace vectors
