/* SPDX-License-Identifier: MIT */
/** @file
 *  What the watchers found: collected, grouped, and told once at the end.
 *
 *  A group is one defect: the same kind, in the same kernel, at the same line
 *  (and the same other line).  It keeps how often it was seen and, as its
 *  example, the smallest block and thread, so that the report does not depend
 *  on the order in which threads ran.
 */
#ifndef SOFTGPU_FINDINGS_H
#define SOFTGPU_FINDINGS_H

#include <stdint.h>
#include <stdio.h>

#include "vector_types.h"

/** Every kind of finding, as in the JSON field `kind`; most telling first:
 *  the report keeps this order. */
#define SOFTGPU_FINDING_KINDS(X)                                               \
    X(OUT_OF_BOUNDS, "out_of_bounds", "access outside an allocation")          \
    X(USE_AFTER_FREE, "use_after_free", "access to freed memory")              \
    X(NULL_POINTER, "null_pointer", "access through a null pointer")           \
    X(HOST_POINTER, "host_pointer", "host memory used in a kernel")            \
    X(DEVICE_POINTER, "device_pointer", "device memory used on the host")      \
    X(MISALIGNED, "misaligned", "address not a multiple of the access")        \
    X(RACE_SHARED, "race_shared", "race in shared memory")                     \
    X(RACE_GLOBAL, "race_global", "race in global memory within a block")      \
    X(RACE_BLOCKS, "race_blocks", "race in global memory between blocks")      \
    X(RACE_HOST, "race_host", "race of the host with a copy")                  \
    X(UNINIT_SHARED, "uninitialized_shared", "shared memory read unwritten")   \
    X(UNINIT_GLOBAL, "uninitialized_global", "global memory read unwritten")   \
    X(BARRIER_DIVERGED, "barrier_diverged", "threads at different barriers")   \
    X(BARRIER_MISSED, "barrier_missed", "threads left before a barrier")       \
    X(BAD_MASK, "bad_mask", "warp call with a wrong mask")                     \
    X(NO_PROGRESS, "no_progress", "threads wait for ever")                     \
    X(LOCKSTEP, "lockstep", "relies on lanes running in lock-step")            \
    X(FAULT, "fault", "the kernel ended with an error")                        \
    X(DOUBLE_FREE, "double_free", "memory freed twice")                        \
    X(BAD_FREE, "bad_free", "freed what was never allocated")                  \
    X(COPY_DIRECTION, "copy_direction", "copy kind does not fit pointers")     \
    X(COPY_SIZE, "copy_size", "copy or fill larger than the memory")           \
    X(MEMSET_VALUE, "memset_value", "memset value is no byte")                 \
    X(MEMSET_SIZE, "memset_size", "memset of elements, not bytes")             \
    X(LAUNCH_IGNORED, "launch_error_ignored", "nobody looked at the error")    \
    X(LEAK, "leak", "device memory never freed")

/** The kinds, as an enumeration: SOFTGPU_FIND_OUT_OF_BOUNDS, ... */
enum softgpu_finding_kind {
#define X(name, text, words) SOFTGPU_FIND_##name,
    SOFTGPU_FINDING_KINDS(X)
#undef X
    SOFTGPU_FINDING_KIND_COUNT
};

/** Where and by whom; the key of a group is all but block and thread. */
struct softgpu_sighting {
    enum softgpu_finding_kind kind;
    const char *kernel;  /**< static text, or NULL on the host */
    uintptr_t code;      /**< return address of the access, or 0 */
    uintptr_t other;     /**< return address of the other party, or 0 */
    uint3 block, thread; /**< 0,0,0 on the host */
    int atomic;          /**< 1: a race with an atomic access */
};

/** Count a finding.
 *
 *  @param[in] seen    who and where; copied
 *  @param[in] format  printf form of the sentence after "file:line:column: ";
 *                     kept when this sighting becomes the example
 *
 *  Safe from any OS thread; allocates only for a new group.
 */
void softgpu_find(const struct softgpu_sighting *seen, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** The read at this code is only a guess, which an atomic proves: a race of
 *  it with an atomic is none. */
void softgpu_excuse(uintptr_t code);
/** Was it excused? */
int softgpu_is_excused(uintptr_t code);

/** How many groups there are. */
int softgpu_finding_groups(void);

/** Write the report as text, most telling first; nothing when none. */
void softgpu_findings_text(FILE *out);

struct json_t;
/** The report as a new JSON array (jansson), the field `findings`. */
struct json_t *softgpu_findings_json(void);

#endif
