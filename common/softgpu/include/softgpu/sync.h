/* SPDX-License-Identifier: MIT */
/** @file
 *  Barriers, fences, clocks, address spaces and traps of a kernel.
 */
#ifndef SOFTGPU_SYNC_H
#define SOFTGPU_SYNC_H

#include <stdio.h>

#include "abi.h"
#include "inline.h"

/** Lanes per warp. */
constexpr int warpSize = 32;

/** Barrier of all threads of the block that have not returned. */
SOFTGPU_FN void __syncthreads() { softgpu_barrier(); }
/** __syncthreads(), and the number of threads whose predicate is not 0. */
SOFTGPU_FN int __syncthreads_count(int predicate)
{
    return softgpu_barrier_vote(SOFTGPU_COUNT, predicate);
}
/** __syncthreads(), and whether the predicate of all threads is not 0. */
SOFTGPU_FN int __syncthreads_and(int predicate)
{
    return softgpu_barrier_vote(SOFTGPU_AND, predicate);
}
/** __syncthreads(), and whether the predicate of any thread is not 0. */
SOFTGPU_FN int __syncthreads_or(int predicate)
{
    return softgpu_barrier_vote(SOFTGPU_OR, predicate);
}

/** Memory fence for the block, which runs on one OS thread; can yield. */
SOFTGPU_FN void __threadfence_block()
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    softgpu_spin();
}
/** Memory fence for the device; can yield. */
SOFTGPU_FN void __threadfence()
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    softgpu_spin();
}
/** Memory fence for the device and the host; can yield. */
SOFTGPU_FN void __threadfence_system() { __threadfence(); }

/** Wait for the grids before this one: a grid begins when they have ended. */
SOFTGPU_FN void cudaGridDependencySynchronize(void) {}
/** Let the grid after this one begin; here it waits for the end of this one. */
SOFTGPU_FN void cudaTriggerProgrammaticLaunchCompletion(void) {}

/** Yield; as CUDA allows, the time is ignored. */
SOFTGPU_FN void __nanosleep(unsigned nanoseconds)
{
    (void)nanoseconds;
    softgpu_yield();
}
/** Clock cycles of the described card. */
SOFTGPU_FN long long clock64() { return softgpu_clock(); }

/** End the kernel with cudaErrorLaunchFailure. */
SOFTGPU_FN void __trap()
{
    softgpu_fail(719, "__trap() was called");
}
/** A breakpoint; without a debugger as __trap(). */
SOFTGPU_FN void __brkpt()
{
    softgpu_fail(719, "__brkpt() was called");
}

namespace softgpu {

/** printf().  @return in device code the number of arguments after the format,
 *  -1 without a format; on the host that of printf() */
template <class... Args>
inline int kernel_printf(const char *format, Args... args)
{
    if (softgpu_tls.block && !format)
        return -1;
    const int bytes = printf(format, args...);
    return softgpu_tls.block ? static_cast<int>(sizeof...(Args)) : bytes;
}

} // namespace softgpu

/** Is p in the shared memory of this block? */
SOFTGPU_FN unsigned __isShared(const void *p)
{
    return (unsigned)softgpu_is_shared(p);
}
/** Is p in the local memory of this thread? */
SOFTGPU_FN unsigned __isLocal(const void *p)
{
    enum { NEAR = 256 << 10 };
    const char *frame = static_cast<const char *>(__builtin_frame_address(0));
    return static_cast<const char *>(p) + 1024 - frame + 0UL < NEAR + 0UL;
}
/** Is p in neither? */
SOFTGPU_FN unsigned __isGlobal(const void *p)
{
    return !__isShared(p) && !__isLocal(p);
}
/** 0: constant memory is global memory here. */
SOFTGPU_FN unsigned __isConstant(const void *) { return 0; }
/** 0: parameters are in local memory here. */
SOFTGPU_FN unsigned __isGridConstant(const void *) { return 0; }

/** Offset in the block's shared memory. */
SOFTGPU_FN size_t __cvta_generic_to_shared(const void *p)
{
    return static_cast<size_t>(static_cast<const char *>(p)
                               - softgpu_tls.shared);
}
/** The address at an offset in the block's shared memory. */
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
