/* SPDX-License-Identifier: MIT */
/** @file
 *  Adversarial schedules, for defects that only the outputs show.  With
 *  SOFTGPU_INTERLEAVE=SEED threads are stopped between accesses whose order
 *  matters: before an atomic or volatile access, and between the load and the
 *  store of a read-modify-write.  Then other threads and blocks run.  The seed
 *  decides at which of these accesses.
 */
#ifndef SOFTGPU_WATCH_INTERLEAVE_H
#define SOFTGPU_WATCH_INTERLEAVE_H

#include "watch.h"

extern uint64_t interleave_seed; /**< SOFTGPU_INTERLEAVE; 0: not set */
/** Before main(): read the seed. */
void interleave_init(void);
/** Are threads stopped?  Then interleave_access() must see all accesses. */
static inline int interleave_is_on(void)
{
    return __builtin_expect(interleave_seed != 0, 0);
}
/** A grid begins. */
void interleave_begin_grid(void);
/** The running thread is about to access memory: maybe run others first. */
void interleave_access(const struct access *access);
/** Has the program accessed global memory atomically, or through a volatile
 *  pointer, or written a __device__ variable, which has no records?  Then other
 *  schedules may show more. */
int interleave_is_useful(void);

#endif
