/* SPDX-License-Identifier: MIT */
/** @file
 *  Mini-batches of a data set, prefetched by a thread while the previous one
 *  is trained on.  Host only.
 *
 *  The images of a batch depend on (seed, epoch, batch) alone, and the
 *  augmentation of an image on (seed, epoch, image): a resumed training gets
 *  the same bits. */
#ifndef LOADER_H
#define LOADER_H

#include <stdint.h>

#include "augment.h"
#include "dataset.h"

/** How batches are loaded. */
struct loader_options {
    size_t batch;           /**< images per batch; at least 1 */
    bool keep_last;         /**< keep the incomplete last batch; else it is
                                 dropped, unless it is the only one */
    bool shuffle;           /**< shuffle the images in each epoch */
    bool augmented;         /**< apply random crop, flip and cutout; else only
                                 normalize */
    uint64_t seed;          /**< of shuffling and augmentation */
    int prefetch;           /**< batches prefetched: 1 to 8 */
    struct augment augment; /**< the transformations */
    /** Allocator for batches, for example of pinned memory; NULL: malloc and
     *  free. */
    void *(*allocate)(size_t bytes);
    void (*release)(void *memory); /**< frees it */
};

/** One mini-batch. */
struct batch {
    const float *images;         /**< [count][channels][height][width] */
    const unsigned char *labels; /**< [count] */
    const size_t *indices;       /**< [count] indices in the data set */
    size_t count;                /**< images */
    size_t epoch;                /**< from 0 */
    size_t number;               /**< index in the epoch, from 0 */
    bool last;                   /**< is the last one of its epoch */
};

/** A loader with its thread. */
struct loader;

/** Start the loader thread.
 *  @param      set      must stay valid and unchanged until loader_close()
 *  @param      options  copied
 *  @param      epoch    epoch of the first batch
 *  @param      number   index of the first batch in that epoch
 *  @param[out] failure  the message, or NULL
 *  @return NULL when there is no memory or thread, an option is invalid, the
 *          set
 *          is empty, or `number` is not in the epoch */
struct loader *loader_open(const struct dataset *set,
                           const struct loader_options *options, size_t epoch,
                           size_t number, struct failure *failure);

/** Batches per epoch. */
size_t loader_batches_per_epoch(const struct loader *loader);

/** The next batch; after the last batch of an epoch the next epoch begins.
 *  Blocks until the batch is loaded.
 *  @return valid until the next call or loader_close() */
const struct batch *loader_next(struct loader *loader);

/** Stop the thread and free the batches; does nothing for NULL. */
void loader_close(struct loader *loader);

#endif
