/* SPDX-License-Identifier: MIT */
/* A set of so few images that looking at the test set takes no time. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/data/random_bits.h"
#include "train_tests.h"

enum { IMAGES = 160, SIDE = 28 };

/* An array of bytes in NumPy's format. */
static void put_npy(const char *name, const char *shape, const void *data,
                    size_t bytes)
{
    static char text[200 + IMAGES * SIDE * SIDE];
    char path[PATH_BYTES];
    const int length =
        sprintf(text, "\x93NUMPY\x01%c%c%c{'descr': '|u1', 'fortran_order': "
                      "False, 'shape': (%s), }", 0, 118, 0, shape);

    memset(text + length, ' ', (size_t)(128 - length));
    text[127] = '\n';
    memcpy(text + 128, data, bytes);
    scratch_file(path, name, text, 128 + bytes);
}

/* A pattern for each class under noise, as grader/bench/train-fixture has
 * it. */
static void put_images(void)
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
    put_npy("train_images.npy", "160, 28, 28", pixels, sizeof pixels);
    put_npy("train_labels.npy", "160,", labels, sizeof labels);
    put_npy("test_images.npy", "10, 28, 28", pixels, sizeof *pixels * 10);
    put_npy("test_labels.npy", "10,", labels, 10);
}

const char *small_set(void)
{
    static char words[PATH_BYTES];
    char folder[PATH_BYTES];

    if (!*words)
        put_images();
    snprintf(words, sizeof words, "--data npy --folder %s",
             scratch(folder, ""));
    return words;
}
