/* SPDX-License-Identifier: MIT */
/* Which kernels are faster as gangs, and with how many rows of threads. */
#include "common/softgpu/vectors/choose.h"

using namespace llvm;

namespace vectors {

/* Starting a gang costs more than a short kernel, whose block the compiler of
 * the fiber engine turns into one loop over its threads (softgpu::run_block).
 * It makes vectors of that loop unless the kernel branches often: most kernels
 * check their bounds, with one branch or two.
 */
bool has_long_work(const kernel &k)
{
    enum { FEW_BRANCHES = 2 };
    unsigned branches = 0;
    for (const BasicBlock &block : *k.function)
        branches += block.getTerminator()->getNumSuccessors() > 1;
    if (branches > FEW_BRANCHES)
        return true;
    for (Instruction &i : instructions(k.function)) {
        auto *call = dyn_cast<CallBase>(&i);
        Function *callee = call ? call->getCalledFunction() : nullptr;
        if (callee && must_stay_call(callee)
            && source_name(callee) != "softgpu_kernel_end")
            return true;
    }
    return !k.loops.empty();
}

/* The most sums that a thread keeps in registers in a loop. */
static unsigned count_sums(const kernel &k)
{
    unsigned most = 0;
    for (const Loop *loop : k.loops.getLoopsInPreorder()) {
        unsigned sums = 0;
        for (const PHINode &phi : loop->getHeader()->phis())
            sums += phi.getType()->isFloatingPointTy()
                    && k.shape_of(&phi).kind == shape::VARYING;
        most = std::max(most, sums);
    }
    return most;
}

/* Of sums that a thread keeps in registers, the compiler of the fiber engine
 * makes vectors within the thread; as gangs, those of 32 threads do not fit
 * into vector registers.  Measured with tiles of N x N sums a thread: 36 are
 * faster as gangs, 64 are slower; where the block runs by phases, 64 and 128
 * are faster (docs/results/vectors.md). */
bool has_too_many_sums(const kernel &k)
{
    enum { MOST_SUMS = 48, MOST_BY_PHASES = 128 };
    return count_sums(k) > (k.phases.empty() ? MOST_SUMS : MOST_BY_PHASES);
}

/* Does the kernel know its warps? */
static bool calls_warp(const kernel &k)
{
    return any_of(instructions(k.function), [](const Instruction &i) {
        auto *call = dyn_cast<CallBase>(&i);
        const Function *callee = call ? call->getCalledFunction() : nullptr;
        const StringRef name = callee ? source_name(callee) : "";
        return name.starts_with("softgpu_warp_") || name == "softgpu_lane_id"
               || name == "softgpu_active_mask";
    });
}

/* Where a block runs by phases, its gangs need not be warps: one row of threads
 * with many sums fits into vector registers, two do not. */
void choose_rows(kernel &k)
{
    enum { FEW_SUMS = 12 };
    if (!k.phases.empty() && count_sums(k) > FEW_SUMS && !calls_warp(k))
        k.gang.rows = 1;
}

/* Atomic functions run for one thread after the other, so a loop that does
 * little else is slower as gangs: a histogram of bytes takes 1.4 times the time
 * of fibers (docs/results/vectors.md). */
bool is_mostly_atomic(const kernel &k)
{
    enum { LEAST_WORK = 32 }; /* instructions for each atomic function */
    for (const Loop *loop : k.loops.getLoopsInPreorder()) {
        unsigned work = 0, atomics = 0;
        for (const BasicBlock *block : loop->blocks())
            for (const Instruction &i : *block) {
                auto *call = dyn_cast<CallBase>(&i);
                const Function *callee
                    = call ? call->getCalledFunction() : nullptr;
                work += !isa<PHINode>(i);
                atomics += callee && is_atomic_function(callee);
            }
        if (atomics && work < LEAST_WORK * atomics)
            return true;
    }
    return false;
}

} // namespace vectors
