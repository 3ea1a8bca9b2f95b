/* SPDX-License-Identifier: MIT */
/** @file
 *  The published ladders: their steps from the slowest to the fastest.
 */
#ifndef SOFTGPU_LADDERS_PUBLISHED_H
#define SOFTGPU_LADDERS_PUBLISHED_H

enum { LADDER_STEPS = 10 /* at most */ };

/** One step. */
struct published_step {
    const char *kernel; /**< its kernels' names begin so */
    double figure;      /**< as published; 0: only its place is */
    int registers;      /**< a thread; 0: as the report says */
};

/** One ladder, measured by somebody on a card. */
struct published_ladder {
    const char *name;   /**< of the program */
    const char *source; /**< who measured it, where, on what */
    const char *unit;   /**< of the figures */
    int grow;           /**< for one block of ours, blocks at full size */
    int deeper;         /**< 0, or: a second report, NAME_deeper.json, is of
                             blocks that do more; a block at full size does
                             so many times that more */
    const char *size;   /**< the full size, in words */
    struct published_step steps[LADDER_STEPS];
};

/** All; the last has no name. */
extern const struct published_ladder published_ladders[];

#endif
