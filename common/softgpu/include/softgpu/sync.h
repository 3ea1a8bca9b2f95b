/* SPDX-License-Identifier: MIT */
/** @file
 *  Barriers, fences, clocks, address spaces and traps of a kernel.
 */
#ifndef SOFTGPU_SYNC_H
#define SOFTGPU_SYNC_H

#include <stdio.h>

#include "abi.h"
#include "inline.h"

/** Lanes of a warp, everywhere. */
constexpr int warpSize = 32;

/** Wait for all threads of the block that have not returned. */
SOFTGPU_FN void __syncthreads() { softgpu_barrier(); }
/** __syncthreads(), and for how many of them the predicate is not 0. */
SOFTGPU_FN int __syncthreads_count(int predicate)
{
    return softgpu_barrier_vote(SOFTGPU_COUNT, predicate);
}
/** __syncthreads(), and whether the predicate is not 0 for all. */
SOFTGPU_FN int __syncthreads_and(int predicate)
{
    return softgpu_barrier_vote(SOFTGPU_AND, predicate);
}
/** __syncthreads(), and whether the predicate is not 0 for any. */
SOFTGPU_FN int __syncthreads_or(int predicate)
{
    return softgpu_barrier_vote(SOFTGPU_OR, predicate);
}

/** Order memory for the block, which shares one OS thread; gives way. */
SOFTGPU_FN void __threadfence_block()
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    softgpu_spin();
}
/** Order memory for all threads of the device; gives way now and then. */
SOFTGPU_FN void __threadfence()
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    softgpu_spin();
}
/** Order memory for the host too; gives way now and then. */
SOFTGPU_FN void __threadfence_system() { __threadfence(); }

/** Let others run; the time is not kept, as CUDA allows. */
SOFTGPU_FN void __nanosleep(unsigned nanoseconds)
{
    (void)nanoseconds;
    softgpu_yield();
}
/** Cycles of the described card's clock. */
SOFTGPU_FN long long clock64() { return softgpu_clock(); }

/** End the kernel with cudaErrorLaunchFailure. */
SOFTGPU_FN void __trap()
{
    softgpu_fail(719, "__trap() was called");
}
/** A breakpoint without a debugger: as __trap(). */
SOFTGPU_FN void __brkpt()
{
    softgpu_fail(719, "__brkpt() was called");
}

namespace softgpu {

/** printf() in a kernel: returns the arguments behind the format, -1 without
 *  one; on the host, what printf() returns. */
template <class... Args>
inline int count_printed(const char *format, Args... args)
{
    if (softgpu_tls.block && !format)
        return -1;
    const int bytes = printf(format, args...);
    return softgpu_tls.block ? static_cast<int>(sizeof...(Args)) : bytes;
}

} // namespace softgpu

/** Is it shared memory of this block? */
SOFTGPU_FN unsigned __isShared(const void *p)
{
    return (unsigned)softgpu_is_shared(p);
}
/** Is it a local variable of this thread? */
SOFTGPU_FN unsigned __isLocal(const void *p)
{
    enum { NEAR = 256 << 10 };
    const char *frame = static_cast<const char *>(__builtin_frame_address(0));
    return static_cast<const char *>(p) + 1024 - frame + 0UL < NEAR + 0UL;
}
/** Is it neither shared nor local? */
SOFTGPU_FN unsigned __isGlobal(const void *p)
{
    return !__isShared(p) && !__isLocal(p);
}
/** Constant memory is global memory here. */
SOFTGPU_FN unsigned __isConstant(const void *) { return 0; }
/** Parameters are local here. */
SOFTGPU_FN unsigned __isGridConstant(const void *) { return 0; }

/** Offset in the block's shared memory. */
SOFTGPU_FN size_t __cvta_generic_to_shared(const void *p)
{
    return static_cast<size_t>(static_cast<const char *>(p)
                               - softgpu_tls.shared);
}
/** What __cvta_generic_to_shared() was made from. */
SOFTGPU_FN void *__cvta_shared_to_generic(size_t offset)
{
    return softgpu_tls.shared + offset;
}
/** The same address. */
SOFTGPU_FN size_t __cvta_generic_to_global(const void *p)
{
    return reinterpret_cast<size_t>(p);
}
/** The same address. */
SOFTGPU_FN void *__cvta_global_to_generic(size_t address)
{
    return reinterpret_cast<void *>(address);
}

#endif
