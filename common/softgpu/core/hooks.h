/* SPDX-License-Identifier: MIT */
/** @file
 *  Hooks: callbacks for instrumentation, which are the checks and the
 *  profiler.  The runtime depends on neither: it calls through one pointer,
 *  which is NULL in a plain program.
 */
#ifndef SOFTGPU_HOOKS_H
#define SOFTGPU_HOOKS_H

#include "block.h"

struct softgpu_allocation;
struct softgpu_array;
struct softgpu_library_call;
struct softgpu_activity;

/** Runtime calls that fail because of a defect in the program. */
enum softgpu_refusal {
    SOFTGPU_REFUSED_FREE,      /**< the pointer is no allocation */
    SOFTGPU_REFUSED_DIRECTION, /**< the copy kind contradicts the pointers */
    SOFTGPU_REFUSED_SIZE,      /**< past the end of an allocation */
    SOFTGPU_REFUSED_PART,      /**< host memory, registered in part only */
    SOFTGPU_REFUSED_BY_FAULT   /**< a free after a kernel's error, which frees
                                    nothing */
};

/** The events that can be observed.  Each hook is called on the OS thread
 *  where the event happens, and may be NULL. */
struct softgpu_hooks {
    /** A grid is about to run; none of its threads has started. */
    void (*grid_begin)(const struct run *run);
    /** The grid has ended, with a cudaError_t. */
    void (*grid_end)(const struct run *run, int error);
    /** A thread of the grid waits for grids that it launched, which run next,
     *  on the same OS thread (1); or they have ended, and the grid goes on
     *  (0). */
    void (*grid_waits)(const struct run *run, int waits);
    /** All workers of the grid have stopped, and other grids run (1); or the
     *  grid is about to go on (0).  Its blocks stay as they are. */
    void (*grid_passes)(const struct run *run, int passes);
    /** This OS thread runs no thread of its grid until then. */
    void (*worker_stops)(void);
    /** The running thread launched a kernel, which runs later; notes where. */
    void (*kernel_launches)(struct softgpu_launch_point *at);
    /** A block starts. */
    void (*block_begin)(struct softgpu_block *block);
    /** All threads of a block have returned. */
    void (*block_end)(struct softgpu_block *block);
    /** The block's barrier is about to complete.  Each waiting thread has its
     *  `site` set; that of the last thread to arrive is `site`, which is NULL
     *  when the exit of a thread completes the barrier. */
    void (*barrier)(struct softgpu_block *block, const void *site);
    /** A numbered barrier of the block is about to complete.  `threads` of it
     *  have arrived, 0: all.  `site` is where one of them did. */
    void (*numbered_barrier)(struct softgpu_block *block, uint32_t threads,
                             const void *site);
    /** All live threads of a block have arrived at the barrier of the grid,
     *  which orders them as one of the block does. */
    void (*grid_barrier)(struct softgpu_block *block);
    /** The running thread is past all barriers of its kernel.  `site` is a
     *  return address in the program. */
    void (*kernel_end)(const void *site);
    /** A warp call of the running thread's warp completes.  Of the lanes in
     *  `mask` those in `arrived` made the call, each with its `site` set and,
     *  except for __syncwarp, its `result`; the other lanes have returned. */
    void (*warp_call)(uint32_t mask, uint32_t arrived);
    /** The running thread issued an asynchronous copy; `site` is a return
     *  address in the program.  src is NULL for zeros; dst is NULL for operands
     *  of a matrix instruction, which are only read.  A GPU may read src and
     *  write dst at any time until the copy completes: any thread, including
     *  this one, that accesses dst or writes src before that races with the
     *  copy.
     *  @param posted  as of async_copy_completed */
    void (*async_copy_issued)(void *dst, const void *src, size_t bytes,
                              const void *site, int posted);
    /** The copy completes: the thread that issued it waits for it, and the
     *  bytes are copied right after this hook.  From here on the copy is a read
     *  of src and a write of dst by that thread.  A copy that no thread waits
     *  for never completes.
     *  @param posted  1: a thread waits that may not have issued it, as for a
     *                 bulk copy */
    void (*async_copy_completed)(void *dst, const void *src, size_t bytes,
                                 const void *site, int posted);
    /** A cuda::barrier, also that of a cuda::pipeline, synchronizes threads.
     *  SOFTGPU_RELEASES: the running thread arrives, and its accesses so far
     *  are released into `phase` of the barrier.  SOFTGPU_ACQUIRES: the thread
     *  has waited for the end of that phase, and all that was released into it
     *  happens before what the thread does next.  With SOFTGPU_OF_DEVICE the
     *  barrier's scope takes in other blocks.  `object` is the barrier's
     *  address, usually in shared memory, where the next block may have another
     *  barrier.  Accesses to the barrier's own words are not reported.  A
     *  cuda::atomic does not call this hook: its accesses are reported as
     *  atomic, with their memory order. */
    void (*ordered)(unsigned how, const volatile void *object, uint64_t phase);
    /** An allocation was made (alive 1) or is about to be freed (0). */
    void (*memory)(const struct softgpu_allocation *allocation, int alive);
    /** The runtime has copied or, if src is NULL, filled memory. */
    void (*copied)(void *dst, const void *src, size_t bytes);
    /** A library call is about to use an array.  The call itself, whose
     *  accesses are not instrumented, runs next. */
    void (*library_array)(const struct softgpu_library_call *call,
                          const struct softgpu_array *array);
    /** The program called cudaMemset() or its like.  `value` is its argument,
     *  which may exceed a byte.  The hook `copied` follows when it runs. */
    void (*fill_requested)(void *dst, int value, size_t bytes);
    /** A runtime call failed: `what` is the cause, p the pointer at fault. */
    void (*refused)(enum softgpu_refusal what, const void *p);
    /** A launch failed with a cudaError_t. */
    void (*launch_failed)(int error);
    /** Modeled duration of the grid that has ended on the described card,
     *  without launch overhead, in nanoseconds.  Replaces its measured CPU
     *  time. */
    uint64_t (*modeled_ns)(const struct softgpu_grid *grid);
    /** Modeled duration of this thread's host code since its last runtime
     *  call, in nanoseconds.  Replaces the measured time. */
    uint64_t (*host_ns)(void);
    /** An activity was placed on the modeled time line. */
    void (*span)(const struct softgpu_activity *activity);
    /** The host queues a command. */
    void (*queued)(void);
    /** The program read the last error. */
    void (*error_read)(void);
};

/** The hooks, or NULL in a plain program; set before main(). */
extern const struct softgpu_hooks *softgpu_hooks;
/** Return address of this OS thread's current runtime call. */
extern SOFTGPU_TLS const void *softgpu_call_site;
/** In a device process (host/remote.h), the return address of the call that the
 *  host process made; else NULL. */
extern SOFTGPU_TLS const void *softgpu_remote_site;
/** The return address of the runtime call that uses it. */
#define SOFTGPU_CALLER \
    (softgpu_remote_site ? softgpu_remote_site : __builtin_return_address(0))

/** Print a warning to stderr with the source line of that call, for a cause
 *  that its error code does not tell. */
void softgpu_warn_at_call(const char *text);

/** Call a hook if there is one: SOFTGPU_HOOK(barrier, (b, site)). */
#define SOFTGPU_HOOK(name, arguments)                                  \
    do {                                                               \
        if (__builtin_expect(softgpu_hooks && softgpu_hooks->name, 0)) \
            softgpu_hooks->name arguments;                             \
    } while (0)

#endif
