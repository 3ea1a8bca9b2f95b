/* SPDX-License-Identifier: MIT */
/* A data set so small that evaluating the test set takes no time. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/data/random_bits.h"
#include "train_tests.h"

enum { IMAGES = 160, SIDE = 28 };

/* Write an array of bytes in NumPy's format. */
static void write_npy(const char *name, const char *shape, const void *data,
                      size_t bytes)
{
    static char text[200 + IMAGES * SIDE * SIDE];
    char path[PATH_BYTES];
    const int length =
        sprintf(text,
                "\x93NUMPY\x01%c%c%c{'descr': '|u1', 'fortran_order': "
                "False, 'shape': (%s), }",
                0, 118, 0, shape);

    memset(text + length, ' ', (size_t)(128 - length));
    text[127] = '\n';
    memcpy(text + 128, data, bytes);
    scratch_file(path, name, text, 128 + bytes);
}

/* A pattern for each class plus noise, as in grader/bench/train-fixture. */
static void write_images(void)
{
    static unsigned char pixels[IMAGES][SIDE][SIDE], labels[IMAGES];
    uint64_t state = 20;

    for (int i = 0; i < IMAGES; i++) {
        const int k = i % CLASSES;

        labels[i] = (unsigned char)k;
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++)
                pixels[i][y][x] = (unsigned char)(
                    ((y * (k + 1) + x * (k * k % 7)) * 8 & 127)
                    + (int)(random_bits(&state) >> 57));
    }
    write_npy("train_images.npy", "160, 28, 28", pixels, sizeof pixels);
    write_npy("train_labels.npy", "160,", labels, sizeof labels);
    write_npy("test_images.npy", "10, 28, 28", pixels, sizeof *pixels * 10);
    write_npy("test_labels.npy", "10,", labels, 10);
}

const char *small_set(void)
{
    static char words[PATH_BYTES];
    char folder[PATH_BYTES];

    if (!*words)
        write_images();
    snprintf(words, sizeof words, "--data npy --folder %s",
             scratch_path(folder, ""));
    return words;
}
