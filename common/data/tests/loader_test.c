/* SPDX-License-Identifier: MIT */
/* Splits, statistics, augmentation, batches. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/data/augment.h"
#include "common/base/tests/scratch.h"
#include "data_tests.h"
#include "common/data/loader.h"

/* `count` images of 2 x 3 x 4 whose pixels encode image index and position. */
static struct dataset numbered(size_t count)
{
    struct dataset set = {.channels = 2, .height = 3, .width = 4,
                          .classes = 7};

    CU_ASSERT_FATAL(dataset_allocate(&set, count, "test", NULL));
    for (size_t i = 0; i < count; i++) {
        set.labels[i] = (unsigned char)(i % 7);
        for (size_t k = 0; k < 24; k++)
            set.pixels[i * 24 + k] = (unsigned char)(i + k);
    }
    return set;
}

/* Each image is in one of the two parts, with its own label. */
static void split(void)
{
    struct dataset set = numbered(100), held_out, all = numbered(100), other;
    int seen[100] = {0};

    CU_ASSERT(dataset_split(&set, 0.1, 5, &held_out, NULL));
    CU_ASSERT(set.count == 90 && held_out.count == 10);
    for (size_t i = 0; i < 90; i++) seen[set.pixels[i * 24]]++;
    for (size_t i = 0; i < 10; i++) {
        seen[held_out.pixels[i * 24]]++;
        CU_ASSERT_EQUAL(held_out.labels[i], held_out.pixels[i * 24] % 7);
    }
    for (int i = 0; i < 100; i++) CU_ASSERT_EQUAL(seen[i], 1);
    CU_ASSERT(dataset_split(&all, 0.1, 5, &other, NULL));
    /* same seed, same images */
    CU_ASSERT(!memcmp(held_out.pixels, other.pixels, 240));
    dataset_free(&other);
    CU_ASSERT_FALSE(dataset_split(&all, 1.5, 5, &other, NULL));
    CU_ASSERT(dataset_split(&all, 0, 5, &other, NULL) && other.count == 0);
    CU_ASSERT_EQUAL(all.count, 90);
    dataset_free(&set);
    dataset_free(&held_out);
    dataset_free(&all);
}

/* Mean and standard deviation a channel; a constant channel gets 1, by which
 * one can divide. */
static void statistics(void)
{
    struct dataset set = numbered(1);
    float mean[2], std[2];

    dataset_statistics(&set, mean, std); /* 0..11 and 12..23 */
    CU_ASSERT_DOUBLE_EQUAL(mean[0], 5.5 / 255, 1e-7);
    CU_ASSERT_DOUBLE_EQUAL(mean[1], 17.5 / 255, 1e-7);
    CU_ASSERT_DOUBLE_EQUAL(std[0], sqrt(143.0 / 12) / 255, 1e-7);
    memset(set.pixels, 9, 24);
    dataset_statistics(&set, mean, std);
    CU_ASSERT_EQUAL(std[1], 1);
    dataset_free(&set);
}

/* --- augmentation -------------------------------------------------------- */

static const struct augment as_is = {.std = {1 / 255.0f, 1 / 255.0f}};

/* Without augmentation images are only normalized. */
static void plain(void)
{
    const struct augment_draw draw = augment_identity(&as_is);
    struct dataset set = numbered(2);
    float to[24];

    augment_image(&as_is, &draw, &set, 1, to);
    for (int k = 0; k < 24; k++) CU_ASSERT_DOUBLE_EQUAL(to[k], 1 + k, 1e-4);
    dataset_free(&set);
}

/* The crop's corner is at (left, top) of an image with a padding of 2: output
 * (y, x) is input (y + top - 2, x + left - 2), black outside; a flipped image
 * is the flipped crop. */
static void cropped(void)
{
    struct augment how = as_is;
    struct dataset set = numbered(1);
    float to[24];

    how.pad = 2;
    for (int i = 0; i < 50; i++) {
        const struct augment_draw draw = {i % 5, i / 5 % 5, i >= 25, -1, -1};

        augment_image(&how, &draw, &set, 0, to);
        for (int k = 0; k < 24; k++) {
            const int c = k / 12, y = k / 4 % 3 + draw.top - 2;
            const int out = draw.flipped ? 3 - k % 4 : k % 4;
            const int x = out + draw.left - 2;
            const int in = y >= 0 && y < 3 && x >= 0 && x < 4;

            CU_ASSERT_DOUBLE_EQUAL(to[k], in ? c * 12 + y * 4 + x : 0, 1e-4);
        }
    }
    dataset_free(&set);
}

/* Cutout sets a square to the mean, also at the edge. */
static void cut(void)
{
    struct augment how = as_is;
    const struct augment_draw draw = {0, 0, false, 3, 0};
    struct dataset set = numbered(1);
    float to[24];

    how.cutout = 2;
    how.mean[0] = how.mean[1] = 1;
    augment_image(&how, &draw, &set, 0, to);
    for (int k = 0; k < 24; k++) { /* x 2..3, y 0 (and -1) */
        const int hit = k / 4 % 3 == 0 && k % 4 >= 2;

        CU_ASSERT_DOUBLE_EQUAL(to[k], hit ? 0 : k - 255, 1e-4);
    }
    dataset_free(&set);
}

/* Over many draws each corner and each orientation is about equally frequent.
 */
static void draws(void)
{
    struct augment how = as_is;
    struct dataset set = numbered(1);
    uint64_t state = 3;
    int corner[9] = {0}, flipped = 0;

    how.pad = 1;
    how.flip = true;
    for (int i = 0; i < 9000; i++) {
        const struct augment_draw draw = augment_draw(&how, &set, &state);

        CU_ASSERT_EQUAL(draw.cutout_x, -1);
        corner[draw.left * 3 + draw.top]++;
        flipped += draw.flipped;
    }
    for (int i = 0; i < 9; i++)
        CU_ASSERT(abs(corner[i] - 1000) < 150); /* 5 standard deviations */
    CU_ASSERT(abs(flipped - 4500) < 240);
    dataset_free(&set);
}

/* --- batches ------------------------------------------------------------- */

static const struct loader_options options = {
    .batch = 8, .keep_last = true, .shuffle = true, .augmented = true,
    .seed = 11, .prefetch = 2,
    .augment = {.pad = 1, .flip = true, .std = {1, 1}},
};

/* Each image comes once an epoch, in another order each time. */
static void each_once(void)
{
    struct dataset set = numbered(30);
    struct loader *loader = loader_open(&set, &options, 0, 0, NULL);
    size_t order[2][30], at = 0;

    CU_ASSERT_FATAL(loader != NULL);
    CU_ASSERT_EQUAL(loader_batches_per_epoch(loader), 4);
    for (size_t epoch = 0; epoch < 2; epoch++) {
        int seen[30] = {0};

        for (size_t b = 0; b < 4; b++) {
            const struct batch *batch = loader_next(loader);

            CU_ASSERT(batch->epoch == epoch && batch->number == b);
            CU_ASSERT_EQUAL(batch->count, b < 3 ? 8 : 6);
            CU_ASSERT_EQUAL(batch->last, b == 3);
            for (size_t i = 0; i < batch->count; i++) {
                seen[batch->indices[i]]++;
                order[epoch][at++ % 30] = batch->indices[i];
                CU_ASSERT_EQUAL(batch->labels[i], batch->indices[i] % 7);
            }
        }
        for (int i = 0; i < 30; i++) CU_ASSERT_EQUAL(seen[i], 1);
    }
    loader_close(loader);
    CU_ASSERT(memcmp(order[0], order[1], sizeof order[0]) != 0);
    dataset_free(&set);
}

/* A loader that starts in the middle, with another number of prefetched
 * batches, produces the same bits. */
static void resumed(void)
{
    struct dataset set = numbered(30);
    struct loader_options more = options;
    struct loader *complete = loader_open(&set, &options, 0, 0, NULL),
                  *resumed_loader;

    more.prefetch = 5;
    resumed_loader = loader_open(&set, &more, 1, 2, NULL);
    CU_ASSERT_FATAL(complete && resumed_loader);
    for (int i = 0; i < 6; i++) loader_next(complete);
    for (int i = 0; i < 9; i++) {
        const struct batch *a = loader_next(complete),
                           *b = loader_next(resumed_loader);

        CU_ASSERT(a->epoch == b->epoch && a->number == b->number);
        CU_ASSERT(a->count == b->count);
        CU_ASSERT(!memcmp(a->images, b->images,
                          a->count * 24 * sizeof *a->images));
        CU_ASSERT(!memcmp(a->labels, b->labels, a->count));
    }
    loader_close(complete);
    loader_close(resumed_loader);
    dataset_free(&set);
}

/* The images of an epoch, by their index in the data set. */
static void load_epoch(const struct dataset *set,
                       const struct loader_options *how, float *images)
{
    struct loader *loader = loader_open(set, how, 0, 0, NULL);
    const struct batch *batch;

    CU_ASSERT_FATAL(loader != NULL);
    do {
        batch = loader_next(loader);
        for (size_t i = 0; i < batch->count; i++)
            memcpy(images + 24 * batch->indices[i], batch->images + 24 * i,
                   24 * sizeof *images);
    } while (!batch->last);
    loader_close(loader);
}

/* The augmentation of an image is the same in batches of another size and in
 * another order, and differs between the images of a batch. */
static void augmented_by_image(void)
{
    struct dataset set = numbered(30);
    struct loader_options o = options;
    float by_8[30 * 24], by_5[30 * 24];

    memset(set.pixels + 24, 9, 24);   /* two equal images */
    memset(set.pixels + 2 * 24, 9, 24);
    load_epoch(&set, &o, by_8);
    o.batch = 5;
    o.shuffle = false;
    load_epoch(&set, &o, by_5);
    CU_ASSERT(!memcmp(by_8, by_5, sizeof by_8));
    CU_ASSERT(memcmp(by_8 + 24, by_8 + 2 * 24, 24 * sizeof *by_8) != 0);
    dataset_free(&set);
}

/* A batch stays as it is until the next one is taken, however much time the
 * producer has. */
static void kept_while_read(void)
{
    struct dataset set = numbered(30);
    struct loader *loader = loader_open(&set, &options, 0, 0, NULL);
    const struct batch *batch;
    size_t before[8];

    CU_ASSERT_FATAL(loader != NULL);
    batch = loader_next(loader);
    memcpy(before, batch->indices, sizeof before);
    usleep(100000);
    CU_ASSERT(!memcmp(before, batch->indices, sizeof before));
    loader_close(loader);
    dataset_free(&set);
}

/* Without the smaller last batch; closing with prefetched batches waits for
 * nobody. */
static void whole_batches(void)
{
    struct loader_options o = options;
    struct dataset set = numbered(30);
    struct loader *loader;

    o.keep_last = o.shuffle = false;
    loader = loader_open(&set, &o, 0, 0, NULL);
    CU_ASSERT_FATAL(loader != NULL);
    CU_ASSERT_EQUAL(loader_batches_per_epoch(loader), 3);
    CU_ASSERT_EQUAL(loader_next(loader)->indices[7], 7);
    loader_close(loader); /* with prefetched batches that are never consumed */
    o.batch = 64;         /* a data set smaller than a batch is one batch */
    loader = loader_open(&set, &o, 0, 0, NULL);
    CU_ASSERT_FATAL(loader != NULL);
    CU_ASSERT_EQUAL(loader_next(loader)->count, 30);
    loader_close(loader);
    dataset_free(&set);
}

/* Each option that cannot be used has its own message. */
static void refused(void)
{
    struct loader_options o = options;
    struct dataset set = numbered(30), none = {0};
    struct failure why = {""};

    CU_ASSERT_PTR_NULL(loader_open(&none, &o, 0, 0, &why));
    expect_message(&why, "the loader", "an empty set");
    CU_ASSERT_PTR_NULL(loader_open(&set, &o, 0, 4, &why));
    expect_message(&why, "the loader", "not in the epoch");
    o.batch = 0;
    CU_ASSERT_PTR_NULL(loader_open(&set, &o, 0, 0, &why));
    expect_message(&why, "the loader", "batches of 0");
    dataset_free(&set);
}

CU_TestInfo loader_tests[] = {
    {"split", split},
    {"mean and deviation", statistics},
    {"images as they are", plain},
    {"crops and mirrors", cropped},
    {"cutout", cut},
    {"draws", draws},
    {"each image once an epoch", each_once},
    {"resumed anywhere", resumed},
    {"augmented by image", augmented_by_image},
    {"whole batches only", whole_batches},
    {"a batch is kept while it is read", kept_while_read},
    {"refused", refused},
    CU_TEST_INFO_NULL};
