/* SPDX-License-Identifier: MIT */
/** @file
 *  Findings: the defects that the checker detects.
 *
 *  They are collected in groups and reported once, when the program ends.  A
 *  group is one defect: findings of the same kind, in the same kernel, at the
 *  same line (and the same other line).  It has a count and, as its example,
 *  the finding of the smallest block and thread, so that the report does not
 *  depend on the schedule.
 */
#ifndef SOFTGPU_FINDINGS_H
#define SOFTGPU_FINDINGS_H

#include <stdint.h>
#include <stdio.h>

#include "vector_types.h"

/** Every kind of finding: name, JSON field `kind`, text.  The report lists them
 *  in this order: first those that explain others. */
#define SOFTGPU_FINDING_KINDS(X)                                               \
    X(OUT_OF_BOUNDS, "out_of_bounds", "access outside an allocation")          \
    X(USE_AFTER_FREE, "use_after_free", "access to freed memory")              \
    X(NULL_POINTER, "null_pointer", "access through a null pointer")           \
    X(HOST_POINTER, "host_pointer", "host memory used in a kernel")            \
    X(DEVICE_POINTER, "device_pointer", "device memory used on the host")      \
    X(MISALIGNED, "misaligned", "address not a multiple of the access")        \
    X(BARRIER_DIVERGED, "barrier_diverged", "threads at different barriers")   \
    X(BARRIER_MISSED, "barrier_missed", "barrier that some threads skip")      \
    X(RACE_SHARED, "race_shared", "race in shared memory")                     \
    X(RACE_GLOBAL, "race_global", "race in global memory within a block")      \
    X(RACE_BLOCKS, "race_blocks", "race in global memory between blocks")      \
    X(RACE_HOST, "race_host", "race of the host with the device")              \
    X(RACE_STREAMS, "race_streams", "race between two streams")                \
    X(RACE_NESTED, "race_nested", "race of kernels launched by kernels")       \
    X(UNINIT_SHARED, "uninitialized_shared",                                   \
      "read of uninitialized shared memory")                                   \
    X(UNINIT_GLOBAL, "uninitialized_global",                                   \
      "read of uninitialized global memory")                                   \
    X(BAD_MASK, "bad_mask", "warp call with a wrong mask")                     \
    X(NO_PROGRESS, "no_progress", "threads wait forever")                      \
    X(LOCKSTEP, "lockstep", "accesses of lanes that nothing orders")           \
    X(FAULT, "fault", "the kernel ended with an error")                        \
    X(DOUBLE_FREE, "double_free", "memory freed twice")                        \
    X(BAD_FREE, "bad_free", "free of memory never allocated")                  \
    X(COPY_DIRECTION, "copy_direction", "copy kind does not fit pointers")     \
    X(COPY_SIZE, "copy_size", "copy or fill larger than the memory")           \
    X(MEMSET_VALUE, "memset_value", "memset value is no byte")                 \
    X(MEMSET_SIZE, "memset_size", "memset of elements, not bytes")             \
    X(LAUNCH_IGNORED, "launch_error_ignored", "launch error never checked")    \
    X(LEAK, "leak", "device memory never freed")

/** The kinds, as an enumeration: SOFTGPU_FIND_OUT_OF_BOUNDS, ... */
enum softgpu_finding_kind {
#define X(name, text, words) SOFTGPU_FIND_##name,
    SOFTGPU_FINDING_KINDS(X)
#undef X
    SOFTGPU_FINDING_KIND_COUNT
};

/** One finding; block and thread do not tell groups apart. */
struct softgpu_finding {
    enum softgpu_finding_kind kind;
    const char *kernel;  /**< static; NULL in host code */
    uintptr_t pc;        /**< return address of the access or call */
    uintptr_t other;     /**< of the other access or call; or 0 */
    uint3 block, thread; /**< 0,0,0 in host code */
    int atomic;          /**< 1: a race, one of the accesses atomic */
    int is_two_stores;   /**< 1: a race between two stores of one line */
};

/** Report a finding: add it to its group.
 *
 *  @param[in] finding  copied when it becomes the example of its group
 *  @param[in] format   printf format of the message; formatted likewise
 *
 *  Safe from any OS thread; allocates only for a new group.
 */
void softgpu_report_finding(const struct softgpu_finding *finding,
                            const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** In the host process of a program that is two (host/remote.h): gets each
 *  finding instead; else NULL. */
extern void (*softgpu_forward_finding)(const struct softgpu_finding *finding,
                                       const char *text);

/** Suppress races of a read with atomics: an atomicCAS that follows detects
 *  when the value read is stale.
 *  @param pc  return address of the read */
void softgpu_suppress_read(uintptr_t pc);
/** Are races of the read at this pc suppressed? */
int softgpu_is_suppressed(uintptr_t pc);

/** Number of groups in the report.  After this no finding is added. */
int softgpu_count_findings(void);

/** Print the report as text; nothing when there is no finding. */
void softgpu_print_findings(FILE *out);

struct json_t;
/** The field `findings` of the report: a new JSON array. */
struct json_t *softgpu_findings_json(void);

#endif
