/* SPDX-License-Identifier: MIT */
/* The synthetic data set: reproducible, balanced, learnable. */
#include <string.h>
#include <sys/stat.h>

#include "data_tests.h"
#include "common/data/lookalike.h"

enum { PIXELS = FASHION_SIDE * FASHION_SIDE, COUNT = 1000 };

/* The same seed gives the same images. */
static void reproducible(void)
{
    struct fashion one, same, other;

    CU_ASSERT(lookalike_make(20, 7, &one, NULL));
    CU_ASSERT(lookalike_make(20, 7, &same, NULL));
    CU_ASSERT(lookalike_make(20, 8, &other, NULL));
    CU_ASSERT(!memcmp(one.images.data, same.images.data, 20 * PIXELS));
    CU_ASSERT(!memcmp(one.labels.data, same.labels.data, 20));
    CU_ASSERT(memcmp(one.images.data, other.images.data, 20 * PIXELS));
    fashion_free(&one);
    fashion_free(&same);
    fashion_free(&other);
}

/* Mean image of each class. */
static void centers(const struct fashion *set, double mean[][PIXELS])
{
    size_t of_class[FASHION_CLASSES] = {0};

    memset(mean, 0, FASHION_CLASSES * sizeof *mean);
    for (size_t i = 0; i < set->count; i++) {
        of_class[set->labels.data[i]]++;
        for (int p = 0; p < PIXELS; p++)
            mean[set->labels.data[i]][p] += set->images.data[i * PIXELS + p];
    }
    for (int c = 0; c < FASHION_CLASSES; c++) {
        CU_ASSERT_EQUAL(of_class[c], COUNT / FASHION_CLASSES);
        for (int p = 0; p < PIXELS; p++) mean[c][p] /= (double)of_class[c];
    }
}

/* The class whose mean image is nearest. */
static int nearest(const unsigned char *image, double mean[][PIXELS])
{
    double least = 1e300;
    int best = 0;

    for (int c = 0; c < FASHION_CLASSES; c++) {
        double distance = 0;
        for (int p = 0; p < PIXELS; p++)
            distance += (image[p] - mean[c][p]) * (image[p] - mean[c][p]);
        if (distance < least) {
            least = distance;
            best = c;
        }
    }
    return best;
}

/* A nearest-class-mean classifier gets most test labels right, but not all. */
static void learnable(void)
{
    static double mean[FASHION_CLASSES][PIXELS];
    struct fashion train, test;
    int right = 0;

    CU_ASSERT(lookalike_make(COUNT, 1, &train, NULL));
    CU_ASSERT(lookalike_make(COUNT, 2, &test, NULL));
    centers(&train, mean);
    for (size_t i = 0; i < COUNT; i++)
        right += nearest(test.images.data + i * PIXELS, mean)
                 == test.labels.data[i];
    CU_ASSERT(right > COUNT * 6 / 10);
    CU_ASSERT(right < COUNT);
    fashion_free(&train);
    fashion_free(&test);
}

/* Written as a data set of the same format. */
static void files(void)
{
    char folder[PATH_BYTES];
    struct failure why = {""};
    struct fashion set;

    mkdir(scratch_path(folder, "lookalike"), 0700);
    CU_ASSERT(lookalike_write(folder, 50, 30, NULL));
    CU_ASSERT(fashion_read(folder, FASHION_TRAIN, &set, NULL));
    CU_ASSERT_EQUAL(set.count, 50);
    fashion_free(&set);
    CU_ASSERT_FALSE(lookalike_write(scratch_path(folder, "none"), 5, 3, &why));
    expect_message(&why, folder, "No such file");
    CU_ASSERT_FALSE(lookalike_make(0, 1, &set, NULL));
}

CU_TestInfo lookalike_tests[] = {
    {"same seed, same bytes", reproducible},
    {"balanced and learnable", learnable},
    {"four files", files},
    CU_TEST_INFO_NULL};
