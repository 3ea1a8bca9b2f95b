/* SPDX-License-Identifier: MIT */
/** @file
 *  Fashion-MNIST: 28 x 28 gray images of clothes in ten classes.  Host only.
 *  datasets/README.md documents where the files come from. */
#ifndef FASHION_H
#define FASHION_H

#include "idx.h"

enum { FASHION_SIDE = 28, FASHION_CLASSES = 10 };

/** The two splits: 60,000 training images, 10,000 test images. */
enum fashion_split { FASHION_TRAIN, FASHION_TEST };

/** One split.  Image i begins at images.data + i * 28 * 28; 0 is black. */
struct fashion {
    struct idx images; /**< [count][28][28] */
    struct idx labels; /**< `count` labels, each below FASHION_CLASSES */
    size_t count;      /**< images */
};

/** Folder of the files: $WARPBOOK_FASHION if set, else that of Debian's
 *  package. */
const char *fashion_folder(void);

/** Read one split, images and labels, and check that they match.  Each file may
 *  be compressed or not: NAME.gz is preferred; "train-images.idx3-ubyte", as
 *  some archives have it, is found, too.
 *  @param      folder   folder of the four files; NULL: fashion_folder()
 *  @param      split    training or test
 *  @param[out] set      owned by the caller; all zero after a failure
 *  @param[out] failure  the message, or NULL
 *  @return false with a message that begins with a file's path */
bool fashion_read(const char *folder, enum fashion_split split,
                  struct fashion *set, struct failure *failure);

/** Write one split as two files with the standard names, each atomically.
 *  @param      folder   must exist
 *  @param      split    training or test
 *  @param[in]  set      as many images as labels
 *  @param[out] failure  the message, or NULL
 *  @return false with a message that begins with a file's path */
bool fashion_write(const char *folder, enum fashion_split split,
                   const struct fashion *set, struct failure *failure);

/** Free images and labels. */
void fashion_free(struct fashion *set);

/** The names of the classes. */
extern const char *const fashion_classes[FASHION_CLASSES];

/** The name of a class, "T-shirt" to "ankle boot"; "?" for any other label. */
const char *fashion_class(int label);

#endif
