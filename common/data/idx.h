/* SPDX-License-Identifier: MIT */
/** @file
 *  IDX files, the format of the MNIST family, compressed with gzip or not.
 *  Host only.
 *
 *  A file is: two zero bytes, the type (8: unsigned bytes), the number of
 *  dimensions; each size as 4 bytes, big-endian; the elements in row-major
 *  order. */
#ifndef IDX_H
#define IDX_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/failure.h"

enum { IDX_RANK_MAX = 4 }; /**< maximum number of dimensions */
#define IDX_BYTES_MAX ((size_t)1 << 31) /**< largest content accepted */

/** The content of a file.  All zero is empty. */
struct idx {
    int rank;                  /**< dimensions */
    size_t size[IDX_RANK_MAX]; /**< size of each dimension, slowest-varying
                                    first */
    unsigned char *data;       /**< idx_count() bytes, owned */
};

/** Read a whole file of unsigned bytes.
 *
 *  @param      path     the file
 *  @param      rank     required number of dimensions: 3 for images, 1 for
 *                       labels
 *  @param[out] idx      owned by the caller; all zero after a failure
 *  @param[out] failure  the message, or NULL
 *  @return false with a message that begins with the path: missing, empty, not
 *          IDX, another rank, truncated, trailing bytes, damaged */
bool idx_read(const char *path, int rank, struct idx *idx,
              struct failure *failure);

/** Write a file atomically, compressed when `path` ends in ".gz".
 *  @param      path     the file; an existing one is replaced
 *  @param[in]  idx      the content, not empty
 *  @param[out] failure  the message, or NULL
 *  @return false with a message that begins with the path */
bool idx_write(const char *path, const struct idx *idx,
               struct failure *failure);

/** Elements: the product of the sizes. */
size_t idx_count(const struct idx *idx);

/** Free the data; idx is then empty. */
void idx_free(struct idx *idx);

#endif
