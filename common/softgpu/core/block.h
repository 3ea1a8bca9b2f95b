/* SPDX-License-Identifier: MIT */
/** @file
 *  The core's data: threads, warps, resident blocks, and the OS threads
 *  ("workers") that run them.  One worker owns a block from its first thread
 *  to its last, so nothing here is locked; fields that several workers write
 *  are atomic.
 *
 *  Stacks: a thread that starts takes over the stack of a thread that has
 *  returned.  Threads that never wait therefore run one after the other on
 *  one stack, and each costs a function call.  A thread that waits keeps its
 *  stack, and the next thread starts on a fresh one.
 */
#ifndef SOFTGPU_BLOCK_H
#define SOFTGPU_BLOCK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "core.h"
#include "fiber.h"

/** Sizes of the core's data. */
enum {
    WARP_LANES = 32,          /**< threads of a warp */
    WARP_SLOTS = 32,          /**< masks of one warp in use at a time */
    SPINS_BEFORE_YIELD = 128, /**< atomics and fences before a thread yields */
    PREFETCH_THREADS = 2,     /**< prefetch distance of a thread switch */
    THREAD_BYTES = 64,        /**< sizeof(struct softgpu_thread) */
    WARP_BYTES = WARP_LANES * THREAD_BYTES /**< those of a warp */
};

struct stack;

/** One CUDA thread: a cache line.  The thread is runnable when *wait_word
 *  differs from wait_value.  The threads of a block are an array aligned to
 *  WARP_BYTES, so a thread's address gives its lane. */
struct softgpu_thread {
    void *sp;     /**< saved stack pointer; NULL: not started */
    void *result; /**< return value of the call that the thread waits in */
    const _Atomic uint32_t *wait_word;
    const void *site;    /**< return address of the call that it waits in */
    struct warp *warp;   /**< the thread's warp */
    struct stack *stack; /**< the stack that it runs on */
    uint32_t wait_value;
    uint3 id; /**< threadIdx */
};

/** The state of one warp call for one mask.  Results alternate between two
 *  buffers: a lane may still read the results of the previous call. */
struct warp_slot {
    uint32_t mask;          /**< the lanes that the call names */
    uint32_t arrived;       /**< lanes that have made the call */
    _Atomic uint32_t epoch; /**< incremented when the call completes */
    uint32_t votes[2];      /**< lanes with a non-zero predicate */
    uint64_t values[2][WARP_LANES + 1]; /**< by lane; last: the lanes that
                                             took part */
};

/** A warp: 32 consecutive threads of a block. */
struct warp {
    uint32_t syncwarp_count; /**< __syncwarp calls completed */
    uint32_t live;           /**< lanes that have not returned */
    uint32_t lanes; /**< number of lanes: 32, or fewer in the last warp */
    uint32_t slot_count; /**< slots[0] to slots[slot_count - 1] have a mask;
                              with none, slots[0].mask is 0 */
    uint32_t active_mask_waiters; /**< lanes in softgpu_active_mask() */
    struct warp_slot slots[WARP_SLOTS];
    _Atomic uint32_t active_epoch; /**< incremented when they resume */
    uint32_t active_groups[WARP_LANES]; /**< softgpu_active_mask()'s result */
    /** By lane: source position of its softgpu_lockstep(), or 0. */
    uint32_t source_positions[WARP_LANES];
    uint32_t resumed_position; /**< the position that was resumed last */
    uint32_t resumed_rounds;   /**< how many times in succession */
};

/** A barrier of PTX's bar.sync and bar.arrive (numbered_barrier.c). */
struct numbered_barrier {
    uint32_t arrived;       /**< threads that have arrived */
    uint32_t expected;      /**< threads that it waits for; 0: all */
    _Atomic uint32_t epoch; /**< incremented when it completes */
};
enum { NUMBERED_BARRIERS = 16 /**< of a block, as on a card */ };

/** A resident block. */
struct softgpu_block {
    struct worker *worker;          /**< the worker that runs it */
    struct softgpu_block *next;     /**< in the worker's ring of blocks */
    struct softgpu_block *previous; /**< in that ring */
    struct softgpu_thread *threads; /**< by linear index */
    struct softgpu_thread *threads_end;
    struct softgpu_thread **start_order; /**< threads as they start */
    struct softgpu_thread **successors;  /**< by index: next in ring order */
    struct softgpu_thread *scan_start;   /**< where the search for a runnable
                                              thread continues */
    struct warp *warps;
    uint32_t count;   /**< threads to schedule, or gangs; 1 if thread_loop */
    uint32_t live;    /**< threads that have not returned */
    uint32_t started; /**< start_order[0] to [started - 1] have started */
    uint32_t yield_count; /**< yields since a thread made progress */
    uint32_t rounds;      /**< yields that were the first ones since progress,
                               since the block last ran or a thread returned */
    uint32_t long_runs;   /**< preemptions of the one thread that did not wait,
                               since lanes were resumed in __activemask() */
    /* the barrier of the block */
    uint32_t arrived;       /**< threads that wait at it */
    _Atomic uint32_t epoch; /**< incremented when it completes */
    uint32_t votes;         /**< non-zero predicates of those threads */
    uint32_t last_vote[2];  /**< the last barrier's votes and threads */
    struct numbered_barrier numbered[NUMBERED_BARRIERS];
    bool uses_numbered; /**< threads may wait at one of them */
    /* the barrier of the grid */
    uint32_t grid_arrived; /**< threads that wait at it in grid_epoch */
    uint32_t grid_epoch;
    uint3 index;     /**< blockIdx; if thread_loop, of the batch's first */
    uint64_t linear; /**< linear index of the same block */
    uint64_t order;  /**< blocks that its worker had started before it */
    bool in_ring_order; /**< a thread that arrives at the barrier switches to
                             its successor, which is known to be runnable */
    bool thread_loop;   /**< one loop runs all threads; count is 1 */
    char *arena;        /**< shared memory, laid out as struct run says */
    char *mapping;      /**< the arena is at its end: see shared_memory.h */
    size_t mapping_bytes;
    size_t guard_bytes; /**< guard pages before and after the mapping */
    void *watch;        /**< data of the checks, see hooks.h; or NULL */
    void *profile;      /**< data of the profiler; NULL: not sampled */
    dim3 block_dim;     /**< that threads, order and warps were set up for */
    uint64_t seed;      /**< likewise */
    uint32_t gang_threads; /**< likewise */
};

/** Threads of a deadlocked block that wait in the same call. */
struct wait_site {
    const void *pc; /**< return address of the call */
    uint32_t threads;
};
enum { WAIT_SITES = 4 /**< wait sites that a fault names */ };

/** Why and where a grid failed.  The worker that set run->error writes it. */
struct fault {
    bool replay; /**< thread unknown: run the block again to find it */
    bool has_thread;        /**< block and thread are known */
    bool is_return_address; /**< pc is after the call, not at the fault */
    bool already_reported;  /**< a message was printed (assert) */
    uint3 block, thread;
    uint64_t linear; /**< linear index of the block */
    const void *pc;  /**< code address, or NULL */
    const void *address; /**< that no allocation has, or NULL */
    char text[512];  /**< the cause */
    struct wait_site sites[WAIT_SITES];
    uint32_t site_count;
};

/** The grid that is running.  Fields that workers write have a cache line of
 *  their own; the fields after them are read for each block. */
struct run {
    _Alignas(64) _Atomic uint64_t claimed; /**< blocks that workers claimed */
    _Atomic uint64_t finished;     /**< blocks, of a cooperative launch */
    _Atomic uint64_t grid_arrived; /**< blocks at the grid barrier */
    _Atomic uint64_t cpu_ns;       /**< CPU time of all workers */
    _Alignas(64) struct softgpu_grid *grid; /**< from here on mostly read */
    _Atomic uint32_t grid_epoch; /**< incremented by the grid barrier */
    uint64_t blocks;             /**< of the grid that run */
    /** 1: only the blocks at its ends run: grid_ends.h; 2: and none of them
     *  waits for a block that does not run */
    unsigned ends_only;
    _Atomic int error;           /**< the first cudaError_t */
    bool thread_loop;            /**< blocks run as thread loops */
    uint32_t gang_threads;       /**< blocks run as gangs of so many threads,
                                      each scheduled as one thread; or 0 */
    bool poison;                 /**< fill it with SOFTGPU_SHARED_POISON */
    unsigned workers;            /**< that may take part */
    unsigned place; /**< among the grids in flight; SOFTGPU_TURNS: runs while
                         one of them waits for it */
    uint64_t quota;              /**< blocks that one worker may claim */
    uint64_t start_ns;           /**< CLOCK_MONOTONIC at the start */
    uint64_t seed; /**< permutes blocks and threads; 0: in index order */
    /** Offsets in a block's shared memory: static memory is at 0, then comes
     *  dynamic memory, then that of device functions. */
    uint32_t dynamic_offset, functions_offset, shared_bytes;
    struct fault fault;
};

/** An OS thread that runs blocks; no two workers share a cache line. */
struct worker {
    _Alignas(64) struct run *run; /**< NULL between grids */
    struct softgpu_tls *tls;      /**< of this OS thread, for the monitor */
    const uint3 *block_idx;       /**< its blockIdx, for the monitor */
    pthread_t os_thread;
    void *native_sp; /**< stack pointer of the OS thread's own stack */
    struct softgpu_block *ring;        /**< a resident block, or NULL */
    struct softgpu_block *free_blocks; /**< for reuse, linked by `next` */
    uint32_t resident;                 /**< blocks in the ring */
    uint32_t idle_turns;       /**< block switches without progress */
    uint32_t ring_steps;       /**< block switches in total */
    uint32_t start_burst;      /**< blocks to start without waiting */
    uint32_t polls;            /**< preemptions in blocks that cannot go on */
    uint32_t yields;           /**< of its threads since a preemption */
    uint32_t stalled_epoch;    /**< run->grid_epoch at stalled_since */
    uint64_t stalled_since;    /**< when its blocks began to wait, with no other
                                    to start, in ns; 0: they go on */
    uint64_t blocks_started;   /**< on this worker, to number them */
    uint64_t claim, claim_end; /**< claimed blocks that have not started */
    uint64_t quota;            /**< blocks that it may still claim */
    struct stacks *pools[STACK_KINDS]; /**< its stack pools, by kind */
    struct stacks *stacks;     /**< the one that this run uses */
    /* what the monitor saw at its last tick */
    const struct softgpu_thread *last_thread;
    uint64_t last_block;
    unsigned last_block_x;
    bool inside; /**< takes part in a grid */
};

/** The block that this OS thread runs; NULL in host code. */
#define CURRENT_BLOCK (softgpu_tls.block)
/** The thread that runs; NULL while the scheduler works. */
#define CURRENT_THREAD (softgpu_tls.thread)

/** A thread that waits for this word to change from 0 waits forever. */
extern const _Atomic uint32_t softgpu_wait_forever;
/** A wait_value for softgpu_wait_forever that makes a thread runnable. */
#define NOT_WAITING 1u

/** Can the thread run? */
static inline bool is_runnable(const struct softgpu_thread *t)
{
    return atomic_load_explicit(t->wait_word, memory_order_relaxed)
           != t->wait_value;
}

/** Let the thread wait until *wait_word differs from wait_value. */
static inline void set_wait(struct softgpu_thread *t,
                            const _Atomic uint32_t *wait_word,
                            uint32_t wait_value)
{
    t->wait_word = wait_word;
    t->wait_value = wait_value;
}

/** Linear index of the thread in its block. */
static inline uint32_t index_of(const struct softgpu_block *b,
                                const struct softgpu_thread *t)
{
    return (uint32_t)(t - b->threads);
}

/** Lane of the thread in its warp. */
static inline unsigned lane_of(const struct softgpu_thread *t)
{
    return (unsigned)((size_t)t / THREAD_BYTES) % WARP_LANES;
}

/** The thread's successor in the ring.  Without a seed it is computed, which
 *  saves each switch a dependent load. */
static inline struct softgpu_thread *next_of(const struct softgpu_block *b,
                                             struct softgpu_thread *t)
{
    if (__builtin_expect(b->seed != 0, 0))
        return b->successors[index_of(b, t)];
    return t + 1 == b->threads_end ? b->threads : t + 1;
}

/** Call visit() for each resident block of a grid whose workers have stopped
 *  (turns.c). */
void softgpu_visit_blocks(const struct run *run,
                          void (*visit)(struct softgpu_block *block));

/* schedule.c.  The first two are called last in their callers, so that a
 * switch resumes in the kernel itself: see switch_x86_64.S. */

/** Suspend the running thread, whose wait is set.  The scheduler switches to
 *  another thread of its block or to another block.
 *  @return me->result, when the thread is runnable again */
void *softgpu_suspend_thread(struct softgpu_thread *me);
/** Start thread `to`, the next in the block's start order, on a fresh stack. */
void *softgpu_start_thread(struct softgpu_thread *me,
                           struct softgpu_thread *to);
/** Yield: let other threads run.
 *  @param forced  by the monitor's signal, not by the thread itself */
void softgpu_yield_thread(struct softgpu_thread *me, bool forced);
/** For the checks: stop the running thread, as the monitor does. */
void softgpu_preempt(void);
/** Leave all fibers of this worker and continue on its native stack. */
void softgpu_exit_fibers(void) __attribute__((noreturn));
/** The grid has failed in this thread: end it, and let the other threads of its
 *  block run, which may fail, too. */
void softgpu_end_failed_thread(void) __attribute__((noreturn));
/** The workers of the pool, then one for each grid beside another (run_grid.c).
 *  @param[out] count  how many */
struct worker *softgpu_all_workers(int *count);
/** Run blocks until none is left, and count the CPU time (run_grid.c). */
void softgpu_run_worker(struct worker *w, struct run *run);
/** Run blocks until none is left; called on the native stack. */
void softgpu_run_fibers(struct worker *w);

/* barrier.c */

/** A thread returned while others wait at the block's barrier: complete it if
 *  no other thread is missing. */
void softgpu_barrier_thread_exited(struct softgpu_block *b);
/** The same for barriers of all threads of the block that have a number
 *  (numbered_barrier.c). */
void softgpu_numbered_barriers_thread_exited(struct softgpu_block *b);
/** The same for the grid barrier, when a thread or a whole block ended. */
void softgpu_grid_barrier_thread_exited(struct softgpu_block *b);
/** Complete the grid barrier if all blocks that have not ended have arrived.
 *  @param arrived  run->grid_arrived as the caller read it; does nothing when
 *                  another OS thread has completed the barrier since */
void softgpu_complete_grid_barrier(struct run *run, uint64_t arrived);

/* warp.c */

/** A lane returned while others wait in warp calls: complete the calls that
 *  no other lane is missing from. */
void softgpu_warp_lane_exited(struct warp *warp);
/** Complete the softgpu_active_mask() calls of a block that has no other
 *  runnable thread.
 *  @return how many warps had such calls */
unsigned softgpu_complete_active_masks(struct softgpu_block *b);

/* resident.c */

/** Make the grid's next block resident.
 *  @return NULL if no block is left, or none may start, or without memory */
struct softgpu_block *softgpu_claim_block(struct worker *w);
/** Make the block this OS thread's current one. */
void softgpu_make_block_current(struct softgpu_block *b);
/** Before a block runs as a thread loop: let the loop continue with the next
 *  blocks in x, as far as the worker has claimed them.  Starting a block costs
 *  as much as some hundred threads of a vector addition.  Within such a batch
 *  blockIdx, not b->index, is the block that runs. */
void softgpu_claim_batch(struct softgpu_block *b);
/** The loop was preempted: return the rest of the batch to the worker. */
void softgpu_release_batch(struct softgpu_block *b);
/** The batch is done: claim the next one.  @return false if there is none */
bool softgpu_claim_next_batch(struct softgpu_block *b);
/** All threads of the block have returned: free its place. */
void softgpu_retire_block(struct softgpu_block *b);
/** The grid has failed: discard all blocks of the worker. */
void softgpu_discard_blocks(struct worker *w);

#endif
