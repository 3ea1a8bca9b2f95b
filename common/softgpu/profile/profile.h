/* SPDX-License-Identifier: MIT */
/** @file
 *  The profile of a program: one struct kernel_profile for each kernel.  The
 *  counters fill it (kernel_profile.c), the model adds a time (model.c), and
 *  the writers show it as text, JSON or an HTML page.
 */
#ifndef SOFTGPU_PROFILE_H
#define SOFTGPU_PROFILE_H

#include "common/softgpu/cards/occupancy.h"
#include "counters.h"
#include "vector_types.h"

/** Counters of one source line. */
struct line_profile {
    const char *file; /**< path, as in the debug information */
    int line;         /**< from 1 */
    struct counters counters;
    int split_load, split_store; /**< 1: nvcc splits its 16 bytes into four */
    int multiplies; /**< 1: it has a product of matrices (while counting) */
};

/** Kinds of access that have a pattern: X(enumerator, word in JSON) */
#define SOFTGPU_PATTERN_KINDS(X)                      \
    X(PATTERN_GLOBAL_LOAD, "global_load")             \
    X(PATTERN_GLOBAL_STORE, "global_store")           \
    X(PATTERN_GLOBAL_ATOMIC, "global_atomic")         \
    X(PATTERN_SHARED_LOAD, "shared_load")             \
    X(PATTERN_SHARED_STORE, "shared_store")           \
    X(PATTERN_SHARED_ATOMIC, "shared_atomic")

/** The kinds, as an enumeration; global memory first. */
enum pattern_kind {
#define X(name, word) name,
    SOFTGPU_PATTERN_KINDS(X)
#undef X
    PATTERN_KINDS
};

/** The access pattern of one sampled warp instruction. */
struct access_pattern {
    enum pattern_kind kind; /**< of the access */
    const char *file; /**< of the access */
    int line;         /**< from 1 */
    uint32_t bytes;   /**< per lane: 1 to 16 */
    uint3 block;      /**< index of the sampled block */
    uint32_t warp;    /**< of the block */
    /** Byte offset of each lane, from the start of the allocation (global
     *  memory) or of the block's shared memory; -1: an inactive lane. */
    int64_t lanes[32];
};

/** A modeled time; docs/pages/model.md has the formulas. */
struct model_time {
    double us;           /**< microseconds of all launches together */
    const char *limiter; /**< name of the largest ceiling, such as "dram" */
    double ceiling[12];  /**< microseconds, in the order of model_ceilings */
};

/** Launches of a kernel that are modeled alike: of one grid, block and size of
 *  dynamic shared memory, whose counters differ by a tenth at most. */
struct launch_group {
    dim3 grid, block;        /**< of each launch */
    uint32_t dynamic_shared; /**< bytes per block */
    uint64_t launches;       /**< in this group */
    uint64_t blocks;         /**< of all these launches */
    double us;               /**< modeled time of all these launches */
    uint64_t blocks_watched; /**< of its first launch, which was modeled */
    struct counters total;   /**< of these blocks */
};

enum { MAX_LAUNCH_GROUPS = 32 /**< of one kernel */ };

/** Profile of one kernel, all its launches. */
struct kernel_profile {
    const char *name; /**< demangled: "transpose", "reduce<float, 256>" */
    const char *file; /**< of its definition */
    int line;         /**< from 1 */
    int library;      /**< 1: a library call, which has no counters */
    uint64_t launches;
    dim3 grid, block;        /**< of the launch with the most threads */
    uint64_t blocks;         /**< of all launches */
    uint64_t blocks_watched; /**< of these, blocks that were sampled */
    uint64_t threads;        /**< of all launches */
    uint32_t static_shared, dynamic_shared; /**< bytes per block */
    uint32_t registers;                     /**< per thread */
    int registers_measured; /**< 1: by ptxas; 0: declared or assumed */
    double occupancy;       /**< theoretical, 0 to 1; not achieved occupancy */
    enum occupancy_limit occupancy_limit;
    struct counters total;      /**< of all lines */
    struct line_profile *lines; /**< sorted by file and line */
    size_t line_count;
    struct access_pattern *patterns; /**< of the costliest lines */
    size_t pattern_count;
    int instructions_known; /**< 0: objdump was not found */
    uint64_t records_split; /**< replays of a warp whose lanes had not all
                                 logged as far: counters may be too high */
    struct model_time model;
    /** In the order of their first launch.  The last of MAX_LAUNCH_GROUPS has
     *  all launches that are in no other, and their averages. */
    struct launch_group *groups;
    size_t group_count; /**< 0: the launches are taken as equal */
};

/** Compute the modeled time and the occupancy of a kernel whose launches are
 *  equal: each has the average of their blocks and counters.
 *
 *  @param[in]     card  the GPU that the time is modeled for
 *  @param[in,out] k     occupancy, occupancy_limit and model are written;
 *                       its groups are not read
 *
 *  Deterministic; needs no GPU. */
void model_kernel(const struct softgpu_card *card, struct kernel_profile *k);

/** The modeled time of a kernel after a change of its totals.  Each group of
 *  its launches is changed in the same proportion, and modeled by itself.
 *
 *  @param card     the GPU that the time is modeled for
 *  @param k        with its modeled time
 *  @param changed  a copy of it, with other launches, blocks, threads per
 *                  block, resources or counters
 *  @return microseconds of all launches */
double model_changed_us(const struct softgpu_card *card,
                        const struct kernel_profile *k,
                        const struct kernel_profile *changed);

/** Launch overhead of all launches.  @return modeled microseconds */
double model_launch_us(const struct kernel_profile *k);

/** Least time of a library call: that of its operations on float at the peak
 *  rate, or of its bytes at the DRAM bandwidth, whichever is longer.
 *
 *  @param card        the GPU
 *  @param operations  floating-point operations
 *  @param bytes       read and written
 *  @return modeled microseconds */
double model_library_us(const struct softgpu_card *card, double operations,
                        double bytes);

/** Names of the entries of model_time.ceiling, terminated by NULL. */
extern const char *const model_ceilings[];

#endif
