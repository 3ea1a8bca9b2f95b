/* SPDX-License-Identifier: MIT */
/** @file
 *  What crosses between the two processes, and what that says of the work: were
 *  the inputs copied up, was anything else, and are the outputs what the
 *  device copied down?
 */
#ifndef GRADER_RUNNER_SOFT_TRANSFERS_H
#define GRADER_RUNNER_SOFT_TRANSFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** struct softgpu_remote.read: from the host process. */
void transfer_up(void *to, const void *host, size_t bytes);
/** struct softgpu_remote.write: to the host process. */
void transfer_down(void *host, const void *from, size_t bytes);
/** struct softgpu_remote.fetch: memory that both have, from the host. */
void transfer_fetch(void *memory, size_t bytes);
/** struct softgpu_remote.send: to the host. */
void transfer_send(void *memory, size_t bytes);
/** A library's result goes to host memory. */
void transfer_result(size_t bytes);
/** The submission passed bytes to the device by other ways. */
void transfer_values(size_t bytes);
/** The submission chose what a call does: choice_bytes(). */
void transfer_choice(const void *key, const uint64_t *words, size_t count,
                     bool first_is_free);

#endif
