/* SPDX-License-Identifier: MIT */
/* The layout of arrays in local memory.  Where all accesses have the size of
 * one element, the elements of the gang's threads are interleaved, as a card
 * interleaves local memory: then an access at a common index is contiguous. */
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "common/softgpu/vectors/vectors.h"

using namespace llvm;

namespace vectors {

/* Bytes that a load or store of this value accesses; 0: not a use of the
 * pointer as an address. */
static unsigned access_bytes(const Instruction *user, const Value *pointer,
                             const DataLayout &data)
{
    if (auto *load = dyn_cast<LoadInst>(user))
        return (unsigned)data.getTypeStoreSize(load->getType());
    auto *store = dyn_cast<StoreInst>(user);
    if (store && store->getValueOperand() != pointer)
        return (unsigned)data.getTypeStoreSize(
            store->getValueOperand()->getType());
    return 0;
}

/* All offsets of the address computation are multiples of the element. */
static bool keeps_elements(const GetElementPtrInst *gep, unsigned bytes,
                           const DataLayout &data)
{
    MapVector<Value *, APInt> variables;
    const unsigned bits = data.getIndexTypeSizeInBits(gep->getType());
    APInt constant(bits, 0);
    if (!gep->collectOffset(data, bits, variables, constant)
        || constant.getSExtValue() % bytes)
        return false;
    for (auto &variable : variables)
        if (variable.second.getSExtValue() % bytes)
            return false;
    return true;
}

/* The element size of all accesses through the pointer, or 0. */
static bool find_element(const Value *pointer, unsigned &bytes,
                         SmallVectorImpl<const GetElementPtrInst *> &geps,
                         const DataLayout &data)
{
    for (const User *user : pointer->users()) {
        auto *i = cast<Instruction>(user);
        if (i->isLifetimeStartOrEnd())
            continue;
        if (auto *gep = dyn_cast<GetElementPtrInst>(i)) {
            geps.push_back(gep);
            if (!find_element(gep, bytes, geps, data))
                return false;
            continue;
        }
        const unsigned size = access_bytes(i, pointer, data);
        if (!size || (bytes && size != bytes))
            return false;
        bytes = size;
    }
    return true;
}

void find_local_arrays(kernel &k)
{
    const DataLayout &data = k.function->getParent()->getDataLayout();
    for (Instruction &i : instructions(k.function)) {
        auto *array = dyn_cast<AllocaInst>(&i);
        if (!array)
            continue;
        SmallVector<const GetElementPtrInst *, 16> geps;
        unsigned bytes = 0;
        if (!array->isStaticAlloca())
            k.refuse("it allocates local memory of variable size");
        if (!find_element(array, bytes, geps, data) || !bytes)
            continue;
        bool whole = true;
        for (const GetElementPtrInst *gep : geps)
            whole = whole && keeps_elements(gep, bytes, data);
        if (!whole)
            continue;
        k.interleaved[array] = bytes;
        for (const GetElementPtrInst *gep : geps)
            k.interleaved[gep] = bytes;
    }
}

} // namespace vectors
