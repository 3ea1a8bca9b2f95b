/* SPDX-License-Identifier: MIT */
/* Every input format, and every kind of invalid file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "common/base/tests/scratch.h"
#include "data_tests.h"
#include "common/base/image.h"

enum { RECORD = 3072 };

static char *join(char path[PATH_BYTES], const char *folder, const char *name)
{
    CU_ASSERT(snprintf(path, PATH_BYTES, "%s/%s", folder, name) < PATH_BYTES);
    return path;
}

/* Create a folder in the scratch folder. */
static char *make_folder(char path[PATH_BYTES], const char *name)
{
    mkdir(scratch_path(path, name), 0700);
    return path;
}

static void write_bytes(const char *folder, const char *name,
                        const void *data, size_t bytes)
{
    char path[PATH_BYTES];
    const size_t length = strlen(name);
    const int packed = length > 3 && !strcmp(name + length - 3, ".gz");
    gzFile file = gzopen(join(path, folder, name), packed ? "wb" : "wbT");

    CU_ASSERT_FATAL(file != NULL);
    CU_ASSERT_EQUAL(gzwrite(file, data, (unsigned)bytes), (int)bytes);
    CU_ASSERT_EQUAL(gzclose(file), Z_OK);
}

static void refuse(const char *name, const char *folder,
                   enum dataset_part part, const char *fragment)
{
    struct failure why = {""};
    struct dataset set;

    CU_ASSERT_FALSE(dataset_read(name, folder, part, &set, &why));
    CU_ASSERT(!set.pixels && !set.labels && !set.names && !set.count);
    expect_message(&why, folder ? folder : name, fragment);
}

static void unknown(void)
{
    refuse("imagenet", NULL, DATASET_TRAIN, "there are: fashion-mnist, cifar");
    refuse("cifar-10", NULL, DATASET_TRAIN, "needs the folder");
}

/* --- CIFAR --------------------------------------------------------------- */

/* Two records with `labels` bytes before the pixels. */
static size_t two_records(unsigned char *to, size_t labels)
{
    const size_t record = labels + RECORD;

    for (size_t i = 0; i < 2 * record; i++) to[i] = (unsigned char)(i * 7);
    for (size_t r = 0; r < 2; r++)
        for (size_t k = 0; k < labels; k++)
            to[r * record + k] = (unsigned char)(3 + r + k);
    return 2 * record;
}

static void cifar10(void)
{
    unsigned char data[2 * (1 + RECORD)];
    const size_t bytes = two_records(data, 1);
    char folder[PATH_BYTES], name[] = "data_batch_1.bin";
    struct dataset set;

    make_folder(folder, "cifar10");
    for (char i = '1'; i <= '5'; i++) {
        name[11] = i;
        write_bytes(folder, name, data, bytes);
    }
    write_bytes(folder, "test_batch.bin.gz", data, bytes);
    CU_ASSERT(dataset_read("cifar-10", folder, DATASET_TRAIN, &set, NULL));
    CU_ASSERT(set.count == 10 && set.channels == 3 && set.width == 32);
    CU_ASSERT(set.labels[8] == 3 && set.labels[9] == 4);
    CU_ASSERT(!memcmp(set.pixels + 9 * RECORD, data + 1 + RECORD + 1, RECORD));
    CU_ASSERT_STRING_EQUAL(set.names[9], "truck");
    dataset_free(&set);
    CU_ASSERT(dataset_read("cifar-10", folder, DATASET_TEST, &set, NULL));
    CU_ASSERT_EQUAL(set.count, 2);
    dataset_free(&set);
    write_bytes(folder, "data_batch_3.bin", data, bytes - 1);
    refuse("cifar-10", folder, DATASET_TRAIN,
           "data_batch_3.bin: byte 3073: the last record is truncated");
    data[1 + RECORD] = 10;
    write_bytes(folder, "data_batch_3.bin", data, bytes);
    refuse("cifar-10", folder, DATASET_TRAIN,
           "data_batch_3.bin: byte 3073: label 10, but there are 10");
    write_bytes(folder, "data_batch_2.bin", data, 0);
    refuse("cifar-10", folder, DATASET_TRAIN, "the file is empty");
}

static void cifar100(void)
{
    unsigned char data[2 * (2 + RECORD)];
    const size_t bytes = two_records(data, 2);
    char folder[PATH_BYTES];
    struct dataset set;

    make_folder(folder, "cifar100");
    data[1] = 99; /* the fine label, after the coarse one */
    write_bytes(folder, "test.bin", data, bytes);
    CU_ASSERT(dataset_read("cifar-100", folder, DATASET_TEST, &set, NULL));
    CU_ASSERT(set.count == 2 && set.labels[0] == 99 && set.labels[1] == 5);
    CU_ASSERT(!memcmp(set.pixels, data + 2, RECORD));
    dataset_free(&set);
    refuse("cifar-100", folder, DATASET_TRAIN, "No such file");
    data[1] = 100;
    write_bytes(folder, "test.bin", data, bytes);
    refuse("cifar-100", folder, DATASET_TEST, "byte 1: label 100");
}

/* --- NumPy --------------------------------------------------------------- */

/* A file as numpy.save() writes it, the header padded to a multiple of 64. */
static size_t npy(unsigned char *to, const char *type, const char *shape,
                  const void *data, size_t bytes)
{
    char *header = (char *)to + 10;
    int length;

    memcpy(to, "\x93NUMPY\1\0", 8);
    length = sprintf(header, "{'descr': '%s', 'fortran_order': False, "
                     "'shape': %s, }", type, shape);
    memset(header + length, ' ', 118 - (size_t)length);
    header[117] = '\n';
    to[8] = 118;
    to[9] = 0;
    memcpy(to + 128, data, bytes);
    return 128 + bytes;
}

static void write_npy(const char *folder, const char *name, const char *type,
                      const char *shape, size_t bytes)
{
    unsigned char data[64], file[256];

    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(i % 8 ? 0 : 1 + i / 8);
    write_bytes(folder, name, file, npy(file, type, shape, data, bytes));
}

static void numpy(void)
{
    char folder[PATH_BYTES];
    struct dataset set;

    make_folder(folder, "npy");
    write_npy(folder, "train_images.npy", "|u1", "(2, 3, 4)", 24);
    write_npy(folder, "train_labels.npy", "<i8", "(2,)", 16);
    CU_ASSERT_FATAL(dataset_read("npy", folder, DATASET_TRAIN, &set, NULL));
    CU_ASSERT(set.count == 2 && set.channels == 1 && set.height == 3 &&
              set.width == 4 && set.classes == 3);
    CU_ASSERT(set.labels[0] == 1 && set.labels[1] == 2);
    CU_ASSERT(set.pixels[0] == 1 && set.pixels[16] == 3);
    dataset_free(&set);
    /* NHWC: byte 8 is the last of 3 channels of pixel 2 */
    write_npy(folder, "train_images.npy", "|u1", "(2, 2, 2, 3)", 24);
    CU_ASSERT_FATAL(dataset_read("npy", folder, DATASET_TRAIN, &set, NULL));
    CU_ASSERT(set.channels == 3 && set.height == 2);
    CU_ASSERT(set.pixels[2 * 4 + 2] == 2);
    dataset_free(&set);
}

static void bad_numpy(void)
{
    char folder[PATH_BYTES];

    make_folder(folder, "badnpy");
    write_bytes(folder, "train_images.npy", "\x93NUMPX\1\0\0\0\0\0", 12);
    refuse("npy", folder, DATASET_TRAIN, "not a NumPy file");
    write_bytes(folder, "train_images.npy", "\x93NUMPY\1\0\xff\xff{}", 12);
    refuse("npy", folder, DATASET_TRAIN, "a header of 65535 bytes");
    write_npy(folder, "train_images.npy", "|u1", "(2, 3, 4)", 23);
    refuse("npy", folder, DATASET_TRAIN, "byte 128: the shape needs 24");
    write_npy(folder, "train_images.npy", "<f4", "(1, 2, 2)", 16);
    refuse("npy", folder, DATASET_TRAIN, "elements are <f4");
    write_npy(folder, "train_images.npy", "|u1", "(9, 2)", 18);
    refuse("npy", folder, DATASET_TRAIN, "images need the shape");
    write_npy(folder, "train_images.npy", "|u1", "(1, 1, 1, 1, 1)", 1);
    refuse("npy", folder, DATASET_TRAIN, "a shape of 1 to 4 dim");
    write_npy(folder, "train_images.npy", "|u1", "(2, 2, 2)", 8);
    write_npy(folder, "train_labels.npy", "<i8", "(3,)", 24);
    refuse("npy", folder, DATASET_TRAIN, "has 3 labels in 1 dimensions");
    write_npy(folder, "train_labels.npy", "<i4", "(2,)", 8);
    write_npy(folder, "train_images.npy", "|u1", "(2, 1, 1)", 2);
    write_bytes(folder, "train_labels.npy.gz", "", 0);
    refuse("npy", folder, DATASET_TRAIN, "train_labels.npy.gz: the file is");
}

/* --- folders of PNG ------------------------------------------------------ */

static void write_image(const char *folder, const char *class,
                        const char *name, int side, int channels)
{
    char path[PATH_BYTES], file[PATH_BYTES];
    struct image image;

    mkdir(join(path, folder, class), 0700);
    CU_ASSERT(image_make(&image, side, side, channels, NULL));
    for (size_t i = 0; i < image_bytes(&image); i++)
        image.data[i] = (unsigned char)(i + 1);
    CU_ASSERT(image_write(join(file, path, name), &image, NULL));
    image_free(&image);
}

static void folders(void)
{
    char folder[PATH_BYTES], train[PATH_BYTES];
    struct dataset set;

    make_folder(folder, "png");
    mkdir(join(train, folder, "train"), 0700);
    refuse("png", folder, DATASET_TRAIN, "train: the folder is empty");
    write_image(train, "cat", "b.png", 5, 3);
    write_image(train, "cat", "c.png", 5, 1);
    write_image(train, "ant", "a.png", 5, 4);
    CU_ASSERT_FATAL(dataset_read("png", folder, DATASET_TRAIN, &set, NULL));
    CU_ASSERT(set.count == 3 && set.channels == 3 && set.classes == 2);
    CU_ASSERT(set.labels[0] == 0 && set.labels[1] == 1);
    CU_ASSERT_STRING_EQUAL(set.names[1], "cat");
    CU_ASSERT(set.pixels[0] == 1 && set.pixels[25] == 2); /* r, g of ant */
    CU_ASSERT(set.pixels[1] == 5); /* alpha is dropped */
    CU_ASSERT(set.pixels[75] == 1 && set.pixels[76] == 4); /* cat/b */
    /* gray, repeated */
    CU_ASSERT(set.pixels[150] == 1 && set.pixels[175] == 1);
    dataset_free(&set);
    refuse("png", folder, DATASET_TEST, "test: No such file");
    write_image(train, "dog", "d.png", 6, 3);
    refuse("png", folder, DATASET_TRAIN, "d.png: is 6 x 6, earlier images are");
}

static void gray_first(void)
{
    char folder[PATH_BYTES], train[PATH_BYTES];
    struct dataset set;

    make_folder(folder, "gray");
    mkdir(join(train, folder, "train"), 0700);
    for (int i = 0; i < 70; i++) { /* more than the initial capacity */
        char name[32];

        snprintf(name, sizeof name, "%02d.png", i);
        write_image(train, "ant", name, 3, 1);
    }
    CU_ASSERT_FATAL(dataset_read("png", folder, DATASET_TRAIN, &set, NULL));
    CU_ASSERT(set.count == 70 && set.channels == 1);
    CU_ASSERT(set.pixels[69 * 9 + 8] == 9);
    dataset_free(&set);
    write_image(train, "bee", "x.png", 3, 3);
    refuse("png", folder, DATASET_TRAIN, "x.png: is in color");
}

/* --- generated ----------------------------------------------------------- */

static void generated(void)
{
    struct dataset set, again;

    CU_ASSERT_FATAL(
        dataset_read("lookalike-cifar", NULL, DATASET_TEST, &set, NULL));
    CU_ASSERT(set.channels == 3 && set.height == 32 && set.classes == 10);
    CU_ASSERT_FATAL(
        dataset_read("lookalike-cifar", NULL, DATASET_TEST, &again, NULL));
    CU_ASSERT(!memcmp(set.pixels, again.pixels,
                      set.count * dataset_pixels(&set)));
    dataset_free(&again);
    CU_ASSERT_FATAL(
        dataset_read("lookalike", NULL, DATASET_TRAIN, &again, NULL));
    CU_ASSERT(again.channels == 1 && again.width == 28);
    CU_ASSERT_STRING_EQUAL(again.names[9], "ankle boot");
    dataset_free(&again);
    dataset_free(&set);
}

CU_TestInfo reader_tests[] = {
    {"unknown sets", unknown},
    {"CIFAR-10", cifar10},
    {"CIFAR-100", cifar100},
    {"NumPy", numpy},
    {"bad NumPy files", bad_numpy},
    {"folders of PNG", folders},
    {"gray PNG", gray_first},
    {"generated sets", generated},
    CU_TEST_INFO_NULL};
