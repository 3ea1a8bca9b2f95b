/* SPDX-License-Identifier: MIT */
/** @file
 *  Logs of what each thread of a block executes, until they are merged into
 *  warp instructions.
 *
 *  The software GPU runs the threads of a warp one after the other; a GPU runs
 *  them in lockstep.  So each lane logs its accesses and the basic blocks that
 *  it enters.  When all lanes of a warp have reached a barrier or have exited,
 *  or a log is full, warp_replay.c replays the logs in lockstep.
 */
#ifndef SOFTGPU_LANE_LOG_H
#define SOFTGPU_LANE_LOG_H

#include "common/softgpu/core/block.h"
#include "caches.h"
#include "flow_graph.h"
#include "sites.h"

/** An access, or the entry into a basic block. */
struct event {
    uint64_t key;    /**< 0xffff - stack depth / 16 (16 bits), code address (48
                          bits): equal for lanes that execute it together */
    uint64_t access; /**< kind (8 bits), bytes (8 bits), address (48 bits) */
    uint16_t node;   /**< the basic block, in the flow graph */
};

/** A function that a thread executes, and its basic block there. */
struct frame {
    uint16_t depth; /**< as in a key */
    uint16_t node;  /**< in the flow graph */
};

enum { MAX_FRAMES = 12 /**< call depth that is tracked */ };
/** Positions of the fields of a key and of an access. */
enum { DEPTH_SHIFT = 48, BYTES_SHIFT = 48, KIND_SHIFT = 56 };
/** The code address of a key, the address of an access. */
#define ADDRESS_MASK 0xffffffffffffull

/** The log of one thread since it was last replayed. */
struct lane {
    struct event *events; /**< owned */
    uint32_t head, count; /**< events[head..count) are to be replayed */
    uint32_t capacity;    /**< of events */
    uint64_t last_key;    /**< of its last event; 0: none yet */
    uint32_t poll_event;  /**< events[poll_event - 1] was a volatile or atomic
                               load, and no other access came after; 0: no */
    struct frame frames[MAX_FRAMES]; /**< outermost first */
    uint32_t frame_count;
};

/** Where a thread's copy of the kernel parameters lies, below the top of its
 *  stack: at the same offset for all threads of a kernel. */
struct lane_parameters {
    uintptr_t below; /**< bytes below the top */
    size_t bytes;    /**< their size */
};

/** Replace those of the kernel that this OS thread runs.
 *  @return the ones before */
struct lane_parameters profile_swap_parameters(struct lane_parameters other);

/** Lanes that executed a basic block together, until all have left it. */
struct branch_state {
    uint32_t mask; /**< lanes that have not left */
    int site;      /**< of the block, in block_profile.sites */
    uint64_t next; /**< the block that others branched to; 0: none yet */
    bool diverged; /**< they branched to different blocks */
};

/** Flag in the bytes of an event: an asynchronous copy. */
enum { ASYNC = 0x80 };

/** Shared loads of a warp that a later one may be merged with. */
enum { MAX_RECENT_LOADS = 8 };

/** A shared load. */
struct recent_load {
    uint32_t active;             /**< mask of lanes; 0: no load */
    uint32_t bytes;              /**< per lane */
    uint32_t joined;             /**< of the vector load that it ends */
    uint32_t offset[WARP_LANES]; /**< in the block's shared memory */
};

/** The state of a warp between two replays. */
struct warp_state {
    struct recent_load recent_loads[MAX_RECENT_LOADS]; /**< ring buffer */
    uint32_t shared_loads;                    /**< number of them so far */
    struct branch_state branches[WARP_LANES]; /**< in use if mask is not 0 */
    uint8_t branch_of[WARP_LANES]; /**< 1 + index of a lane's, or 0 */
    uint32_t step;                 /**< warp instructions so far */
    uint32_t pending_loads;        /**< to registers since the last shared load
                                        or barrier */
    uint32_t pending_copies;       /**< asynchronous copies, likewise */
};

enum { MAX_PHASES = 32 /**< barriers in memory that a block's state has */ };

/** The latest phase of a barrier in memory. */
struct barrier_phase {
    const volatile void *object; /**< the barrier */
    uint64_t phase;              /**< that a thread has waited for */
    uint32_t thread;             /**< the first to do so */
    bool is_counted;             /**< false: none has */
    uint64_t open_phase;         /**< that threads have arrived at last */
    uint64_t arrivals;           /**< at it, so far */
};

/** The profiler's state of a resident block. */
struct block_profile {
    struct softgpu_block *block; /**< the block */
    struct block_profile *next; /**< in the free list */
    struct lane *lanes;         /**< one per thread */
    struct warp_state *warps;
    uint32_t thread_capacity; /**< of lanes and warps, in threads */
    struct sites sites;       /**< counters of this block */
    struct flow_graph flow;
    struct cache_log cache; /**< sectors of this block */
    uint64_t events; /**< logged so far */
    uint64_t split;  /**< replays that did not wait for all lanes */
    uint64_t phase_count; /**< as in struct counters, barrier_phases */
    uint64_t arrivals;    /**< as in struct counters, barrier_arrivals */
    struct barrier_phase phases[MAX_PHASES]; /**< ring buffer */
    uint32_t next_phase;                     /**< the oldest entry */
};

/** Prepare the logs of a block's threads.  @return 0, or -1 without memory */
int block_log_begin(struct block_profile *p, struct softgpu_block *block);
/** Replay all logs: every thread waits or has exited. */
void block_log_replay(struct block_profile *p);
/** Replay all logs, and end the block. */
void block_log_end(struct block_profile *p);
/** Log an asynchronous copy of the running thread: a load and a store.
 *
 *  @param to     shared memory; NULL: no store
 *  @param from   global memory; NULL: no load
 *  @param bytes  to copy
 *  @param site   return address in the program
 *  @param posted unused */
void block_log_async_copy(void *to, const void *from, size_t bytes,
                          const void *site, int posted);
/** Replay the logs of one warp.
 *  @param p      of the block
 *  @param warp   of the block
 *  @param final  true: all events; false: as far as all running lanes have
 *                logged */
void warp_replay(struct block_profile *p, uint32_t warp, bool final);

/** Count an access that lanes executed together (access_count.c). */
void count_access(struct block_profile *p, uint32_t warp, uint64_t code,
                  int kind, const struct warp_access *access);
/** Count what the warp's barrier waits for.  Later shared loads are not merged
 *  with earlier ones.
 *  @param[in,out] w  the warp
 *  @param[in,out] c  counters of the barrier */
void count_barrier(struct warp_state *w, struct counters *c);
/** The hook `barrier`: one of all threads of the block. */
void profile_barrier(struct softgpu_block *b, const void *site);
/** The hook `numbered_barrier`.  Warps that need not take part wait for
 *  nothing. */
void profile_numbered_barrier(struct softgpu_block *b, uint32_t threads,
                              const void *site);
/** The hook `ordered`: a phase counts once, for the first thread that has
 *  waited for it. */
void profile_ordered(unsigned how, const volatile void *object,
                     uint64_t phase);
/** The hook `grid_barrier`. */
void profile_grid_barrier(struct softgpu_block *b);
/** Count a basic block that lanes entered together (basic_blocks.c). */
void count_basic_block(struct block_profile *p, uint32_t warp, uint64_t code,
                       uint32_t mask);
/** Count the last branches: all lanes of the block have exited. */
void count_block_end(struct block_profile *p);

#endif
