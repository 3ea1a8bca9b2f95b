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
    void *staging[FRAME_ARGS]; /**< host copy of outputs, taken when timed */
    uint64_t poison;           /**< decides what poison and guards hold */
};

/** Place the arrays of `frame`: copy inputs (whose `data` points into the
 *  message), poison outputs and guards.  `frame` then holds the addresses.
 *  @return 0, or -1 when memory ran out. */
int arrays_place(struct arrays *arrays, struct frame *frame, uint64_t poison);
/** Copy the outputs aside.  @return their digest. */
uint64_t arrays_snapshot(struct arrays *arrays, const struct frame *frame,
                         uint64_t key);
/** Note damaged guards and changed inputs; `sent` is the frame as it came. */
void arrays_inspect(const struct arrays *arrays, const struct frame *frame,
                    const struct frame *sent, struct facts *facts);
/** Free everything. */
void arrays_free(struct arrays *arrays, const struct frame *frame);

#endif
