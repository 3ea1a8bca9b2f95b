/* SPDX-License-Identifier: MIT */
/** @file
 *  Bytes that the device sent to host memory that is no output: the host may
 *  copy them from there to one.
 */
#ifndef GRADER_RUNNER_SOFT_SENT_H
#define GRADER_RUNNER_SOFT_SENT_H

#include <stddef.h>

/** How many bytes of two arrays of `most` bytes are equal, from the first
 *  on. */
size_t common_bytes(const char *a, const char *b, size_t most);
/** Note bytes that are sent. */
void sent_add(const char *data, size_t bytes);
/** Length of the longest beginning of `data` that was sent at once. */
size_t sent_match(const char *data, size_t bytes);
/** Forget all: the next call begins. */
void sent_forget(void);

#endif
