/* SPDX-License-Identifier: MIT */
/* Prefetching.  A block that computes tile by tile loads the next tile after a
 * barrier, when all of its gangs have used this one: too far ahead in the code
 * for the processor to have begun these loads.  So a load also prefetches what
 * it will read in the next iteration, which lies as far from here as this does
 * from what it read in the last one. */
#include "common/softgpu/vectors/widener.h"

using namespace llvm;

namespace vectors {

/* Is there a barrier in the innermost loop around the block?  In other loops
 * the next iteration comes at once, and the processor loads ahead. */
static bool is_around_barrier(const kernel &k, const BasicBlock *block)
{
    const Loop *loop = k.loops.getLoopFor(block);
    unsigned phase = 0;
    if (!loop)
        return false;
    for (const BasicBlock *of_loop : loop->blocks()) {
        const unsigned own = k.phase_of.lookup(of_loop);
        if (own && phase && own != phase)
            return true;
        phase = own ? own : phase;
    }
    return false;
}

/* The distance is that of the first address.  In the first iteration it is any:
 * a prefetch never faults. */
void widener::prefetch_next(const LoadInst *load, ArrayRef<Value *> addresses,
                            uint64_t bytes)
{
    enum { LINE = 64, READ = 0, KEEP = 3, DATA = 1 };
    if (k.phases.empty() || is_shared_address(load->getPointerOperand())
        || !is_around_barrier(k, load->getParent()))
        return;
    Type *word = b.getInt64Ty();
    Value *last = frame_address(
        current_phase, allocate_in_frame(sizeof(uint64_t), Align(8)));
    Value *now = b.CreatePtrToInt(addresses[0], word);
    Value *distance
        = b.CreateSub(now, b.CreateFreeze(b.CreateLoad(word, last)));
    b.CreateStore(now, last);
    for (Value *address : addresses)
        for (uint64_t at = 0; at < bytes; at += LINE)
            b.CreateIntrinsic(
                Intrinsic::prefetch, { b.getPtrTy() },
                { b.CreateGEP(b.getInt8Ty(), address,
                              b.CreateAdd(distance, b.getInt64(at))),
                  b.getInt32(READ), b.getInt32(KEEP), b.getInt32(DATA) });
}

} // namespace vectors
