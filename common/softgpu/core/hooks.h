/* SPDX-License-Identifier: MIT */
/** @file
 *  Where watchers look on.  The runtime knows none of them: it calls through
 *  one pointer, which is NULL in a plain program.
 */
#ifndef SOFTGPU_HOOKS_H
#define SOFTGPU_HOOKS_H

#include "block.h"

struct softgpu_allocation;
struct softgpu_array;
struct softgpu_library_call;
struct softgpu_seen;

/** Calls that are refused and tell of a defect. */
enum softgpu_refusal {
    SOFTGPU_REFUSED_FREE,      /**< of what is no allocation */
    SOFTGPU_REFUSED_DIRECTION, /**< copy kind against the pointers */
    SOFTGPU_REFUSED_SIZE       /**< past the end of an allocation */
};

/** What can be looked on at.  Called by the thread that does it. */
struct softgpu_hooks {
    /** A grid is about to run; nothing of it has run. */
    void (*grid_begin)(const struct run *run);
    /** It has ended, with a cudaError_t. */
    void (*grid_end)(const struct run *run, int error);
    /** A block begins; it is the one in softgpu_tls. */
    void (*block_begin)(struct softgpu_block *block);
    /** All its threads have returned. */
    void (*block_end)(struct softgpu_block *block);
    /** A barrier of the block is about to open; waiting threads have their
     *  `site` set, the caller's own is `site`, NULL when a thread that
     *  returned opened it. */
    void (*barrier)(struct softgpu_block *block, const void *site);
    /** A warp call of the running thread's warp is complete: of the lanes in
     *  `mask` those in `arrived` made it, each with its `site` and, but for
     *  __syncwarp, its `result`; the others have returned. */
    void (*warp_call)(uint32_t mask, uint32_t arrived);
    /** The running thread issued an asynchronous copy; `site` is a return
     *  address in the program.  src is NULL for zeros, dst for operands of
     *  a matrix instruction, which are only read.  A card may read src
     *  and write dst at any moment until the copy lands: whoever touches dst
     *  before, this thread too, or writes src, races with the copy. */
    void (*async_copied)(void *dst, const void *src, size_t bytes,
                         const void *site);
    /** It lands: the thread that issued it waits for it, and the bytes move
     *  right after this call.  From here on it is a read of src and a write
     *  of dst by that thread.  One that never lands was never waited for. */
    void (*async_landed)(void *dst, const void *src, size_t bytes,
                         const void *site);
    /** A cuda::barrier (those of a cuda::pipeline, too) orders threads.
     *  SOFTGPU_RELEASES: the running thread arrives; what it did so far goes
     *  into `phase` of the barrier.  SOFTGPU_ACQUIRES: it goes on when that
     *  phase has ended, and is ordered after all that was released into it.
     *  The barrier lies at `object`, mostly in shared memory, where the next
     *  block may have another one.  The barrier's own words are not seen as
     *  accesses.  A cuda::atomic does not come here: its accesses are seen as
     *  atomic, with their memory order. */
    void (*ordered)(enum softgpu_ordering how, const volatile void *object,
                    uint64_t phase);
    /** Memory was handed out (1) or is about to be taken back (0). */
    void (*memory)(const struct softgpu_allocation *allocation, int alive);
    /** Bytes were copied, or filled (src is NULL), by the runtime. */
    void (*copied)(void *dst, const void *src, size_t bytes);
    /** A library's call is about to use an array; its parts, which nobody
     *  sees, run next. */
    void (*library_array)(const struct softgpu_library_call *call,
                          const struct softgpu_array *array);
    /** The program asks for `bytes` bytes from dst to be filled with a value,
     *  which may be no byte; some time before `copied`. */
    void (*fill_asked)(void *dst, int value, size_t bytes);
    /** A runtime call was refused: `what` names it, p is its pointer. */
    void (*refused)(enum softgpu_refusal what, const void *p);
    /** A launch was refused with a cudaError_t. */
    void (*launch_failed)(int error);
    /** How long the grid that has ended takes on the described card, without
     *  its start: in place of the time it took here.  Nanoseconds. */
    uint64_t (*modelled_ns)(const struct softgpu_grid *grid);
    /** How long this thread's host code worked since it last called the
     *  runtime: in place of the time it took. */
    uint64_t (*host_ns)(void);
    /** A piece of work has its place on the modelled time line. */
    void (*span)(const struct softgpu_seen *seen);
    /** The host queues a piece of work. */
    void (*queued)(void);
    /** The program looked at the last error. */
    void (*error_read)(void);
};

/** The watchers, or NULL; set before main(). */
extern const struct softgpu_hooks *softgpu_hooks;
/** Return address of the runtime call that this OS thread is in. */
extern SOFTGPU_TLS const void *softgpu_call_site;

/** Tell stderr, with the line of that call: for what its error does not say. */
void softgpu_note(const char *text);

/** Call a hook if there is one: SOFTGPU_HOOK(barrier, (b, site)). */
#define SOFTGPU_HOOK(name, arguments)                                  \
    do {                                                               \
        if (__builtin_expect(softgpu_hooks && softgpu_hooks->name, 0)) \
            softgpu_hooks->name arguments;                             \
    } while (0)

#endif
