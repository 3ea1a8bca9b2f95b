/* SPDX-License-Identifier: MIT */
/** @file
 *  What a block's threads did, lane by lane, until the lanes can be put
 *  together again.
 *
 *  Threads run one after the other here; on a card the lanes of a warp go
 *  together.  So each lane keeps a log: every access and every basic block
 *  that it entered.  When all lanes of a warp have come to a barrier or to
 *  their end, or their logs are full, the logs are played side by side as a
 *  card would (merge.c).
 */
#ifndef SOFTGPU_LANES_H
#define SOFTGPU_LANES_H

#include "../core/block.h"
#include "caches.h"
#include "flow.h"
#include "sites.h"

/** Something a thread did. */
struct event {
    uint64_t key;   /**< 0xffff - depth of the stack / 16 (16 bits), then the
                         code address: equal for lanes that do it together */
    uint64_t place; /**< kind (8 bits), bytes (8 bits), address (48 bits) */
    uint16_t node;  /**< the basic block it happened in */
};

/** A function that a thread is in, and its basic block there. */
struct frame {
    uint16_t depth; /**< as in a key */
    uint16_t node;
};
enum { FRAMES = 12 };

enum { KEY_SHIFT = 48, BYTES_SHIFT = 48, KIND_SHIFT = 56 };
#define LOW48 0xffffffffffffull

/** What a thread did since its log was last played. */
struct lane {
    struct event *events;
    uint32_t head, count; /**< events[head..count) wait to be played */
    uint32_t room;
    uint64_t last;        /**< key of its last event; 0: it did nothing yet */
    uint32_t polled;      /**< events[polled - 1] looked at a word that others
                               write, and no access came since; 0: no */
    struct frame frames[FRAMES]; /**< outermost first */
    uint32_t inside;      /**< how many of them */
};

/** Lanes that ran a basic block together and have not all gone on. */
struct parting {
    uint32_t mask; /**< lanes that have not */
    int site;      /**< of the block, in block_profile.sites */
    uint64_t next; /**< where the others went; 0: nobody has */
    bool parted;   /**< they went two ways */
};

/** Set in an event's bytes when an asynchronous copy did it. */
enum { ASYNC = 0x80 };

/** Shared loads of a warp that later ones may be joined to. */
enum { RECENT_LOADS = 8 };

/** One of them. */
struct recent_load {
    uint32_t active;          /**< lanes; 0: none */
    uint32_t bytes;           /**< a lane */
    uint32_t at[WARP_LANES];  /**< offsets in the block's shared memory */
};

/** A warp's state between two plays. */
struct warp_trace {
    struct recent_load recent[RECENT_LOADS]; /**< a ring */
    uint32_t loads;                  /**< shared ones so far */
    struct parting open[WARP_LANES]; /**< those with a mask are in use */
    uint8_t in[WARP_LANES];          /**< a lane's entry of open + 1, or 0 */
    uint32_t step;                   /**< warp instructions so far */
    uint32_t sectors; /**< loaded since its last shared load or barrier */
    uint32_t copies;  /**< requests that began to copy, likewise */
};

/** The profiler's side of a resident block. */
struct block_profile {
    struct softgpu_block *block;
    struct block_profile *next;  /**< in the list of spare ones */
    struct lane *lanes;          /**< one a thread */
    struct warp_trace *warps;
    uint32_t lane_room;          /**< threads that there is room for */
    struct sites sites;
    struct flow flow;
    struct cache_log cache;
    uint64_t events;             /**< all that were logged */
    uint64_t split;              /**< plays that could not wait for a lane */
};

/** Get ready for a block's threads.  @return 0, or -1 without memory */
int lanes_begin(struct block_profile *p, struct softgpu_block *block);
/** Play all that is logged: every thread waits or has ended. */
void lanes_meet(struct block_profile *p);
/** The same, and the block is over. */
void lanes_end(struct block_profile *p);
/** The running thread issued an asynchronous copy: a load and a store. */
void lanes_copied(void *to, const void *from, size_t bytes, const void *site);
/** Play what can be played of one warp.
 *  @param final  do not wait for what lanes have yet to do */
void warp_play(struct block_profile *p, uint32_t warp, bool final);

/** Lanes did one access together (count.c). */
void count_access(struct block_profile *p, uint32_t warp, uint64_t code,
                  int kind, const struct warp_access *access);
/** The warp is at a barrier, whose counters these are: later shared loads are
 *  joined to none before, and what it loaded last is waited for. */
void count_barrier(struct warp_trace *w, struct counters *c);
/** Lanes entered a basic block together (blocks.c). */
void count_block(struct block_profile *p, uint32_t warp, uint64_t code,
                 uint32_t mask);
/** No lane of the block goes anywhere any more. */
void count_ends(struct block_profile *p);

#endif
