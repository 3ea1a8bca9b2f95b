/* SPDX-License-Identifier: MIT */
/** @file
 *  Fashion-MNIST: 28 x 28 gray photographs of clothes in ten classes.
 *  Host only.  datasets/README.md says where the files come from. */
#ifndef FASHION_H
#define FASHION_H

#include "idx.h"

enum { FASHION_SIDE = 28, FASHION_CLASSES = 10 };

/** The two parts of the set: 60,000 images to train on, 10,000 to test. */
enum fashion_split { FASHION_TRAIN, FASHION_TEST };

/** One part.  images.data holds image i at i * 28 * 28, 0 black. */
struct fashion {
    struct idx images; /**< count by 28 by 28 */
    struct idx labels; /**< count classes, each below FASHION_CLASSES */
    size_t count;      /**< images */
};

/** The folder of the files: $WARPBOOK_FASHION when set, else where Debian's
 *  package puts them. */
const char *fashion_folder(void);

/** Read one part, both files, and check that they belong together.
 *  @param      folder   of the four .gz files; NULL: fashion_folder()
 *  @param      split    which part
 *  @param[out] set      owned by the caller; all zero after a failure
 *  @param[out] failure  the line, or NULL
 *  @return false with a line that begins with a file's path */
bool fashion_read(const char *folder, enum fashion_split split,
                  struct fashion *set, struct failure *failure);

/** Write one part: the two files of the same names, each whole or not at all.
 *  @param      folder   must exist
 *  @param      split    which part
 *  @param[in]  set      images and labels, as many of one as of the other
 *  @param[out] failure  the line, or NULL
 *  @return false with a line that begins with a file's path */
bool fashion_write(const char *folder, enum fashion_split split,
                   const struct fashion *set, struct failure *failure);

/** Free both. */
void fashion_free(struct fashion *set);

/** "T-shirt", ..., "ankle boot"; "?" for what is no class. */
const char *fashion_class(int label);

#endif
