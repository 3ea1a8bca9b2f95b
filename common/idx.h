/* SPDX-License-Identifier: MIT */
/** @file
 *  The IDX files of the MNIST family, packed by gzip or not.  Host only.
 *
 *  A file is: two zero bytes, the type (8: unsigned bytes), the number of
 *  dimensions; each size as 4 bytes, most significant first; the elements.
 */
#ifndef IDX_H
#define IDX_H

#include <stdbool.h>
#include <stddef.h>

#include "failure.h"

enum { IDX_RANK_MAX = 4 }; /**< dimensions at most */
#define IDX_BYTES_MAX ((size_t)1 << 31) /**< largest content taken */

/** The content of a file.  All zero is no content. */
struct idx {
    int rank;                  /**< dimensions */
    size_t size[IDX_RANK_MAX]; /**< elements along each, slowest first */
    unsigned char *data;       /**< their product of bytes, owned */
};

/** Read a file of unsigned bytes whole.
 *
 *  @param      path     the file
 *  @param      rank     dimensions it must have: 3 for images, 1 for labels
 *  @param[out] idx      owned by the caller; all zero after a failure
 *  @param[out] failure  the line, or NULL
 *  @return false with a line that begins with the path: missing, empty, not
 *          IDX, another rank, cut short, longer than its sizes say, damaged */
bool idx_read(const char *path, int rank, struct idx *idx,
              struct failure *failure);

/** Write a file, packed when `path` ends in ".gz"; whole or not at all.
 *  @param      path     the file; an existing one is replaced
 *  @param[in]  idx      what to write, not empty
 *  @param[out] failure  the line, or NULL
 *  @return false with a line that begins with the path */
bool idx_write(const char *path, const struct idx *idx,
               struct failure *failure);

/** Elements: the product of the sizes. */
size_t idx_count(const struct idx *idx);

/** Free the data and make it no content. */
void idx_free(struct idx *idx);

#endif
