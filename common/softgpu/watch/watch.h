/* SPDX-License-Identifier: MIT */
/** @file
 *  The checker (softcc --check): what its files share.
 *
 *  instrument/ passes it every load and store of the program.  check.c
 *  classifies the address once (address_region.c) and runs the checks of
 *  access_checks.h on the access, in order:
 *
 *  - bounds_check.c: is there memory at the address, and is it aligned?
 *  - initcheck.c: does a read find bytes that were written?
 *  - racecheck.c: is the access ordered with the others to its words?
 *
 *  Beside these, synccheck.c checks barriers and warp functions, host_check.c
 *  the host's API calls, library_check.c the arrays of library calls, and
 *  watchdog.c stops a kernel that makes no progress.  All report to
 *  findings.h.
 */
#ifndef SOFTGPU_WATCH_H
#define SOFTGPU_WATCH_H

#include "common/softgpu/core/block.h"
#include "common/softgpu/host/arena.h"
#include "common/softgpu/instrument/parameter_filter.h"
#include "common/softgpu/instrument/shadow_cell.h"
#include "common/softgpu/instrument/tool.h"
#include "findings.h"
#include "pending_store.h"

struct record_pool;
struct order;
struct block_order;
struct torn_table;

/** The memory region of an address. */
enum region {
    REGION_LOCAL,   /**< the stack of the running thread */
    REGION_SHARED,  /**< shared memory of its block */
    REGION_DEVICE,  /**< an allocation that kernels may access */
    REGION_PROGRAM, /**< the program's image: __device__ and other variables */
    REGION_RUNTIME, /**< of the runtime: threadIdx, kernel parameters */
    REGION_NONE     /**< nothing that a kernel may access */
};

enum { GRANULE_WORDS = 16 }; /**< words of a struct granule: 64 bytes */

/** All words of 64 aligned bytes of device memory were, in the launch `tag`,
 *  read by several blocks at `pc` and not written.  Most words of a kernel's
 *  input are in such a granule: then one load here replaces those of their
 *  cells. */
struct granule {
    uint32_t tag;
    uint32_t pc; /**< lower half; 0: see the cells */
};

enum { ALLOCATION_FILLS = 4 }; /**< that are remembered of each */

/** An allocation as the checker tracks it; it keeps freed ones, too. */
struct allocation {
    uintptr_t base, end;       /**< of the bytes that were asked for */
    struct shadow_cell *cells; /**< one a word; NULL: it is too large */
    struct granule *granules;  /**< one for each 16 cells */
    uint8_t *init_mask;        /**< a word's initialized bytes, a bit each, and
                                    in the upper half those that kernels wrote;
                                    NULL where the host may write, too */
    enum softgpu_kind kind;
    uintptr_t allocated_at;    /**< return address of the call */
    uintptr_t freed_at;        /**< likewise; 0 while it is alive */
    int free_refused;          /**< a free was tried after a kernel's error */
    uintptr_t short_memset_at; /**< of a cudaMemset that took a number of
                                    elements for one of bytes; or 0 */
    struct memory_fill {
        uintptr_t site; /**< of a cudaMemset */
        size_t at, end; /**< of the bytes that it has set; 0, 0: none */
    } fill[ALLOCATION_FILLS]; /**< of several that began there the last */
    unsigned fills; /**< so far: the oldest one is replaced */
};

enum { MAX_BARRIER_SITES = 16 };

/** A barrier in the source, and the threads that were at it. */
struct barrier_site {
    const void *pc;               /**< return address of one of its calls */
    uint32_t threads[WARP_LANES]; /**< bit t: thread t was there */
};

enum { LAST_READS = 2 };
#define ALL_THREADS UINT32_MAX /**< in place of a thread's index */

/** The block's latest arrivals at a cuda::barrier that blocks share. */
struct barrier_arrival {
    const volatile void *barrier;
    uint64_t phase;
    uint32_t thread; /**< that arrived, or ALL_THREADS: several did */
};

/** The checker's state of a resident block. */
struct watch_block {
    struct softgpu_block *block;
    uint32_t interval;       /**< number of the barrier interval; no two blocks
                                  of an OS thread's slot share one */
    uint32_t returned;       /**< threads that had returned when the interval
                                  began */
    uint32_t first_interval; /**< the one that the block began with */
    uint32_t tag;            /**< see hb_tag(); 0: it may change */
    uint32_t sequence;       /**< counts memory fences, and atomic and volatile
                                  writes of global memory: tells their order */
    uint32_t launches;       /**< of these, those that are kernels launched */
    uint32_t first_fence;    /**< `sequence` of the interval's first fence; 0:
                                  it has had none */
    uint32_t ordered_interval; /**< earlier ones are ordered before what any
                                    thread does now: block_order.h */
    struct block_order *clocks; /**< of its warps: block_order.h */
    struct order *order;     /**< happens_before.h: what orders the block */
    int sampled;             /**< 0: no initcheck, no racecheck (sampling.h) */
    struct shadow_cell *cells; /**< one for each word of shared memory */
    uint32_t *init_mask;     /**< a word's first_interval << 4 | initialized
                                  bytes; of another block: uninitialized */
    uint64_t *keys;          /**< a word's key, of the same-access filter */
    uint32_t warp_epoch;     /**< counts intervals and warp intervals */
    size_t words;            /**< of shared memory, that all have room for */
    struct record_pool *pool; /**< further records of words of shared memory */
    const char *kernel;      /**< its name */
    uintptr_t (*last_reads)[LAST_READS]; /**< interleave.h: by thread */
    struct torn_table *observed; /**< torn_read.h: flags it has read */
    struct guess *guesses;   /**< cas_guess.h: words that it has loaded */
    const volatile void *barrier; /**< the cuda::barrier waited for last */
    uint64_t phase;               /**< and its phase */
    struct barrier_arrival arrival; /**< at a barrier of several blocks */
    uint32_t at_barrier[WARP_LANES];   /**< bit t: thread t was at a barrier */
    uint32_t at_end[WARP_LANES]; /**< bit t: it is past all of the kernel's */
    const void *end;             /**< where, of the last such thread */
    struct barrier_site barrier_sites[MAX_BARRIER_SITES]; /**< passed so far */
    unsigned barriers;           /**< number of these */
    uint32_t at_warp_call[WARP_LANES]; /**< bit t: at a warp function */
};

/** One access by a thread of a kernel. */
struct access {
    uintptr_t address;
    uint32_t bytes;
    uint32_t flags; /**< enum access_flags */
    uintptr_t pc;   /**< return address of the callback */
    enum region region;
    struct allocation *memory; /**< of REGION_DEVICE; else NULL */
    struct watch_block *block; /**< the running block */
};

/** Does an atomic or volatile access read the word, so that it may acquire?
 *  A store does not. */
static inline int reads_value(const struct access *a)
{
    return !(a->flags & ACCESS_WRITE)
           || !(a->flags & (ACCESS_VOLATILE | ACCESS_STORE_ONLY));
}

/** State of the running block; NULL in host code. */
static inline struct watch_block *watch_current_block(void)
{
    return softgpu_tls.block ? softgpu_tls.block->watch : NULL;
}

/** This OS thread has deferred part of a check until its next access: what
 *  depends on the value that a store writes or a load reads. */
extern SOFTGPU_TLS int watch_has_deferred;
/** Run the deferred checks. */
void watch_run_deferred_now(void);

/** The next access of this OS thread, whatever it is, runs deferred checks. */
static inline void watch_defer(void)
{
    watch_has_deferred = 1;
    parameter_filter_disable();
}

/** This OS thread has executed its last access: run the deferred checks, if
 *  there are any. */
static inline void watch_run_deferred(void)
{
    pending_store_end();
    if (__builtin_expect(watch_has_deferred, 0))
        watch_run_deferred_now();
}

/** Set region and memory from the address (address_region.c).
 *  @param[in,out] access  memory is the allocation, if that is known */
void classify_address(struct access *access);

/** A finding with the kernel, block, thread and code of an access. */
struct softgpu_finding watch_make_finding(const struct access *access,
                                          enum softgpu_finding_kind kind);

/** "4-byte read", "16-byte write", "atomic on 4 bytes".
 *  @return valid until the OS thread's next call */
const char *watch_access_text(const struct access *access);

#endif
