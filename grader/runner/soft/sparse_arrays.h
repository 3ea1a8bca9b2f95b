/* SPDX-License-Identifier: MIT */
/** @file
 *  Arrays in host memory that are larger than the machine's memory: only their
 *  first and last bytes have content.  A copy moves these, and costs nothing
 *  for the rest.
 */
#ifndef GRADER_RUNNER_SOFT_SPARSE_ARRAYS_H
#define GRADER_RUNNER_SOFT_SPARSE_ARRAYS_H

#include <stdbool.h>
#include <stddef.h>

#include "grader/channel/message.h"

enum { SPARSE_END = 1 << 16 /**< bytes at each end of a copy of a sparse call */ };

/** Bytes between the ends of a large copy of a sparse call: they have no content,
 *  and stay as they are. */
size_t sparse_between(size_t bytes);
/** Note the sparse arrays of the next call.
 *  @param sent    the frame as it was received, which stays
 *  @param placed  the same with the addresses of its arrays */
void sparse_observe(const struct frame *sent, const struct frame *placed);
/** Copy a part of a sparse input to the device; what has no content stays as it
 *  is there.
 *  @return false if the part is in no sparse array */
bool sparse_up(void *to, const void *host, size_t bytes);
/** Copy a part of a sparse output from the device, and note whether something
 *  beyond the largest power of two was written there.
 *  @return false if the part is in no sparse array */
bool sparse_down(void *host, const void *from, size_t bytes);
/** Report which arrays were not copied as a whole, and which outputs were not
 *  written far away. */
void sparse_report(struct facts *facts);

#endif
