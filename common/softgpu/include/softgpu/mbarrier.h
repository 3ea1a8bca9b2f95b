/* SPDX-License-Identifier: MIT */
/** @file
 *  mbarrier objects: 8 bytes of shared memory that count, in phases, arrivals
 *  of threads and bytes of copies.  The rules are those of the PTX ISA, section
 *  "mbarrier"; the layout of the word is softgpu's own.
 *
 *  A phase is complete when no arrival is pending and all expected bytes have
 *  arrived.  Copies posted at the barrier (softgpu_copy_post) are performed
 *  when a thread tests a phase that has no pending arrival.
 */
#ifndef SOFTGPU_MBARRIER_H
#define SOFTGPU_MBARRIER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Begin phase 0.
 *  @param arrivals  that each phase expects, 1 to 2^20 - 1 */
void softgpu_mbarrier_init(uint64_t *barrier, unsigned arrivals);

/** Expect more bytes in this phase, then arrive.
 *  @param bytes  0 for a plain arrival */
void softgpu_mbarrier_arrive(uint64_t *barrier, unsigned bytes);

/** Is the phase of this parity complete?  Yields if not. */
int softgpu_mbarrier_test_wait(uint64_t *barrier, unsigned parity);

#ifdef __cplusplus
}
#endif
#endif
