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

/* Create a folder in the scratch folder. */
static char *make_folder(char path[PATH_BYTES], const char *name)
{
    mkdir(scratch_path(path, name), 0700);
    return path;
}

/* Compressed if the name says so. */
static void write_bytes(const char *folder, const char *name,
                        const void *data, size_t bytes)
{
    char path[PATH_BYTES];
    const size_t length = strlen(name);
    const int packed = length > 3 && !strcmp(name + length - 3, ".gz");
    gzFile file = gzopen(join_path(path, folder, name), packed ? "wb" : "wbT");

    CU_ASSERT_FATAL(file != NULL);
    CU_ASSERT_EQUAL(gzwrite(file, data, (unsigned)bytes), (int)bytes);
    CU_ASSERT_EQUAL(gzclose(file), Z_OK);
}

/* Reading fails, with this in the message, and leaves no memory. */
static void refuse(const char *name, const char *folder,
                   enum dataset_part part, const char *fragment)
{
    struct failure why = {""};
    struct dataset set;

    CU_ASSERT_FALSE(read_part(name, folder, part, &set, &why));
    CU_ASSERT(!set.pixels && !set.labels && !set.names && !set.count);
    expect_message(&why, folder ? folder : name, fragment);
}

/* The known names are listed. */
static void unknown(void)
{
    refuse("imagenet", NULL, DATASET_TRAIN, "there are: fashion-mnist, mnist");
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

/* Five files of training data in their order. */
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
    CU_ASSERT(read_part("cifar-10", folder, DATASET_TRAIN, &set, NULL));
    CU_ASSERT(set.count == 10 && set.channels == 3 && set.width == 32);
    CU_ASSERT(set.labels[8] == 3 && set.labels[9] == 4);
    CU_ASSERT(!memcmp(set.pixels + 9 * RECORD, data + 1 + RECORD + 1, RECORD));
    CU_ASSERT_STRING_EQUAL(set.names[9], "truck");
    dataset_free(&set);
    CU_ASSERT(read_part("cifar-10", folder, DATASET_TEST, &set, NULL));
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

/* The second label byte is the class. */
static void cifar100(void)
{
    unsigned char data[2 * (2 + RECORD)];
    const size_t bytes = two_records(data, 2);
    char folder[PATH_BYTES];
    struct dataset set;

    make_folder(folder, "cifar100");
    data[1] = 99; /* the fine label, after the coarse one */
    write_bytes(folder, "test.bin", data, bytes);
    CU_ASSERT(read_part("cifar-100", folder, DATASET_TEST, &set, NULL));
    CU_ASSERT(set.count == 2 && set.labels[0] == 99 && set.labels[1] == 5);
    CU_ASSERT_STRING_EQUAL(set.names[0], "apple");
    CU_ASSERT_STRING_EQUAL(set.names[50], "mouse");
    CU_ASSERT_STRING_EQUAL(set.names[99], "worm");
    CU_ASSERT(!memcmp(set.pixels, data + 2, RECORD));
    dataset_free(&set);
    refuse("cifar-100", folder, DATASET_TRAIN, "No such file");
    data[1] = 100;
    write_bytes(folder, "test.bin", data, bytes);
    refuse("cifar-100", folder, DATASET_TEST, "byte 1: label 100");
}

/* --- NumPy --------------------------------------------------------------- */

/* Elements of 8 bytes that count from 1. */
static void write_counting(const char *folder, const char *name,
                           const char *type, const char *shape, size_t bytes)
{
    static unsigned char data[4104];

    CU_ASSERT_FATAL(bytes <= sizeof data);
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(i % 8 ? 0 : (1 + i / 8) % 256);
    write_npy(folder, name, type, shape, data, bytes);
}

/* Images of one channel; labels of 64 bits. */
static void numpy(void)
{
    char folder[PATH_BYTES];
    struct dataset set;

    make_folder(folder, "npy");
    write_counting(folder, "train_images.npy", "|u1", "(2, 3, 4)", 24);
    write_counting(folder, "train_labels.npy", "<i8", "(2,)", 16);
    CU_ASSERT_FATAL(read_part("npy", folder, DATASET_TRAIN, &set, NULL));
    CU_ASSERT(set.count == 2 && set.channels == 1 && set.height == 3 &&
              set.width == 4 && set.classes == 3);
    CU_ASSERT(set.labels[0] == 1 && set.labels[1] == 2);
    CU_ASSERT(set.pixels[0] == 1 && set.pixels[16] == 3);
    dataset_free(&set);
    /* NHWC: byte 8 is the last of 3 channels of pixel 2 */
    write_counting(folder, "train_images.npy", "|u1", "(2, 2, 2, 3)", 24);
    CU_ASSERT_FATAL(read_part("npy", folder, DATASET_TRAIN, &set, NULL));
    CU_ASSERT(set.channels == 3 && set.height == 2);
    CU_ASSERT(set.pixels[2 * 4 + 2] == 2);
    dataset_free(&set);
    /* Keras keeps the labels of CIFAR as a column. */
    write_counting(folder, "train_labels.npy", "<i8", "(2, 1)", 16);
    CU_ASSERT_FATAL(read_part("npy", folder, DATASET_TRAIN, &set, NULL));
    CU_ASSERT(set.labels[0] == 1 && set.labels[1] == 2);
    dataset_free(&set);
}

/* Headers that are cut off, sizes that contradict them, other types. */
static void bad_numpy(void)
{
    char folder[PATH_BYTES];

    make_folder(folder, "badnpy");
    write_bytes(folder, "train_images.npy", "\x93NUMPX\1\0\0\0\0\0", 12);
    refuse("npy", folder, DATASET_TRAIN, "not a NumPy file");
    write_bytes(folder, "train_images.npy", "\x93NUMPY\1\0\xff\xff{}", 12);
    refuse("npy", folder, DATASET_TRAIN, "a header of 65535 bytes");
    write_counting(folder, "train_images.npy", "|u1", "(2, 3, 4)", 23);
    refuse("npy", folder, DATASET_TRAIN, "byte 128: the shape needs 24");
    write_counting(folder, "train_images.npy", "|u1", "(2, 3, 4)", 25);
    refuse("npy", folder, DATASET_TRAIN, "elements, the file has 25");
    write_counting(folder, "train_images.npy",
                   "|u1', 'fortran_order': True, '': '", "(2, 3, 4)", 24);
    refuse("npy", folder, DATASET_TRAIN, "column-major (fortran_order)");
    write_counting(folder, "train_images.npy", "<f4", "(1, 2, 2)", 16);
    refuse("npy", folder, DATASET_TRAIN, "elements are <f4");
    write_counting(folder, "train_images.npy", "|O", "(1,)", 29);
    refuse("npy", folder, DATASET_TRAIN, "elements are |O; numbers are needed");
    write_counting(folder, "train_images.npy", "<U3", "(1,)", 12);
    refuse("npy", folder, DATASET_TRAIN, "elements are <U3; numbers");
    write_counting(folder, "train_images.npy", "|u1", "(1, 4097, 1)", 4097);
    refuse("npy", folder, DATASET_TRAIN, "images have at most 4096 rows");
    write_counting(folder, "train_images.npy", "|u1", "(9, 2)", 18);
    refuse("npy", folder, DATASET_TRAIN, "images need the shape");
    write_counting(folder, "train_images.npy", "|u1", "(1, 1, 1, 1, 1)", 1);
    refuse("npy", folder, DATASET_TRAIN, "a shape of 1 to 4 dim");
    write_counting(folder, "train_images.npy", "|u1", "(2, 2, 2)", 8);
    write_counting(folder, "train_labels.npy", "<i8", "(3,)", 24);
    refuse("npy", folder, DATASET_TRAIN, "has 3 labels in 1 dimensions");
    write_npy(folder, "train_labels.npy", "|i1", "(2,)", "\0\xff", 2);
    refuse("npy", folder, DATASET_TRAIN, "byte 129: label -1 is not in 0 to");
    write_counting(folder, "train_labels.npy", "<i4", "(2,)", 8);
    write_counting(folder, "train_images.npy", "|u1", "(2, 1, 1)", 2);
    write_bytes(folder, "train_labels.npy.gz", "", 0);
    refuse("npy", folder, DATASET_TRAIN, "train_labels.npy.gz: the file is");
}

/* --- IDX, not compressed -------------------------------------------------- */

/* One image of MNIST's size and its label. */
static void write_digits(const char *folder, const char *images,
                         const char *labels)
{
    unsigned char pixels[16 + 784] = {0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 0, 28,
                                      0, 0, 0, 28, 200};
    unsigned char label[] = {0, 0, 8, 1, 0, 0, 0, 1, 7};

    write_bytes(folder, images, pixels, sizeof pixels);
    write_bytes(folder, labels, label, sizeof label);
}

/* MNIST's files, not compressed. */
static void unpacked_idx(void)
{
    char folder[PATH_BYTES];
    struct dataset set;

    make_folder(folder, "idx");
    write_digits(folder, "train-images-idx3-ubyte", "train-labels-idx1-ubyte");
    CU_ASSERT_FATAL(read_part("mnist", folder, DATASET_TRAIN, &set, NULL));
    CU_ASSERT(set.count == 1 && set.labels[0] == 7 && set.pixels[0] == 200);
    CU_ASSERT_STRING_EQUAL(set.names[7], "7");
    dataset_free(&set);
    CU_ASSERT_FATAL(
        read_part("fashion-mnist", folder, DATASET_TRAIN, &set, NULL));
    CU_ASSERT_STRING_EQUAL(set.names[7], "sneaker");
    dataset_free(&set);
    refuse("mnist", folder, DATASET_TEST, "idx3-ubyte.gz: No such file");
    write_digits(folder, "t10k-images.idx3-ubyte", "t10k-labels.idx1-ubyte");
    CU_ASSERT_FATAL(read_part("mnist", folder, DATASET_TEST, &set, NULL));
    CU_ASSERT_EQUAL(set.count, 1);
    dataset_free(&set);
}

/* --- generated ----------------------------------------------------------- */

/* Generated sets are the same in each run. */
static void generated(void)
{
    struct dataset set, again;

    CU_ASSERT_FATAL(
        read_part("lookalike-cifar", NULL, DATASET_TEST, &set, NULL));
    CU_ASSERT(set.channels == 3 && set.height == 32 && set.classes == 10);
    CU_ASSERT_FATAL(
        read_part("lookalike-cifar", NULL, DATASET_TEST, &again, NULL));
    CU_ASSERT(!memcmp(set.pixels, again.pixels,
                      set.count * dataset_pixels(&set)));
    dataset_free(&again);
    CU_ASSERT_FATAL(
        read_part("lookalike", NULL, DATASET_TRAIN, &again, NULL));
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
    {"unpacked IDX", unpacked_idx},
    {"generated sets", generated},
    CU_TEST_INFO_NULL};
