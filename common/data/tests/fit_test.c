/* SPDX-License-Identifier: MIT */
/* Test data that do not fit the training data: nine sets, one defect each, and
 * those that must not be refused. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "data_tests.h"

/* Read both splits; returns the message, or "" when the test data fit. */
static const char *read_both(const char *set_name, const char *folder,
                             int *classes, size_t *count)
{
    static struct failure why;
    const struct dataset_source source = {.name = set_name, .folder = folder};
    struct dataset train, test;

    why.text[0] = 0;
    CU_ASSERT_FATAL(dataset_read(&source, DATASET_TRAIN, &train, &why));
    if (dataset_read_test(&source, &train, &test, &why)) {
        *classes = test.classes;
        *count = test.count;
    }
    CU_ASSERT_EQUAL(test.pixels == NULL, test.count == 0);
    dataset_free(&train);
    dataset_free(&test);
    return why.text;
}

/* --- arrays -------------------------------------------------------------- */

/* Four training images of 4 x 4 and labels 0 to 3. */
static void write_training(char folder[PATH_BYTES], const char *name)
{
    unsigned char data[64] = {0, 1, 2, 3};

    mkdir(scratch_path(folder, name), 0700);
    write_npy(folder, "train_images.npy", "|u1", "(4, 4, 4)", data, 64);
    write_npy(folder, "train_labels.npy", "|u1", "(4,)", data, 4);
}

/* The same with two test images of this shape and these labels. */
static const char *arrays(const char *name, const char *shape, size_t bytes,
                          unsigned char label, unsigned char other,
                          int *classes)
{
    unsigned char data[200] = {label, other};
    char folder[PATH_BYTES];
    size_t count;

    write_training(folder, name);
    write_npy(folder, "test_images.npy", "|u1", shape, data, bytes);
    write_npy(folder, "test_labels.npy", "|u1", "(2,)", data, 2);
    return read_both("npy", folder, classes, &count);
}

/* Test images of another size or number of channels: the message says what
 * would help. */
static void arrays_differ(void)
{
    int classes = 0;

    CU_ASSERT_STRING_EQUAL(arrays("small", "(2, 2, 2)", 8, 0, 1, &classes),
                           "the test images are 2 x 2, the training images "
                           "4 x 4; --resize makes them equal");
    CU_ASSERT_STRING_EQUAL(arrays("big", "(2, 8, 4)", 64, 0, 1, &classes),
                           "the test images are 4 x 8, the training images "
                           "4 x 4; --resize makes them equal");
    CU_ASSERT_STRING_EQUAL(arrays("rgb", "(2, 4, 4, 3)", 96, 0, 1, &classes),
                           "the test images have 3 channels, the training "
                           "images 1");
    CU_ASSERT_STRING_EQUAL(arrays("labels", "(2, 4, 4)", 32, 0, 4, &classes),
                           "the test labels are 0 to 4, the training labels "
                           "0 to 3");
    /* Fewer labels are no defect: the classes are those of the training. */
    CU_ASSERT_STRING_EQUAL(arrays("fewer", "(2, 4, 4)", 32, 0, 1, &classes),
                           "");
    CU_ASSERT_EQUAL(classes, 4);
}

/* --- folders ------------------------------------------------------------- */

/* Pictures of 3 x 3 in the classes, whose names are separated by blanks. */
static void write_split(const char *folder, const char *split,
                        const char *classes, int side, int channels)
{
    char path[PATH_BYTES], list[80], *rest = list;

    mkdir(join_path(path, folder, split), 0700);
    snprintf(list, sizeof list, "%s", classes);
    for (char *name; (name = strsep(&rest, " "));)
        write_picture(path, name, "a.png", side, side, channels);
}

/* A set of folders with these classes. */
static const char *folders(const char *name, const char *train,
                           const char *test, int side, int channels)
{
    char folder[PATH_BYTES];
    size_t count;
    int classes;

    mkdir(scratch_path(folder, name), 0700);
    write_split(folder, "train", train, 3, 1);
    write_split(folder, "test", test, side, channels);
    return read_both("pictures", folder, &classes, &count);
}

/* Classes that only one of the two parts has are named. */
static void folders_differ(void)
{
    char path[PATH_BYTES], train[PATH_BYTES];
    int classes;
    size_t count;

    CU_ASSERT_STRING_EQUAL(folders("lacks", "cat dog fox", "cat fox", 3, 1),
                           "the test data have 2 classes, the training data 3: "
                           "\"dog\" is in the training data only");
    CU_ASSERT_STRING_EQUAL(folders("more", "cat dog", "cat dog eel", 3, 1),
                           "the test data have 3 classes, the training data 2: "
                           "\"eel\" is in the test data only");
    CU_ASSERT_STRING_EQUAL(folders("other", "cat dog fox", "ant cat fox", 3, 1),
                           "the test data have a class \"ant\" where the "
                           "training data have \"dog\"");
    CU_ASSERT_STRING_EQUAL(folders("side", "cat dog", "cat dog", 4, 1),
                           "the test images are 4 x 4, the training images "
                           "3 x 3; --resize makes them equal");
    CU_ASSERT_STRING_EQUAL(folders("color", "cat dog", "cat dog", 3, 3),
                           "the test images have 3 channels, the training "
                           "images 1");
    CU_ASSERT_STRING_EQUAL(folders("equal", "cat dog", "cat dog", 3, 1), "");
    /* Gray pictures become color where the training pictures are. */
    CU_ASSERT_STRING_EQUAL(folders("mixed", "cat dog", "cat dog", 3, 1), "");
    write_picture(scratch_path(train, "mixed/train"), "dog", "b.png", 3, 3, 3);
    CU_ASSERT_STRING_EQUAL(read_both("pictures", scratch_path(path, "mixed"),
                                     &classes, &count), "");
}

/* A missing test split is an empty one; half of one is an error. */
static void absent(void)
{
    char folder[PATH_BYTES], path[PATH_BYTES];
    unsigned char label = 0;
    int classes = -1;
    size_t count = 9;

    mkdir(scratch_path(folder, "alone"), 0700);
    write_split(folder, "train", "cat dog", 3, 1);
    CU_ASSERT_STRING_EQUAL(read_both("pictures", folder, &classes, &count), "");
    CU_ASSERT_EQUAL(count, 0);
    mkdir(join_path(path, folder, "test"), 0700);
    CU_ASSERT(strstr(read_both("pictures", folder, &classes, &count),
                     "test: contains no folder of a class") != NULL);
    write_training(folder, "half");
    CU_ASSERT_STRING_EQUAL(read_both("npy", folder, &classes, &count), "");
    write_npy(folder, "test_labels.npy", "|u1", "(1,)", &label, 1);
    CU_ASSERT(strstr(read_both("npy", folder, &classes, &count),
                     "test_images.npy: No such file") != NULL);
}

CU_TestInfo fit_tests[] = {{"arrays", arrays_differ},
                           {"folders of classes", folders_differ},
                           {"no test data", absent},
                           CU_TEST_INFO_NULL};
