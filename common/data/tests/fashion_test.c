/* SPDX-License-Identifier: MIT */
/* Fashion-MNIST: the real files if installed, and invalid folders. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "data_tests.h"
#include "common/data/fashion.h"

/* Write two images of side x side pixels with labels 9 and `last_label`. */
static void write_set(const char *folder, size_t side, size_t count,
                      unsigned char last_label)
{
    static unsigned char pixels[2 * FASHION_SIDE * FASHION_SIDE];
    unsigned char labels[2] = {9, last_label};
    struct fashion set = {{3, {2, side, side}, pixels},
                          {1, {count}, labels}, 2};

    mkdir(folder, 0700);
    CU_ASSERT(fashion_write(folder, FASHION_TEST, &set, NULL));
}

/* Reading fails, with this in the message, and leaves no memory. */
static void refuse(const char *folder, const char *fragment)
{
    struct failure why = {""};
    struct fashion set;

    CU_ASSERT_FALSE(fashion_read(folder, FASHION_TEST, &set, &why));
    CU_ASSERT_PTR_NULL(set.images.data);
    expect_message(&why, folder, fragment);
}

/* A set of two images. */
static void small_set(void)
{
    char folder[PATH_BYTES];
    struct fashion set;

    write_set(scratch_path(folder, "fine"), FASHION_SIDE, 2, 0);
    CU_ASSERT(fashion_read(folder, FASHION_TEST, &set, NULL));
    CU_ASSERT_EQUAL(set.count, 2);
    CU_ASSERT_EQUAL(set.labels.data[0], 9);
    fashion_free(&set);
}

/* Size, number and labels are checked, and the message has the place. */
static void wrong_sets(void)
{
    char folder[PATH_BYTES];

    write_set(scratch_path(folder, "side"), 27, 2, 0);
    refuse(folder, "images are 27 x 27, not 28 x 28");
    write_set(scratch_path(folder, "count"), FASHION_SIDE, 1, 0);
    refuse(folder, "2 images but 1 labels");
    write_set(scratch_path(folder, "label"), FASHION_SIDE, 2, 10);
    refuse(folder, "byte 9: label 1 is 10");
    refuse(scratch_path(folder, "nowhere"), "No such file");
}

/* The published test set has 1,000 images of each class. */
static void published(void)
{
    size_t of_class[FASHION_CLASSES] = {0};
    struct fashion set;

    if (file_size(fashion_folder()) == 0) {
        printf("(no package dataset-fashion-mnist here) ");
        return;
    }
    CU_ASSERT(fashion_read(NULL, FASHION_TEST, &set, NULL));
    CU_ASSERT_EQUAL(set.count, 10000);
    for (size_t i = 0; i < set.count; i++) of_class[set.labels.data[i]]++;
    for (int c = 0; c < FASHION_CLASSES; c++)
        CU_ASSERT_EQUAL(of_class[c], 1000);
    fashion_free(&set);
}

/* Labels out of range have no name. */
static void classes(void)
{
    CU_ASSERT_STRING_EQUAL(fashion_class(9), "ankle boot");
    CU_ASSERT_STRING_EQUAL(fashion_class(-1), "?");
    CU_ASSERT_STRING_EQUAL(fashion_class(10), "?");
}

CU_TestInfo fashion_tests[] = {
    {"a small set", small_set},
    {"sets that do not fit", wrong_sets},
    {"the published test set", published},
    {"names of classes", classes},
    CU_TEST_INFO_NULL};
