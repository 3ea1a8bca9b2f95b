/* SPDX-License-Identifier: MIT */
/** @file
 *  Calling the submission: on a card in the runner's own process
 *  (submission_gpu.c), on the software GPU in a process of its own
 *  (soft/process.c).
 */
#ifndef GRADER_RUNNER_SUBMISSION_H
#define GRADER_RUNNER_SUBMISSION_H

#include "arrays.h"

/** Start the process of the submission; before any message. */
void submission_start(void);
/** Call the lab with the arguments of a frame. */
int64_t submission_call(const struct frame *frame);
/** Host memory that the submission can access; NULL without memory. */
void *submission_alloc(size_t bytes);
/** Free all of it. */
void submission_free_all(void);
/** Observe the copies of the next call.
 *  @param sent    the frame as it was received
 *  @param placed  the same with the addresses of its arrays
 *  @param arrays  their memory; its staging memory is written */
void submission_observe(const struct frame *sent, const struct frame *placed,
                        const struct arrays *arrays);
/** Copy an output in host memory when the call has returned.
 *  @param index  of the argument
 *  @param to     its staging memory
 *  @param from   the array, which the submission can still write */
void submission_receive_output(unsigned index, void *to, const void *from,
                               size_t bytes);
/** Report what of the host arrays was copied, and by whom. */
void submission_report(struct facts *facts);
/** Elements that host code must process of an array with so many: of one in
 *  sparse memory only the first have content. */
size_t submission_content(size_t elements);
/** End the submission's process and all its descendants. */
void submission_end(void);

#endif
