/* SPDX-License-Identifier: MIT */
/** @file
 *  Sets of labelled images of one size, whatever files they come from.
 *  Host only.
 *
 *  | name | files in the folder |
 *  | --- | --- |
 *  | `fashion-mnist` | four IDX files, gzipped (fashion.h); a default folder |
 *  | `cifar-10` | `data_batch_1.bin` to `_5.bin`, `test_batch.bin` |
 *  | `cifar-100` | `train.bin`, `test.bin`; the fine labels |
 *  | `png` | `train/CLASS/NAME.png`, `test/CLASS/NAME.png` |
 *  | `npy` | `train_images.npy`, `train_labels.npy`, `test_...` |
 *  | `lookalike` | none: generated, 1 x 28 x 28 |
 *  | `lookalike-cifar` | none: generated, 3 x 32 x 32 |
 *
 *  Each of the binary files may be packed by gzip under the same name.
 */
#ifndef DATASET_H
#define DATASET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"

enum {
    DATASET_CLASSES = 256, /**< at most: labels are bytes */
    DATASET_NAME = 32      /**< bytes of a class's name, its end included */
};

/** The two parts that every set has. */
enum dataset_part { DATASET_TRAIN, DATASET_TEST };

/** Images and their labels.  All zero is an empty set. */
struct dataset {
    size_t count;                /**< images */
    int channels, height, width; /**< of each image */
    int classes;                 /**< labels are below it */
    unsigned char *pixels; /**< [count][channels][height][width], owned */
    unsigned char *labels; /**< [count], owned */
    char (*names)[DATASET_NAME]; /**< of the classes, owned; NULL: none */
};

/** Read one part of a set.
 *
 *  @param      name     from the table above
 *  @param      folder   of the files; NULL where the set has a default
 *  @param      part     which part
 *  @param[out] set      owned by the caller; all zero after a failure
 *  @param[out] failure  the line, or NULL
 *  @return false with a line that begins with a file's path, and names the
 *          offset in its (unpacked) content where that tells something:
 *          missing, cut short, longer than its records, a label out of range,
 *          images of different sizes; or that names the sets there are */
bool dataset_read(const char *name, const char *folder,
                  enum dataset_part part, struct dataset *set,
                  struct failure *failure);

/** Pixels of one image, over all channels. */
size_t dataset_pixels(const struct dataset *set);

/** Make room for `count` images, the other fields of `set` being there.
 *  @param      path     begins the line of a failure
 *  @param[out] failure  the line, or NULL
 *  @return false when there is no memory, or a size is 0 or absurd */
bool dataset_make(struct dataset *set, size_t count, const char *path,
                  struct failure *failure);

/** Part a set in two: the last `share` of a shuffled order goes to `rest`.
 *
 *  @param[in,out] set      keeps the others, in their order
 *  @param         share    0 to 1; rounded to whole images
 *  @param         seed     the same seed chooses the same images
 *  @param[out]    rest     owned by the caller
 *  @param[out]    failure  the line, or NULL
 *  @return false without memory; `set` is then as it was */
bool dataset_split(struct dataset *set, double share, uint64_t seed,
                   struct dataset *rest, struct failure *failure);

/** Keep the first `count` images only, if there are more. */
void dataset_keep(struct dataset *set, size_t count);

/** Mean and standard deviation of each channel, of pixels as 0 to 1.
 *  @param[out] mean   `channels` of them
 *  @param[out] scale  likewise; 1 where all pixels are equal */
void dataset_statistics(const struct dataset *set, float *mean, float *scale);

/** "ankle boot", or "class 9" when the set has no names.
 *  @param[out] text  for those without; the result may point into it */
const char *dataset_class(const struct dataset *set, int label,
                          char text[DATASET_NAME]);

/** Free all and make it an empty set. */
void dataset_free(struct dataset *set);

#endif
