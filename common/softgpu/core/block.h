/* SPDX-License-Identifier: MIT */
/** @file
 *  The core's data: threads, warps, resident blocks, and the OS threads
 *  ("workers") that run them.  One worker owns a block from its start to its
 *  end, so nothing here is locked except what a struct says is atomic.
 *
 *  The one trick: a thread owns the stack it runs on until it returns.  Then
 *  the stack goes on with the next thread that has not started, so threads
 *  that never wait share one stack and cost a function call each; a thread
 *  that waits keeps its stack, and the next one starts on a fresh one.
 */
#ifndef SOFTGPU_BLOCK_H
#define SOFTGPU_BLOCK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "core.h"

enum {
    WARP_LANES = 32,
    WARP_SLOTS = 32,       /* masks of one warp that can be open together */
    SPINS_PER_TURN = 128,  /* atomics and fences before a thread gives way */
    THREADS_AHEAD = 2,     /* how far a switch looks into the array */
    THREAD_BYTES = 64,
    WARP_BYTES = WARP_LANES * THREAD_BYTES
};

struct stack;

/** One CUDA thread: a cache line.  It waits while *word == value.  A block's
 *  threads are an array aligned to WARP_BYTES: the address tells the lane. */
struct softgpu_thread {
    void *sp;                 /**< where to resume; NULL: not begun */
    void *result;             /**< what the call it waits in returns */
    const _Atomic uint32_t *word;
    const void *site;         /**< return address of the call it waits in */
    struct warp *warp;
    struct stack *stack;      /**< the one it runs on */
    uint32_t value;
    uint3 id;
};

/** One warp call in progress for one mask; results alternate between two
 *  buffers, because the slowest lane may still read the last ones. */
struct warp_slot {
    uint32_t mask, arrived;
    _Atomic uint32_t epoch; /**< rises when the call is complete */
    uint32_t ayes[2];       /**< lanes that voted yes */
    uint64_t values[2][WARP_LANES + 1]; /**< last: the lanes that took part */
};

/** 32 threads in a row. */
struct warp {
    uint32_t steps;    /**< __syncwarp calls completed */
    uint32_t live;    /**< lanes that have not returned */
    uint32_t lanes;   /**< how many there are: 32, less in the last warp */
    uint32_t used;    /**< slots[0..used) have a mask; slots[0] is 0 if none */
    uint32_t active;  /**< lanes waiting in softgpu_active_mask */
    struct warp_slot slots[WARP_SLOTS];
    _Atomic uint32_t active_epoch;
    uint32_t groups[WARP_LANES]; /**< what active_mask returns to each */
    uint32_t places[WARP_LANES]; /**< of lanes in softgpu_lockstep; 0: not */
    uint32_t behind; /**< the place that went on last */
    uint32_t rounds; /**< how often in a row */
};

/** A resident block. */
struct softgpu_block {
    struct worker *worker;
    struct softgpu_block *next;      /**< ring of the worker's blocks */
    struct softgpu_block *previous;
    struct softgpu_thread *threads;  /**< by linear index */
    struct softgpu_thread *threads_end;
    struct softgpu_thread **order;   /**< in the order they start */
    struct softgpu_thread **after;   /**< the next of the ring, by index */
    struct softgpu_thread *cursor;   /**< ran last, while set aside */
    struct warp *warps;
    uint32_t count;   /**< threads that are scheduled: 1 if one loop is all */
    uint32_t live;    /**< have not returned */
    uint32_t started; /**< order[0..started) have begun */
    uint32_t spun;    /**< yields since something last went on */
    /* the barrier */
    uint32_t arrived;
    _Atomic uint32_t epoch;
    uint32_t ayes;     /**< predicates that held, of those arrived */
    uint32_t voted[2]; /**< ayes and threads of the last barrier */
    uint32_t grid_arrived; /**< threads at the grid barrier of grid_epoch */
    uint32_t grid_epoch;
    uint3 index;       /**< if `whole`, of the first of its row */
    uint64_t linear;   /**< of the block in the grid; likewise */
    bool in_step;      /**< who arrives at the barrier goes to the next */
    bool whole;        /**< threads run in one loop, count is 1 */
    char *arena;       /**< shared memory, as struct run lays it out */
    char *room;        /**< it lies at the end of this, see fence.h */
    size_t room_bytes;
    size_t fence_bytes; /**< before the room, and behind it */
    void *watch;       /**< the watchers' own, hooks.h; NULL without any */
    void *profile;     /**< the profiler's; NULL: nobody counts this block */
    dim3 shape;        /**< what threads, order and warps are set up for */
    uint64_t seed;
};

/** Threads that wait in the same call, in a block that is stuck. */
struct wait_site {
    const void *pc;
    uint32_t threads;
};
enum { WAIT_SITES = 4 };

/** Why and where a grid failed; written by the one who set run->error. */
struct fault {
    bool replay;     /**< thread unknown: find it by running the block again */
    bool in_thread;  /**< block and thread are known */
    bool returns;    /**< pc is a return address: the call is before it */
    bool said;       /**< the program has been told already (assert) */
    uint3 block, thread;
    uint64_t linear; /**< block */
    const void *pc;  /**< where, or NULL */
    char text[512];  /**< what */
    struct wait_site sites[WAIT_SITES];
    uint32_t site_count;
};

/** The grid that runs now.  What workers write has a cache line of its own;
 *  what follows it is only read, for each block. */
struct run {
    _Alignas(64) _Atomic uint64_t claimed; /**< blocks handed out */
    _Atomic uint64_t finished;     /**< blocks, of a cooperative launch */
    _Atomic uint64_t grid_arrived; /**< blocks in the grid barrier */
    _Atomic uint64_t cpu_ns;
    _Alignas(64) struct softgpu_grid *grid; /* from here on mostly read */
    _Atomic uint32_t grid_epoch;
    uint64_t blocks;
    _Atomic int error;           /**< the first cudaError_t */
    bool whole;                  /**< no thread can stop */
    bool poison;                 /**< fill shared memory with 0xCB */
    unsigned workers;            /**< that may take part */
    uint64_t quota;              /**< blocks that one worker may claim */
    uint64_t start_ns;
    uint64_t seed;               /**< 0: everything in order */
    /* shared memory of a block: static, dynamic, functions', from offset 0 */
    uint32_t dynamic_at, functions_at, shared_bytes;
    struct fault fault;
};

/** An OS thread that runs blocks; no two share a cache line. */
struct worker {
    _Alignas(64) struct run *run;             /**< NULL between grids */
    struct softgpu_tls *tls;     /**< of this OS thread, for the monitor */
    const uint3 *place;          /**< its blockIdx, likewise */
    pthread_t os_thread;
    void *native;                /**< stack pointer outside all fibers */
    struct softgpu_block *ring;  /**< a resident block, or NULL */
    struct softgpu_block *spare; /**< not resident, by `next` */
    uint32_t resident;
    uint32_t idle;               /**< turns without progress */
    uint32_t turns;              /**< of the ring, ever */
    uint32_t burst;              /**< blocks to start without waiting */
    uint64_t claim, claim_end;   /**< blocks claimed, not begun */
    uint64_t quota;              /**< blocks it may still claim */
    struct stacks *stacks;       /**< fiber.c */
    /* the monitor's notes */
    const struct softgpu_thread *seen;
    uint64_t seen_block;
    unsigned seen_place;
    bool inside;                 /**< between enter and leave */
};

#define CURRENT_BLOCK (softgpu_tls.block)
#define CURRENT_THREAD (softgpu_tls.thread)

/** No thread that waits on this ever goes on. */
extern const _Atomic uint32_t softgpu_never;
/** A thread that waits on this with any value but 0 can run. */
#define NOT_WAITING 1u

static inline bool is_runnable(const struct softgpu_thread *t)
{
    return atomic_load_explicit(t->word, memory_order_relaxed) != t->value;
}

static inline void set_wait(struct softgpu_thread *t,
                            const _Atomic uint32_t *word, uint32_t value)
{
    t->word = word;
    t->value = value;
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

/** The next one of the ring.  In order it is found by counting: that spares
 *  each switch a load that the next one waits for. */
static inline struct softgpu_thread *next_of(const struct softgpu_block *b,
                                             struct softgpu_thread *t)
{
    if (__builtin_expect(b->seed != 0, 0))
        return b->after[index_of(b, t)];
    return t + 1 == b->threads_end ? b->threads : t + 1;
}

/* schedule.c.  The first two are called last in the functions they serve,
 * so that a switch resumes in the kernel itself: see switch_x86_64.S. */

/** The running thread, whose wait is set, gives way to another of its block,
 *  or to another block; returns me->result when it may go on. */
void *softgpu_wait(struct softgpu_thread *me);
/** Start thread `to`, the next of the block's order, on a fresh stack. */
void *softgpu_start(struct softgpu_thread *me, struct softgpu_thread *to);
/** Give up the rest of the turn; forced by a signal or of one's own. */
void softgpu_give_way(struct softgpu_thread *me, bool forced);
/** Leave all fibers of this worker and go to its native stack. */
void softgpu_abandon(void) __attribute__((noreturn));
/** Run blocks until none is left; called on the native stack. */
void softgpu_run_fibers(struct worker *w);

/* barrier.c */

/** A thread returned while others waited at the barrier. */
void softgpu_barrier_exit(struct softgpu_block *b);
/** The same for the grid barrier, or a whole block ended. */
void softgpu_grid_barrier_exit(struct softgpu_block *b);

/* warp.c */

/** A lane returned while others waited in warp calls. */
void softgpu_warp_exit(struct warp *warp);
/** Complete the active_mask calls of a block where nobody else can run.
 *  @return lanes that may go on */
unsigned softgpu_warp_resolve(struct softgpu_block *b);

/* resident.c */

/** Begin the next block of the grid; NULL if none is left or none may be. */
struct softgpu_block *softgpu_block_claim(struct worker *w);
/** Make the block the one that runs here. */
void softgpu_block_enter(struct softgpu_block *b);
/** A block that runs as one loop is about to: let the loop go on to the next
 *  ones beside it in x, as far as they were claimed.  Claiming and entering
 *  one costs as much as some hundred threads of a vector addition.  blockIdx,
 *  not b->index, tells which one runs. */
void softgpu_block_row(struct softgpu_block *b);
/** It is stopped: others shall run the rest of its row. */
void softgpu_block_end_row(struct softgpu_block *b);
/** It ended: begin the next row.  @return false: there is none */
bool softgpu_block_again(struct softgpu_block *b);
/** The block is over. */
void softgpu_block_retire(struct softgpu_block *b);
/** All blocks of the worker are over, whatever they were doing. */
void softgpu_block_drop_all(struct worker *w);

#endif
