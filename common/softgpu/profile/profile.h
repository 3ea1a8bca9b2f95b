/* SPDX-License-Identifier: MIT */
/** @file
 *  The profile of a program: what is known of each kernel when it has ended.
 *  Counting fills it, the model adds a time, the writers (text, JSON, page)
 *  show it.
 */
#ifndef SOFTGPU_PROFILE_H
#define SOFTGPU_PROFILE_H

#include "../cards/occupancy.h"
#include "counters.h"
#include "vector_types.h"

/** What one source line cost. */
struct line_profile {
    const char *file;
    int line;
    struct counters counters;
};

/** What a sample instruction did; the words are JSON's. */
#define SOFTGPU_PICTURE_KINDS(X)                      \
    X(PICTURE_GLOBAL_LOAD, "global_load")             \
    X(PICTURE_GLOBAL_STORE, "global_store")           \
    X(PICTURE_GLOBAL_ATOMIC, "global_atomic")         \
    X(PICTURE_SHARED_LOAD, "shared_load")             \
    X(PICTURE_SHARED_STORE, "shared_store")           \
    X(PICTURE_SHARED_ATOMIC, "shared_atomic")

/** The kinds, as an enumeration. */
enum picture_kind {
#define X(name, word) name,
    SOFTGPU_PICTURE_KINDS(X)
#undef X
    PICTURE_KINDS
};

/** One warp instruction as it was seen: which lane touched what. */
struct access_picture {
    enum picture_kind kind;
    const char *file; /**< of the access */
    int line;         /**< from 1 */
    uint32_t bytes;   /**< a lane */
    uint3 block;      /**< which block it was seen in */
    uint32_t warp;    /**< which warp of it */
    /** Bytes from the start of the allocation (global) or of the block's
     *  shared memory; -1: the lane took no part. */
    int64_t lanes[32];
};

/** A modelled time: docs/pages/model.md gives the formulas. */
struct model_time {
    double us;           /**< all launches together; modelled */
    const char *limiter; /**< the largest ceiling: "dram", "l2", "shared", ... */
    /** Microseconds of each ceiling, in the order of model_ceilings. */
    double ceiling[12];
};

/** One kernel: all its launches. */
struct kernel_profile {
    const char *name; /**< "transpose", "reduce<float, 256>" */
    const char *file; /**< where it is defined */
    int line;
    int library;      /**< 1: a library's call, of which nothing is counted */
    uint64_t launches;
    dim3 grid, block;       /**< of the largest launch (most threads) */
    uint64_t blocks;        /**< launched, all launches */
    uint64_t blocks_watched; /**< of them; fewer when sampled */
    uint64_t threads;       /**< launched, all launches */
    uint32_t static_shared, dynamic_shared; /**< bytes a block */
    uint32_t registers;     /**< a thread */
    int registers_measured; /**< 1: by ptxas; 0: declared or assumed */
    double occupancy;       /**< 0..1, resident warps by most */
    enum occupancy_limit occupancy_limit;
    struct counters total;
    struct line_profile *lines; /**< by file and line */
    size_t line_count;
    struct access_picture *pictures; /**< of the costliest lines */
    size_t picture_count;
    int instructions_known; /**< 0: no disassembler, so nothing of them */
    uint64_t records_split; /**< times that a warp's log was full before its
                                 lanes met: counts may be a little high */
    struct model_time model;
};

/** Fill in the modelled time from everything else (model.c).
 *  Deterministic; no access to the device. */
void model_kernel(const struct softgpu_card *card, struct kernel_profile *k);
/** Modelled time of starting all launches. */
double model_start_us(const struct kernel_profile *k);
/** Least time of a library's call: its operations on float at the peak rate,
 *  or its bytes through memory. */
double model_library_us(const struct softgpu_card *card, double operations,
                        double bytes);
/** Names of model_time.ceiling's entries, NULL-terminated. */
extern const char *const model_ceilings[];

#endif
