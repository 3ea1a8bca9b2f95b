/* SPDX-License-Identifier: MIT */
/** @file
 *  The runner's calls of the CUDA runtime, the same on the software GPU and on
 *  a card, and counters of what a submission does.
 */
#ifndef GRADER_RUNNER_DEVICE_H
#define GRADER_RUNNER_DEVICE_H

#include <stdbool.h>

#include "grader/channel/message.h"

/** Create the CUDA context, so that no timed call does. */
void device_init(void);
/** Allocate device memory.  @return NULL when there is none */
void *device_alloc(size_t bytes);
/** Free device memory; NULL is allowed. */
void device_free(void *d_block);
/** Copy host to device.  @return 0 on success */
int device_copy_to_device(void *d_dst, const void *src, size_t bytes);
/** Copy device to host.  @return 0 on success */
int device_copy_to_host(void *dst, const void *d_src, size_t bytes);
/** Synchronize with the default stream; device_read_counters() reports the
 *  first error. */
void device_synchronize_stream(void);
/** Set all counters to 0 and note the free device memory.
 *  @param failing_call  see resources_reset() */
void device_reset_counters(unsigned failing_call);
/** Synchronize with the whole device and report what was counted since
 *  device_reset_counters().
 *  @param[out] facts   launches, copied bytes, leaked bytes, errors
 *  @param      status  what the lab returned; a cudaError_t is formatted */
void device_read_counters(struct facts *facts, int64_t status);
/** Compute the digest of an array in device memory (digest_gpu.cu,
 *  digest_soft.c).
 *  @param[in,out] state   digest so far
 *  @param[in]     d_from  device, `length` bytes
 *  @param[out]    copy    host, `length` bytes; written only if
 *      device_digest_fills_copy
 *  @return 0 on success */
int device_digest(uint64_t *state, const void *d_from, size_t length,
                  void *copy);
/** Does device_digest() write the array to `copy`? */
extern const bool device_digest_fills_copy;
/** Do not count launches until device_pause_counting(false): they are the
 *  runner's own. */
void device_pause_counting(bool paused);
/** Bytes that the submission's call has allocated, freed or not. */
size_t device_allocated_bytes(void);
/** Count a kernel launch of the submission. */
void device_count_launch(const unsigned grid[3], const unsigned block[3]);
/** The submission's function is called, or has returned. */
void device_set_in_submission(bool in_submission);
/** Count bytes copied to the device and to the host. */
void device_count_transfer(size_t h2d_bytes, size_t d2h_bytes);
/** Count an allocation of device memory. */
void device_count_alloc(size_t bytes);
/** Count managed or pinned memory, which host and device can access. */
void device_count_host_accessible(size_t bytes);
/** Does the submission's code run? */
bool device_in_submission(void);
/** Set the runtime's last error to cudaErrorMemoryAllocation, as a failed
 *  allocation does. */
void device_leave_memory_error(void);
/** Append a library's name for a status, in labs that use libraries
 *  (library_status.c; else no_library_status.c).
 *  @param[in,out] text  FACT_SIZE bytes */
void describe_library_status(int64_t status, char *text);
/** Count the elements that a host function, which the lab gives, processes, and
 *  the call as one more; its header declares this function, too.
 *  @return the elements that it must process */
size_t count_host_work(size_t units);
/** Count a graph launch. */
void device_count_graph_launch(void);

#endif
