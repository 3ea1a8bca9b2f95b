/* SPDX-License-Identifier: MIT */
/** @file
 *  Judging an access by what is known of one word (or byte) of memory.
 */
#ifndef SOFTGPU_JUDGE_H
#define SOFTGPU_JUDGE_H

#include "watch.h"

/** Init: report a read of bytes that hold no value; remember a write.
 *  @param mask  the bytes of the cell that are accessed */
void init_judge(const struct access *access, struct cell *cell, unsigned mask);

/** Race: report what the access is not ordered with; remember it. */
void race_judge(const struct access *access, struct cell *cell);

/** Both, in this order: the race watcher overwrites who wrote last. */
static inline void judge_cell(const struct access *access, struct cell *cell,
                              unsigned mask)
{
    init_judge(access, cell, mask);
    race_judge(access, cell);
}

#endif
