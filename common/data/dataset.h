/* SPDX-License-Identifier: MIT */
/** @file
 *  Data sets of labeled images of one size, read from several file formats.
 *  Host only.
 *
 *  | name | files in the folder |
 *  | --- | --- |
 *  | `fashion-mnist` | four IDX files (fashion.h); a default folder |
 *  | `mnist` | the same files; the classes are the digits |
 *  | `cifar-10` | `data_batch_1.bin` to `_5.bin`, `test_batch.bin` |
 *  | `cifar-100` | `train.bin`, `test.bin`; the fine labels |
 *  | `pictures` | `train/CLASS/NAME.png`, `.jpg` or `.jpeg`; `test/CLASS/...` |
 *  | `png` | another name of `pictures` |
 *  | `npy` | `train_images.npy`, `train_labels.npy`, `test_...` |
 *  | `lookalike` | none: synthetic, 1 x 28 x 28 |
 *  | `lookalike-cifar` | none: synthetic, 3 x 32 x 32 |
 *
 *  Each binary file may be compressed with gzip, its name then ends in ".gz".
 *  The test split may be missing. */
#ifndef DATASET_H
#define DATASET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/failure.h"

enum {
    DATASET_MAX_CLASSES = 256, /**< at most; labels are bytes */
    DATASET_MAX_SIDE = 4096,   /**< rows and columns of an image, at most */
    DATASET_NUMBER_BYTES = 24  /**< bytes of "class 9", its end included */
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
    char **names;                /**< class names of any bytes and length,
                                      owned; NULL: none */
    size_t ignored;              /**< files in class folders that are not
                                      pictures by their names */
};

/** Where images come from, and their size. */
struct dataset_source {
    const char *name;   /**< a name from the table above */
    const char *folder; /**< folder of the files; NULL: the default folder */
    int height, width;  /**< all images are resampled to this size; 0: images
                             keep their size */
    bool is_color;      /**< gray pictures become color, as they do beside a
                             picture in color */
};

/** Read one split of a data set.
 *
 *  @param      source   name, folder and size
 *  @param      part     training or test split
 *  @param[out] set      owned by the caller; all zero after a failure
 *  @param[out] failure  the message, or NULL
 *  @return false with a message that begins with a file's path, and with the
 *          byte offset in its (uncompressed) content where that helps: missing,
 *          truncated, trailing bytes, a label out of range, images of different
 *          sizes; for an unknown name the message lists the names */
bool dataset_read(const struct dataset_source *source, enum dataset_part part,
                  struct dataset *set, struct failure *failure);

/** Is there a training split?  Its files are not read, unless one is missing.
 *  @param      source   name and folder
 *  @param[out] failure  the message, or NULL
 *  @return false with the message of dataset_read() */
bool dataset_exists(const struct dataset_source *source,
                    struct failure *failure);

/** Read the test split and hold it to the training split, see dataset_fits().
 *  @param      source   that of the training split
 *  @param      train    the training split
 *  @param[out] test     owned by the caller; empty when no file of a test split
 *                       exists
 *  @param[out] failure  the message, or NULL
 *  @return false with a message */
bool dataset_read_test(const struct dataset_source *source,
                       const struct dataset *train, struct dataset *test,
                       struct failure *failure);

/** Compare a data set with the one that a network was trained on.
 *
 *  @param         trained  shape, classes and names; its images are not used
 *  @param[in,out] set      the other one.  Without names it may have fewer
 *                          classes; then it gets those of `trained`
 *  @param         part     for the message: "test"
 *  @param[out]    failure  the message, or NULL
 *  @return false with a message that names both sides: another shape, other
 *          channels, more classes, or classes of other names */
bool dataset_fits(const struct dataset *trained, struct dataset *set,
                  const char *part, struct failure *failure);

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
                               char text[DATASET_NUMBER_BYTES]);

/** Copy class names to a set that has none.
 *  @param names  set->classes texts
 *  @return false without memory; the set has no names then */
bool dataset_set_names(struct dataset *set, const char *const *names);

/** Free pixels, labels and names; the set is then empty. */
void dataset_free(struct dataset *set);

#endif
