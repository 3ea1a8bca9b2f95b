/* SPDX-License-Identifier: MIT */
/** @file
 *  Asynchronous copies of a thread: queued when they are issued, done when the
 *  thread waits.  On a card the bytes arrive some time in between; the latest
 *  moment is the one that shows a missing wait.
 *
 *  Copies go into batches, as cp.async groups do.  Each `owner` (NULL: the
 *  thread's own pipeline; else the address of a barrier) has its own batches.
 *  What a thread never waited for is dropped when its block ends.
 */
#ifndef SOFTGPU_COPIES_H
#define SOFTGPU_COPIES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is done in place of moving bytes; gets what it was queued with. */
typedef void softgpu_step(void *to, const void *from, size_t bytes);

/** Put a copy of `bytes` bytes into the thread's open batch; device or shared
 *  pointers, which must stay valid until the wait; from NULL: zeros; to NULL:
 *  the bytes are only read, as operands of a step behind it. */
void softgpu_copy_later(const void *owner, void *to, const void *from,
                        size_t bytes);

/** Put a step into the thread's open batch, behind the copies there. */
void softgpu_step_later(const void *owner, softgpu_step *step, void *to,
                        const void *from, size_t bytes);

/** Close the open batch, an empty one too. */
void softgpu_copy_commit(const void *owner);

/** Do the copies of all closed batches but the last `keep`. */
void softgpu_copy_wait(const void *owner, unsigned keep);

/** Queue a copy, made by `move`, that belongs to no thread: it lands when
 *  any thread of the block asks for what was posted at `owner`. */
void softgpu_copy_post(const void *owner, softgpu_step *move, void *to,
                       const void *from, size_t bytes);

/** A `move` to shared memory that swaps 16-byte chunks as the 128-byte swizzle
 *  of TMA does, by the address within shared memory: bits 7 to 9 change bits 4
 *  to 6. */
void softgpu_move_swizzled(void *to, const void *from, size_t bytes);

/** Do all that was posted at `owner`.  @return their bytes */
size_t softgpu_copy_land(const void *owner);

struct softgpu_block;
/** Forget what the threads of a block left, on its own OS thread; the core
 *  calls it when the block ends, or its grid has failed. */
void softgpu_copy_drop(const struct softgpu_block *block);

#ifdef __cplusplus
}
#endif
#endif
