/* SPDX-License-Identifier: MIT */
/** @file
 *  See loader.h.  A ring of batches: the thread fills slot `made`, the caller
 *  holds slot `taken - 1`, so one slot more than those ahead. */
#include "loader.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "random_bits.h"

enum { AHEAD_MAX = 8, SLOTS_MAX = AHEAD_MAX + 1 };

/** A batch and the memory that it shows. */
struct slot {
    struct batch batch;
    float *images;
    unsigned char *labels;
    size_t *which;
};

struct loader {
    const struct dataset *set;
    struct loader_options options;
    struct slot slots[SLOTS_MAX];
    int slot_count;
    size_t batches;         /* in an epoch */
    size_t *order;          /* of the images in `ordered` */
    size_t ordered;         /* epoch */
    size_t epoch, number;   /* of the batch to be made next */
    pthread_t thread;
    bool started;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t made, taken;   /* batches, ever; under the lock */
    bool stop;              /* likewise */
};

static size_t count_batches(size_t count, const struct loader_options *o)
{
    const size_t whole = count / o->batch, rest = count % o->batch;

    return whole + (rest && (o->keep_rest || whole == 0));
}

/* --- the thread -------------------------------------------------------------- */

static void set_order(struct loader *l)
{
    const struct loader_options *o = &l->options;

    if (l->ordered == l->epoch) return;
    l->ordered = l->epoch;
    if (o->shuffle)
        random_order(l->order, l->set->count,
                     random_state(o->seed, l->epoch, 0));
    else
        for (size_t i = 0; i < l->set->count; i++) l->order[i] = i;
}

static void make_image(const struct loader *l, struct slot *slot, size_t i)
{
    const struct loader_options *o = &l->options;
    const size_t image = slot->which[i];
    uint64_t state = random_state(o->seed, l->epoch, 1 + image);
    const struct augment_draw draw =
        o->augmented ? augment_draw(&o->augment, l->set, &state)
                     : augment_nothing(&o->augment);

    augment_image(&o->augment, &draw, l->set, image,
                  slot->images + i * dataset_pixels(l->set));
    slot->labels[i] = l->set->labels[image];
}

static void make_batch(struct loader *l, struct slot *slot)
{
    const size_t first = l->number * l->options.batch;
    const size_t left = l->set->count - first;

    set_order(l);
    slot->batch = (struct batch){
        .images = slot->images, .labels = slot->labels, .which = slot->which,
        .count = left < l->options.batch ? left : l->options.batch,
        .epoch = l->epoch, .number = l->number,
        .last = l->number + 1 == l->batches};
    for (size_t i = 0; i < slot->batch.count; i++) {
        slot->which[i] = l->order[first + i];
        make_image(l, slot, i);
    }
    if (++l->number == l->batches) {
        l->number = 0;
        l->epoch++;
    }
}

/* Wait for a free slot.  @return its number, or -1: the end */
static int wait_for_room(struct loader *l)
{
    int slot;

    pthread_mutex_lock(&l->lock);
    while (!l->stop
           && l->made - l->taken >= (uint64_t)l->slot_count - 1)
        pthread_cond_wait(&l->changed, &l->lock);
    slot = l->stop ? -1 : (int)(l->made % (uint64_t)l->slot_count);
    pthread_mutex_unlock(&l->lock);
    return slot;
}

static void *make_batches(void *loader)
{
    struct loader *l = loader;
    int slot;

    while ((slot = wait_for_room(l)) >= 0) {
        make_batch(l, &l->slots[slot]);
        pthread_mutex_lock(&l->lock);
        l->made++;
        pthread_cond_broadcast(&l->changed);
        pthread_mutex_unlock(&l->lock);
    }
    return NULL;
}

/* --- the caller's side --------------------------------------------------------- */

static bool make_slot(struct loader *l, struct slot *slot)
{
    const size_t batch = l->options.batch;

    slot->images = l->options.allocate(batch * dataset_pixels(l->set)
                                       * sizeof *slot->images);
    slot->labels = l->options.allocate(batch);
    slot->which = malloc(batch * sizeof *slot->which);
    return slot->images && slot->labels && slot->which;
}

static bool make_slots(struct loader *l)
{
    bool ok = true;

    l->slot_count = l->options.ahead + 1;
    for (int i = 0; i < l->slot_count && ok; i++)
        ok = make_slot(l, &l->slots[i]);
    l->order = malloc(l->set->count * sizeof *l->order);
    return ok && l->order;
}

static struct loader *fail_open(struct loader *l, struct failure *failure,
                                const char *why)
{
    fail(failure, "the loader: %s", why);
    loader_close(l);
    return NULL;
}

static const char *wrong(const struct dataset *set,
                         const struct loader_options *o, size_t number)
{
    if (set->count == 0) return "an empty set";
    if (o->batch == 0) return "batches of 0 images";
    if (o->ahead < 1 || o->ahead > AHEAD_MAX) return "1 to 8 batches ahead";
    if (set->channels > AUGMENT_CHANNELS) return "more than 4 channels";
    if (o->augment.pad < 0 || o->augment.cutout < 0) return "a negative size";
    if (number >= count_batches(set->count, o))
        return "that batch is not in the epoch";
    return NULL;
}

struct loader *loader_open(const struct dataset *set,
                           const struct loader_options *options, size_t epoch,
                           size_t number, struct failure *failure)
{
    const char *why = wrong(set, options, number);
    struct loader *l = why ? NULL : calloc(1, sizeof *l);

    if (!l) return fail_open(NULL, failure, why ? why : "no memory");
    l->set = set;
    l->options = *options;
    if (!l->options.allocate) {
        l->options.allocate = malloc;
        l->options.release = free;
    }
    l->batches = count_batches(set->count, options);
    l->epoch = epoch;
    l->number = number;
    l->ordered = SIZE_MAX;
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->changed, NULL);
    if (!make_slots(l)) return fail_open(l, failure, "no memory");
    l->started = pthread_create(&l->thread, NULL, make_batches, l) == 0;
    return l->started ? l : fail_open(l, failure, "no thread");
}

size_t loader_batches(const struct loader *loader)
{
    return loader->batches;
}

const struct batch *loader_next(struct loader *l)
{
    const struct slot *slot;

    pthread_mutex_lock(&l->lock);
    while (l->made == l->taken) pthread_cond_wait(&l->changed, &l->lock);
    slot = &l->slots[l->taken++ % (uint64_t)l->slot_count];
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
        free(l->slots[i].which);
    }
    pthread_cond_destroy(&l->changed);
    pthread_mutex_destroy(&l->lock);
    free(l->order);
    free(l);
}
