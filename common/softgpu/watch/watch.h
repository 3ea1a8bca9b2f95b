/* SPDX-License-Identifier: MIT */
/** @file
 *  What all watchers share: one access, where it goes, and the state that is
 *  kept of each block and of each allocation.
 *
 *  tsan.c receives every load and store of the program, finds out where the
 *  address lies (place.c), and shows the access to each watcher in turn.  A
 *  watcher is a file with functions of the forms below, named in watchers.h;
 *  taking its line out there removes it.
 */
#ifndef SOFTGPU_WATCH_H
#define SOFTGPU_WATCH_H

#include "../core/block.h"
#include "../host/arena.h"
#include "cell.h"
#include "findings.h"

struct pool;

/** What lies at an address. */
enum region {
    REGION_LOCAL,  /**< the thread's own stack */
    REGION_SHARED,
    REGION_DEVICE, /**< an allocation that kernels may use */
    REGION_SYMBOL, /**< a variable of the program: __device__, __constant__ */
    REGION_NONE    /**< nothing a kernel may touch */
};

enum access_flags { ACCESS_WRITE = 1, ACCESS_ATOMIC = 2, ACCESS_VOLATILE = 4,
                    ACCESS_RELEASE = 8, /* an atomic that orders, too */
                    ACCESS_RANGE = 16 /* part of a copy: any alignment */ };

enum { GRANULE_WORDS = 16 };

/** What holds for all words of 64 bytes of device memory: in the launch `tag`
 *  several blocks read them at `code`, and nobody wrote.  Inputs are mostly
 *  so; then one look here is enough, and touches less memory than cells. */
struct granule {
    uint32_t tag;
    uint32_t code; /**< 0: nothing of the kind is known */
};

/** An allocation as the watchers know it. */
struct watched {
    uintptr_t base, end;     /**< of the bytes asked for */
    struct cell *cells;      /**< one for each 4 bytes, or NULL: too large */
    struct granule *granules; /**< one for each 16 cells; with them */
    uint8_t *known;          /**< for each 4 bytes: which hold a value; NULL
                                  where the host may write, too */
    enum softgpu_kind kind;
    uintptr_t allocated_at;  /**< return addresses of the calls */
    uintptr_t freed_at;      /**< 0 while alive */
    uintptr_t short_fill;    /**< a fill that took elements for bytes, or 0 */
};

/** The watchers' state of a block that is resident. */
struct watch_block {
    struct softgpu_block *block;
    uint32_t interval;  /**< number of the time since all its threads were
                             last ordered; never the same for two blocks */
    uint32_t first;     /**< the interval that the block began with */
    uint32_t grid_epoch; /**< grid barriers passed when it began */
    uint32_t tag;        /**< see order_tag(); 0: it may change */
    uint32_t fences;    /**< how many the block has made */
    uint32_t fenced;    /**< how many when the interval began */
    int sampled;        /**< 0: its words are not watched (sample.h) */
    struct cell *cells; /**< one for each 4 bytes of shared memory */
    uint32_t *known;    /**< for each of them: first << 4 | bytes written */
    size_t words;
    struct pool *pool;  /**< further records of shared words */
    const char *kernel; /**< its name */
    struct acquired *acquired; /**< order.c: what it may rely on */
    const volatile void *barrier; /**< cuda::barrier acquired last */
    uint64_t phase;               /**< and its phase */
    uint32_t at_barrier[WARP_LANES];   /**< bit t: thread t was at one */
    uint32_t at_warp_call[WARP_LANES]; /**< bit t: thread t made one */
};

/** One access by a thread of a kernel. */
struct access {
    uintptr_t address;
    uint32_t bytes;
    uint32_t flags;
    uintptr_t code;        /**< return address */
    enum region region;
    struct watched *memory; /**< REGION_DEVICE, else NULL */
    struct watch_block *block;
};

/** State of the running block; NULL on the host. */
static inline struct watch_block *watch_here(void)
{
    return softgpu_tls.block ? softgpu_tls.block->watch : NULL;
}

/** This OS thread has left something to be judged at its next access. */
extern SOFTGPU_TLS int watch_unsettled;
/** Judge it. */
void watch_settle_now(void);

/** The same, when there is anything. */
static inline void watch_settle(void)
{
    if (__builtin_expect(watch_unsettled, 0))
        watch_settle_now();
}

/** Fill in region and memory. */
void watch_place(struct access *access);
/** The allocation that the address lies in, or lay in; NULL if none. */
struct watched *watch_find(uintptr_t address, int freed_too);
/** The live allocation nearest to an address, within 1 MB; NULL if none. */
struct watched *watch_nearest(uintptr_t address);
/** 1 if the address belongs to a device's memory, allocated or not. */
int watch_is_device_address(uintptr_t address);

/** 1 if it belongs to the program: a variable, a literal. */
int watch_is_program(uintptr_t address);

/** Begin a sighting of an access. */
struct softgpu_sighting watch_sighting(const struct access *access,
                                       enum softgpu_finding_kind kind);

/** "4-byte read", "16-byte write", "atomic on 4 bytes". */
const char *watch_words(const struct access *access);

#endif
