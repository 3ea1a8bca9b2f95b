/* SPDX-License-Identifier: MIT */
/** @file
 *  Asynchronous copies (cp.async, cuda::memcpy_async): enqueued when a thread
 *  issues them, performed when it waits.  On a card the bytes arrive at some
 *  time in between; the latest moment shows a missing wait.
 *
 *  Copies are grouped in batches, as cp.async groups.  Each `owner` has its own
 *  batches: NULL for the thread's own pipeline, else the address of a barrier.
 *  Copies that a thread does not wait for are discarded when its block ends.
 */
#ifndef SOFTGPU_ASYNC_COPY_H
#define SOFTGPU_ASYNC_COPY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An operation that is performed at the wait, with the arguments it was
 *  enqueued with. */
typedef void softgpu_async_function(void *to, const void *from, size_t bytes);

/** Enqueue a copy in the thread's open batch.
 *  @param to    device or shared memory, valid until the wait; NULL: the bytes
 *               are only read, as operands of a later operation
 *  @param from  device or shared memory, valid until the wait; NULL: zeros */
void softgpu_copy_async(const void *owner, void *to, const void *from,
                        size_t bytes);

/** Enqueue an operation in the thread's open batch, after its copies. */
void softgpu_call_async(const void *owner, softgpu_async_function *function,
                        void *to, const void *from, size_t bytes);

/** Close the open batch, even if it is empty. */
void softgpu_copy_commit(const void *owner);

/** Perform the operations of all closed batches except for the last `keep`. */
void softgpu_copy_wait(const void *owner, unsigned keep);

/** Enqueue a copy that belongs to no thread: softgpu_copy_complete(owner), in
 *  any thread of the block, performs it by calling `copy_bytes`. */
void softgpu_copy_post(const void *owner, softgpu_async_function *copy_bytes,
                       void *to, const void *from, size_t bytes);

/** Copy to shared memory with the 128-byte swizzle of TMA: bits 7 to 9 of the
 *  address within shared memory change bits 4 to 6. */
void softgpu_move_swizzled(void *to, const void *from, size_t bytes);

/** Perform the copies posted at `owner`.
 *  @return their bytes */
size_t softgpu_copy_complete(const void *owner);

struct softgpu_block;
/** Discard the copies of a block, on its own OS thread.  The core calls it when
 *  the block ends or its grid fails. */
void softgpu_copy_discard(const struct softgpu_block *block);

#ifdef __cplusplus
}
#endif
#endif
