/* SPDX-License-Identifier: MIT */
/** @file
 *  What differs between a plain runner and one linked with the checkers of the
 *  software GPU ("watched"): variant_plain.c, variant_watched.c.
 */
#ifndef GRADER_RUNNER_VARIANT_H
#define GRADER_RUNNER_VARIANT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes of the guard zones before and after each array.  0 in a watched
 *  runner: each array is an allocation of exactly its size and outputs stay
 *  uninitialized, so that the checkers find out-of-bounds accesses and reads
 *  of uninitialized memory. */
extern const size_t runner_guard_bytes;
/** Are launches and copies counted?  Not in a watched runner: its checkers
 *  count them by source line, and the runner reports one launch for each
 *  call. */
extern const bool runner_counts_launches;
struct store_answer;
/** Say who stored what device memory holds at an address.
 *  @param[in,out] answer  zeroed; stays so when it is not known, and always in
 *                         a plain runner */
void runner_stored_at(const void *address, struct store_answer *answer);
/** Say where a basic block is, in the same way. */
void runner_site_line(uint64_t site, struct store_answer *answer);
/** End as the submission's process did.
 *  @param status  its wait status */
void runner_end(int status) __attribute__((noreturn));
enum { FINDING_TEXT = 512 /**< bytes of a finding's text */ };
/** Findings of the checkers in the host process. */
struct host_finding {
    uint32_t kind;           /**< enum softgpu_finding_kind */
    uint64_t pc, other;      /**< return addresses */
    char text[FINDING_TEXT]; /**< a sentence */
};
/** In the host process: no report of its own; findings go to `forward`. */
void runner_forward_findings(void (*forward)(const struct host_finding *));
/** In the device process: add a finding to the report. */
void runner_add_finding(const struct host_finding *finding);
/** Exit after the channel has closed. */
void runner_exit(void) __attribute__((noreturn));

#endif
