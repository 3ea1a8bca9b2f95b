/* SPDX-License-Identifier: MIT */
/** @file
 *  The arrays of a call in the runner: each between two guard zones.
 */
#ifndef GRADER_RUNNER_ARRAYS_H
#define GRADER_RUNNER_ARRAYS_H

#include "../channel/message.h"

/** The memory behind the arrays of one frame. */
struct arrays {
    void *block[FRAME_ARGS];   /**< host or device, with guards */
    void *staging[FRAME_ARGS]; /**< host copy of outputs */
    uint32_t fetched;          /**< bit i: it holds output i already */
    uint64_t poison;           /**< decides what poison and guards hold */
};

/** Place the arrays of `frame`: copy inputs (whose `data` points into the
 *  message), poison outputs and guards.  `frame` then holds the addresses.
 *  @return 0, or -1 when memory ran out. */
int arrays_place(struct arrays *arrays, struct frame *frame, uint64_t poison);
/** Have the host's outputs in `staging` as the call left them when it returned:
 *  what is still under way is none of them. */
void arrays_keep(struct arrays *arrays, const struct frame *frame);
/** Digest the outputs: the device's as they are now.  @return the digest */
uint64_t arrays_digest(struct arrays *arrays, const struct frame *frame,
                       uint64_t key);
/** Have the outputs in `staging`, unless the digest left them there. */
void arrays_fetch(struct arrays *arrays, const struct frame *frame);
/** Note damaged guards and changed inputs; `sent` is the frame as it came. */
void arrays_inspect(const struct arrays *arrays, const struct frame *frame,
                    const struct frame *sent, struct facts *facts);
/** Free everything. */
void arrays_free(struct arrays *arrays, const struct frame *frame);

#endif
