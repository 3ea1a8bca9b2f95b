/* SPDX-License-Identifier: MIT */
/** @file
 *  mbarrier objects: 8 bytes of shared memory that count arrivals of threads
 *  and bytes of copies, phase after phase.  The rules are those of the PTX
 *  ISA, section "mbarrier"; the layout of the word is ours.
 *
 *  A phase is complete when no arrival is pending and as many bytes came as
 *  were expected.  Copies posted at the barrier (softgpu_copy_post) land when
 *  a thread asks for the phase that waits for nothing else.
 */
#ifndef SOFTGPU_MBARRIER_H
#define SOFTGPU_MBARRIER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Begin phase 0, which as every phase expects `arrivals` of them, 1 to
 *  2^20 - 1. */
void softgpu_mbarrier_init(uint64_t *barrier, unsigned arrivals);

/** The phase is to wait for so many bytes more, then the thread arrives. */
void softgpu_mbarrier_arrive(uint64_t *barrier, unsigned bytes);

/** Is the phase of this parity complete?  Gives way if not. */
int softgpu_mbarrier_done(uint64_t *barrier, unsigned parity);

#ifdef __cplusplus
}
#endif
#endif
