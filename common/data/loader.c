/* SPDX-License-Identifier: MIT */
/** @file
 *  See loader.h.  A bounded ring buffer of batches: the loader thread (the
 *  producer) fills slot `produced`, the caller (the consumer) reads slot
 *  `consumed - 1`; so there is one slot more than batches prefetched. */
#include "loader.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "random_bits.h"

enum { PREFETCH_MAX = 8, SLOTS_MAX = PREFETCH_MAX + 1 };

/** A batch and its buffers. */
struct slot {
    struct batch batch;
    float *images;
    unsigned char *labels;
    size_t *indices;
};

struct loader {
    const struct dataset *set;
    struct loader_options options;
    struct slot slots[SLOTS_MAX];
    int slot_count;
    size_t epoch_batches;         /* of one epoch */
    size_t *permutation;          /* order of the images in `permuted_epoch` */
    size_t permuted_epoch;         /* -1 as size_t: none yet */
    size_t epoch, number;   /* of the next batch to produce */
    pthread_t thread;
    bool started;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t produced, consumed;   /* batches since the start; protected by the
                                      lock */
    bool stop;              /* protected by the lock */
};

/* The last batch is dropped if it is smaller, as PyTorch's drop_last does,
 * unless there is no other. */
static size_t batches_per_epoch(size_t count, const struct loader_options *o)
{
    const size_t complete = count / o->batch, remainder = count % o->batch;

    return complete + (remainder && (o->keep_last || complete == 0));
}

/* --- the thread ---------------------------------------------------------- */

/* The order depends on seed and epoch alone, so a resumed run has the same
 * batches. */
static void permute_epoch(struct loader *l)
{
    const struct loader_options *o = &l->options;

    if (l->permuted_epoch == l->epoch) return;
    l->permuted_epoch = l->epoch;
    if (o->shuffle)
        random_permutation(l->permutation, l->set->count,
                           random_state(o->seed, l->epoch, 0));
    else
        for (size_t i = 0; i < l->set->count; i++) l->permutation[i] = i;
}

/* The state of the random numbers depends on seed, epoch and image, so that an
 * image's augmentation is the same in any batch and on any thread. */
static void load_image(const struct loader *l, struct slot *slot, size_t i)
{
    const struct loader_options *o = &l->options;
    const size_t image = slot->indices[i];
    uint64_t state = random_state(o->seed, l->epoch, 1 + image);
    const struct augment_draw draw =
        o->augmented ? augment_draw(&o->augment, l->set, &state)
                     : augment_identity(&o->augment);

    augment_image(&o->augment, &draw, l->set, image,
                  slot->images + i * dataset_pixels(l->set));
    slot->labels[i] = l->set->labels[image];
}

/* Fill a slot with the next batch and advance to the one after it. */
static void load_batch(struct loader *l, struct slot *slot)
{
    const size_t first = l->number * l->options.batch;
    const size_t left = l->set->count - first;

    permute_epoch(l);
    slot->batch = (struct batch){
        .images = slot->images,
        .labels = slot->labels,
        .indices = slot->indices,
        .count = left < l->options.batch ? left : l->options.batch,
        .epoch = l->epoch,
        .number = l->number,
        .last = l->number + 1 == l->epoch_batches};
    for (size_t i = 0; i < slot->batch.count; i++) {
        slot->indices[i] = l->permutation[first + i];
        load_image(l, slot, i);
    }
    if (++l->number == l->epoch_batches) {
        l->number = 0;
        l->epoch++;
    }
}

/* Wait for a free slot. @return its index, or -1 when the loader is closed */
static int wait_for_free_slot(struct loader *l)
{
    int slot;

    pthread_mutex_lock(&l->lock);
    while (!l->stop
           && l->produced - l->consumed >= (uint64_t)l->slot_count - 1)
        pthread_cond_wait(&l->changed, &l->lock);
    slot = l->stop ? -1 : (int)(l->produced % (uint64_t)l->slot_count);
    pthread_mutex_unlock(&l->lock);
    return slot;
}

/* The producer: it runs ahead of the consumer by the free slots. */
static void *loader_thread(void *loader)
{
    struct loader *l = loader;
    int slot;

    while ((slot = wait_for_free_slot(l)) >= 0) {
        load_batch(l, &l->slots[slot]);
        pthread_mutex_lock(&l->lock);
        l->produced++;
        pthread_cond_broadcast(&l->changed);
        pthread_mutex_unlock(&l->lock);
    }
    return NULL;
}

/* --- the caller's side --------------------------------------------------- */

/* The caller's allocator makes pinned memory for what is copied to the device;
 * indices stay on the host. */
static bool allocate_slot(struct loader *l, struct slot *slot)
{
    const size_t batch = l->options.batch;

    slot->images = l->options.allocate(batch * dataset_pixels(l->set)
                                       * sizeof *slot->images);
    slot->labels = l->options.allocate(batch);
    slot->indices = malloc(batch * sizeof *slot->indices);
    return slot->images && slot->labels && slot->indices;
}

/* One slot more than batches to prefetch: the consumer holds one. */
static bool allocate_slots(struct loader *l)
{
    bool ok = true;

    l->slot_count = l->options.prefetch + 1;
    for (int i = 0; i < l->slot_count && ok; i++)
        ok = allocate_slot(l, &l->slots[i]);
    l->permutation = malloc(l->set->count * sizeof *l->permutation);
    return ok && l->permutation;
}

/* Frees what was allocated. @return NULL */
static struct loader *fail_open(struct loader *l, struct failure *failure,
                                const char *why)
{
    fail(failure, "the loader: %s", why);
    loader_close(l);
    return NULL;
}

/* @return why the options cannot be used, or NULL */
static const char *invalid_option(const struct dataset *set,
                                  const struct loader_options *o, size_t number)
{
    if (set->count == 0) return "an empty set";
    if (o->batch == 0) return "batches of 0 images";
    if (o->prefetch < 1 || o->prefetch > PREFETCH_MAX)
        return "1 to 8 batches ahead";
    if (set->channels > AUGMENT_MAX_CHANNELS) return "more than 4 channels";
    if (o->augment.pad < 0 || o->augment.cutout < 0) return "a negative size";
    if (number >= batches_per_epoch(set->count, o))
        return "that batch is not in the epoch";
    return NULL;
}

struct loader *loader_open(const struct dataset *set,
                           const struct loader_options *options, size_t epoch,
                           size_t number, struct failure *failure)
{
    const char *why = invalid_option(set, options, number);
    struct loader *l = why ? NULL : calloc(1, sizeof *l);

    if (!l) return fail_open(NULL, failure, why ? why : "no memory");
    l->set = set;
    l->options = *options;
    if (!l->options.allocate) {
        l->options.allocate = malloc;
        l->options.release = free;
    }
    l->epoch_batches = batches_per_epoch(set->count, options);
    l->epoch = epoch;
    l->number = number;
    l->permuted_epoch = SIZE_MAX;
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->changed, NULL);
    if (!allocate_slots(l)) return fail_open(l, failure, "no memory");
    l->started = pthread_create(&l->thread, NULL, loader_thread, l) == 0;
    return l->started ? l : fail_open(l, failure, "no thread");
}

size_t loader_batches_per_epoch(const struct loader *loader)
{
    return loader->epoch_batches;
}

const struct batch *loader_next(struct loader *l)
{
    const struct slot *slot;

    pthread_mutex_lock(&l->lock);
    while (l->produced == l->consumed) pthread_cond_wait(&l->changed, &l->lock);
    slot = &l->slots[l->consumed++ % (uint64_t)l->slot_count];
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
    return &slot->batch;
}

void loader_close(struct loader *l)
{
    if (!l) return;
    pthread_mutex_lock(&l->lock);
    l->stop = true;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
    if (l->started) pthread_join(l->thread, NULL);
    for (int i = 0; i < l->slot_count; i++) {
        if (l->slots[i].images) l->options.release(l->slots[i].images);
        if (l->slots[i].labels) l->options.release(l->slots[i].labels);
        free(l->slots[i].indices);
    }
    pthread_cond_destroy(&l->changed);
    pthread_mutex_destroy(&l->lock);
    free(l->permutation);
    free(l);
}
