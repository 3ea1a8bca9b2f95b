/* SPDX-License-Identifier: MIT */
/** @file
 *  The runner's use of the CUDA runtime, for both devices alike.
 */
#ifndef GRADER_RUNNER_DEVICE_H
#define GRADER_RUNNER_DEVICE_H

#include <stdbool.h>

#include "../channel/message.h"

/** Create the context, so that no call is timed with it. */
void device_start(void);
/** Device memory, or NULL. */
void *device_alloc(size_t bytes);
/** Free it; NULL is allowed. */
void device_free(void *d_block);
/** Copy host to device.  @return 0 when it worked. */
int device_put(void *d_to, const void *from, size_t bytes);
/** Copy device to host.  @return 0 when it worked. */
int device_get(void *to, const void *d_from, size_t bytes);
/** Wait for the default stream's work, and what that waits for; keep the first
 *  error for device_facts. */
void device_wait(void);
/** Begin to count launches and memory. */
void device_watch(void);
/** Wait for all other work, too, and fill in launches, leak and errors since
 *  device_watch. */
void device_facts(struct facts *facts, int64_t status);
/** Digest an array where it lies, going on from *state (digest_gpu.cu,
 *  digest_soft.c); `copy` has room for it.  @return 0 when it worked. */
int device_digest(uint64_t *state, const void *d_from, size_t length,
                  void *copy);
/** device_digest fills `copy`, too; else that is left for later. */
extern const bool device_digest_copies;
/** What is launched until it is called with false is not the student's. */
void device_pause(bool paused);
/** Called for each launch of the student's code. */
void device_launched(const unsigned grid[3], const unsigned block[3]);
/** The student's code begins to run, or has returned. */
void device_lend(bool lent);
/** Called for each copy: bytes from the host to the device, and back. */
void device_moved(size_t up, size_t down);
/** Called for memory of the device. */
void device_took(size_t bytes);
/** Called for memory that host and device both can use. */
void device_shared(size_t bytes);
/** Called when something that must be given back was made (1), or was (-1). */
void device_holds(int by);
/** Called for the launch of a graph. */
void device_replayed(void);

#endif
