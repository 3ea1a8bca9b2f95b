/* SPDX-License-Identifier: MIT */
/** @file
 *  Data sets of labeled images of one size, read from several file formats.
 *  Host only.
 *
 *  | name | files in the folder |
 *  | --- | --- |
 *  | `fashion-mnist` | four IDX files, gzipped (fashion.h); a default folder |
 *  | `cifar-10` | `data_batch_1.bin` to `_5.bin`, `test_batch.bin` |
 *  | `cifar-100` | `train.bin`, `test.bin`; the fine labels |
 *  | `png` | `train/CLASS/NAME.png`, `test/CLASS/NAME.png` |
 *  | `npy` | `train_images.npy`, `train_labels.npy`, `test_...` |
 *  | `lookalike` | none: synthetic, 1 x 28 x 28 |
 *  | `lookalike-cifar` | none: synthetic, 3 x 32 x 32 |
 *
 *  Each binary file may be compressed with gzip under the same name. */
#ifndef DATASET_H
#define DATASET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/failure.h"

enum {
    DATASET_MAX_CLASSES = 256, /**< at most; labels are bytes */
    DATASET_NAME_BYTES = 32    /**< bytes of a class's name, its end included */
};

/** The two splits of every data set. */
enum dataset_part { DATASET_TRAIN, DATASET_TEST };

/** Images and their labels.  All zero is an empty data set. */
struct dataset {
    size_t count;                /**< images */
    int channels, height, width; /**< of each image */
    int classes;                 /**< number of classes; each label is below
                                      it */
    unsigned char *pixels;       /**< [count][channels][height][width], owned */
    unsigned char *labels;       /**< [count], owned */
    char (*names)[DATASET_NAME_BYTES]; /**< class names, owned; NULL: none */
};

/** Read one split of a data set.
 *
 *  @param      name     a name from the table above
 *  @param      folder   folder of the files; NULL for the default folder
 *  @param      part     training or test split
 *  @param[out] set      owned by the caller; all zero after a failure
 *  @param[out] failure  the message, or NULL
 *  @return false with a message that begins with a file's path, and with the
 *          byte offset in its (uncompressed) content where that helps: missing,
 *          truncated, trailing bytes, a label out of range, images of different
 *          sizes; for an unknown name the message lists the names */
bool dataset_read(const char *name, const char *folder,
                  enum dataset_part part, struct dataset *set,
                  struct failure *failure);

/** Values of one image: channels * height * width. */
size_t dataset_pixels(const struct dataset *set);

/** Allocate pixels and labels for `count` images; the sizes must be set.
 *  @param      path     begins the message
 *  @param[out] failure  the message, or NULL
 *  @return false when there is no memory, or a size is 0 or too large */
bool dataset_allocate(struct dataset *set, size_t count, const char *path,
                      struct failure *failure);

/** Split a data set at random: a fraction of it is moved to `held_out`.
 *
 *  @param[in,out] set       keeps the other images, in their order
 *  @param         fraction  0 to 1; rounded to whole images
 *  @param         seed      the same seed chooses the same images
 *  @param[out]    held_out  owned by the caller
 *  @param[out]    failure   the message, or NULL
 *  @return false without memory; `set` is then unchanged */
bool dataset_split(struct dataset *set, double fraction, uint64_t seed,
                   struct dataset *held_out, struct failure *failure);

/** Keep only the first `count` images, if there are more. */
void dataset_truncate(struct dataset *set, size_t count);

/** Mean and standard deviation of each channel, for pixels from 0 to 1.
 *  @param[out] mean  `channels` values
 *  @param[out] std   `channels` values; 1 where all pixels are equal */
void dataset_statistics(const struct dataset *set, float *mean, float *std);

/** The name of a class, "ankle boot", or "class 9" if the set has no names.
 *  @param[out] text  buffer; the result may point to it */
const char *dataset_class_name(const struct dataset *set, int label,
                               char text[DATASET_NAME_BYTES]);

/** Free pixels, labels and names; the set is then empty. */
void dataset_free(struct dataset *set);

#endif
