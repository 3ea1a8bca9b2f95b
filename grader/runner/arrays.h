/* SPDX-License-Identifier: MIT */
/** @file
 *  The arrays of a call in the runner, each between two guard zones (red
 *  zones).
 */
#ifndef GRADER_RUNNER_ARRAYS_H
#define GRADER_RUNNER_ARRAYS_H

#include "grader/channel/message.h"

/** The memory of the arrays of one frame. */
struct arrays {
    void *block[FRAME_MAX_ARGS];   /**< host or device memory, guards
                                        included */
    void *staging[FRAME_MAX_ARGS]; /**< host copies of the outputs */
    uint32_t fetched;          /**< bit i: staging[i] holds output i */
    uint64_t poison;           /**< seed of the poison in outputs and guards */
};

/** Allocate the arrays of `frame`, copy the inputs, poison outputs and guards.
 *  @param[in,out] frame  `data` of inputs points into the message; on return
 *      every `data` is the array's address, in host or device memory
 *  @return 0, or -1 when memory ran out */
int arrays_place(struct arrays *arrays, struct frame *frame, uint64_t poison);
/** Copy the outputs in host memory to `staging` as soon as the call has
 *  returned: a copy that the device still performs comes too late to count. */
void arrays_copy_host_outputs(struct arrays *arrays, const struct frame *frame);
/** Compute the digest of all outputs; those in device memory are read now.
 *  @return the digest */
uint64_t arrays_digest(struct arrays *arrays, const struct frame *frame,
                       uint64_t key);
/** Copy the outputs to `staging`, unless arrays_digest() did. */
void arrays_copy_outputs(struct arrays *arrays, const struct frame *frame);
/** Record overwritten guards, changed inputs and outputs that changed after
 *  the digest.
 *  @param original  the frame as it was received */
void arrays_check(const struct arrays *arrays, const struct frame *frame,
                  const struct frame *original, struct facts *facts);
/** Free all arrays. */
void arrays_free(struct arrays *arrays, const struct frame *frame);

#endif
