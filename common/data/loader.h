/* SPDX-License-Identifier: MIT */
/** @file
 *  Batches of a data set, made by a thread of their own while the last one is
 *  trained on.  Host only.
 *
 *  Which images an epoch's batch holds, and what is done to them, follows from
 *  (seed, epoch, batch) alone: whoever resumes there gets the same bits.
 */
#ifndef LOADER_H
#define LOADER_H

#include <stdint.h>

#include "augment.h"
#include "dataset.h"

/** How batches are made. */
struct loader_options {
    size_t batch;    /**< images in each; at least 1 */
    bool keep_rest;  /**< the last batch may be smaller; else it is left out,
                          unless it is the only one */
    bool shuffle;    /**< another order each epoch */
    bool augmented;  /**< crop, flip and cut; else images are only normalised */
    uint64_t seed;   /**< of order and augmentation */
    int ahead;       /**< batches made before they are asked for: 1 to 8 */
    struct augment augment; /**< the rules */
    /** Memory for batches: pinned, say; NULL: malloc and free. */
    void *(*allocate)(size_t bytes);
    void (*release)(void *memory); /**< gives it back */
};

/** One batch. */
struct batch {
    const float *images; /**< [count][channels][height][width] */
    const unsigned char *labels; /**< [count] */
    const size_t *which; /**< [count]: numbers in the set */
    size_t count;        /**< images */
    size_t epoch;        /**< from 0 */
    size_t number;       /**< in the epoch, from 0 */
    bool last;           /**< of its epoch */
};

/** A running loader. */
struct loader;

/** Begin to load.
 *  @param      set      stays the caller's, and as it is until the close
 *  @param      options  copied
 *  @param      epoch    of the first batch
 *  @param      number   of the first batch, in that epoch
 *  @param[out] failure  the line, or NULL
 *  @return NULL when there is no memory or thread, the set is empty, or
 *          `number` is not in the epoch */
struct loader *loader_open(const struct dataset *set,
                           const struct loader_options *options, size_t epoch,
                           size_t number, struct failure *failure);

/** Batches in an epoch. */
size_t loader_batches(const struct loader *loader);

/** The next batch; epochs follow each other without end.
 *  @return valid until the next call and the close */
const struct batch *loader_next(struct loader *loader);

/** End the thread, free the batches; NULL is nothing. */
void loader_close(struct loader *loader);

#endif
