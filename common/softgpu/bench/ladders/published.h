/* SPDX-License-Identifier: MIT */
/** @file
 *  The published ladders: their steps from the slowest to the fastest.
 */
#ifndef SOFTGPU_LADDERS_PUBLISHED_H
#define SOFTGPU_LADDERS_PUBLISHED_H

enum { LADDER_STEPS = 10 /* at most */ };

/** One step. */
struct published_step {
    const char *kernel; /**< start of its kernels' names */
    double published_value; /**< 0: only the rank was published */
    int registers;          /**< per thread; 0: those of the report */
};

/** One ladder, as measured on a card by its author. */
struct published_ladder {
    const char *name;   /**< of the program */
    const char *source; /**< author, publication, card */
    const char *unit;   /**< of the published values */
    int block_ratio;    /**< blocks at full size over our blocks */
    int depth_ratio;    /**< 0, or: NAME_deeper.json is a report of blocks with
                             a larger depth; ratio of the additional depth at
                             full size to that in the report */
    const char *size;   /**< the full size, as text */
    struct published_step steps[LADDER_STEPS];
};

/** All ladders; the last has no name. */
extern const struct published_ladder published_ladders[];

#endif
