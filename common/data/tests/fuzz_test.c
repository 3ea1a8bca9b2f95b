/* SPDX-License-Identifier: MIT */
/* Bounded fuzz tests of the readers: seeded mutations of valid files.  A
 * reader must return a data set whose labels are in range, or a one-line
 * message; ASan and UBSan find invalid accesses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/base/tests/scratch.h"
#include "data_tests.h"
#include "common/data/fashion.h"
#include "common/data/random_bits.h"

enum { ROUNDS = 300, FILE_BYTES = 8192 };

/** A valid file of `bytes` bytes, and the data set that reads it. */
struct seed_file {
    const char *set, *file;
    unsigned char data[FILE_BYTES];
    size_t bytes;
};

/* One to four bytes change. */
static void mutate(unsigned char *data, size_t *bytes, uint64_t *state)
{
    const uint64_t changes = 1 + random_below(state, 4);

    for (uint64_t i = 0; i < changes; i++) {
        /* headers are short: half of the mutations hit the first 140 bytes */
        const size_t reach = random_below(state, 2) || *bytes < 140
                                 ? *bytes : 140;

        if (reach) data[random_below(state, reach)] =
            (unsigned char)random_bits(state);
    }
    if (random_below(state, 3) == 0)
        *bytes = (size_t)random_below(state, *bytes + 1);
}

/* Either a message of one line, or a set whose labels are in range. */
static void check_set(const char *name, const char *folder)
{
    struct failure why = {""};
    struct dataset set;

    if (!read_part(name, folder, DATASET_TEST, &set, &why)) {
        CU_ASSERT(why.text[0] && !strchr(why.text, '\n'));
        return;
    }
    CU_ASSERT(set.count > 0 && set.classes <= DATASET_MAX_CLASSES);
    for (size_t i = 0; i < set.count; i++)
        CU_ASSERT(set.labels[i] < set.classes);
    dataset_free(&set);
}

/* The same mutations in each run: the seed is fixed. */
static void fuzz(const struct seed_file *seed)
{
    char folder[PATH_BYTES], path[PATH_BYTES + 64];
    uint64_t state = 1;

    scratch_path(folder, "fuzz");
    mkdir(folder, 0700);
    snprintf(path, sizeof path, "%s/%s", folder, seed->file);
    for (int i = 0; i < ROUNDS; i++) {
        unsigned char data[FILE_BYTES];
        size_t bytes = seed->bytes;
        FILE *file = fopen(path, "wb");

        CU_ASSERT_FATAL(file != NULL);
        memcpy(data, seed->data, bytes);
        if (i) mutate(data, &bytes, &state); /* the first one is valid */
        CU_ASSERT_EQUAL(fwrite(data, 1, bytes, file), bytes);
        fclose(file);
        check_set(seed->set, folder);
    }
    remove(path);
}

/* Both formats of CIFAR. */
static void fuzz_cifar(void)
{
    static struct seed_file seed = {.set = "cifar-10",
                                    .file = "test_batch.bin", .bytes = 6146};

    fuzz(&seed);
    seed.set = "cifar-100";
    seed.file = "test.bin";
    seed.bytes = 6148;
    fuzz(&seed);
}

/* Mutates the label file while the image file is valid, and vice versa. */
static void fuzz_npy(void)
{
    static const char images[] =
        "\x93NUMPY\1\0\x3a\0{'descr': '|u1', 'fortran_order': False, "
        "'shape': (2, 2, 2)}\n........";
    static const char labels[] =
        "\x93NUMPY\1\0\x37\0{'descr': '|u1', 'fortran_order': False, "
        "'shape': (2,)}\n\1\2";
    struct seed_file seed = {.set = "npy", .file = "test_labels.npy"};
    char folder[PATH_BYTES], path[PATH_BYTES];
    FILE *file;

    mkdir(scratch_path(folder, "fuzz"), 0700);
    seed.bytes = sizeof labels - 1;
    memcpy(seed.data, labels, seed.bytes);
    fuzz(&seed);
    file = fopen(scratch_path(path, "fuzz/test_labels.npy"), "wb");
    CU_ASSERT_FATAL(file != NULL);
    fwrite(labels, 1, sizeof labels - 1, file);
    fclose(file);
    seed.file = "test_images.npy";
    seed.bytes = sizeof images - 1;
    memcpy(seed.data, images, seed.bytes);
    fuzz(&seed);
}

/* IDX without gzip: its checksum would reject nearly all mutations. */
static void fuzz_idx(void)
{
    static const unsigned char head[] = {0, 0, 8, 1, 0, 0, 0, 9};
    char path[PATH_BYTES];
    uint64_t state = 7;

    for (int i = 0; i < ROUNDS; i++) {
        unsigned char data[64] = {0};
        struct failure why = {""};
        struct idx idx;
        size_t bytes = 17;

        memcpy(data, head, sizeof head);
        mutate(data, &bytes, &state);
        if (idx_read(scratch_file(path, "fuzz.idx", data, bytes), 1, &idx,
                     &why))
            CU_ASSERT(idx_count(&idx) + 8 == bytes)
        else
            CU_ASSERT(why.text[0] && !strchr(why.text, '\n'));
        idx_free(&idx);
    }
}

CU_TestInfo fuzz_tests[] = {
    {"CIFAR", fuzz_cifar},
    {"NumPy", fuzz_npy},
    {"IDX", fuzz_idx},
    CU_TEST_INFO_NULL};
