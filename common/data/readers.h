/* SPDX-License-Identifier: MIT */
/** @file
 *  The readers behind dataset_read(), and what they share.  Host only.
 *
 *  Each reads one part from a folder; `set` is empty before, and the caller
 *  frees what is in it after a failure. */
#ifndef READERS_H
#define READERS_H

#include "dataset.h"

enum { READER_PATH = 4096 /**< bytes of a path */ };

/** A reader of one part. */
typedef bool dataset_reader(const char *folder, enum dataset_part part,
                            struct dataset *set, struct failure *failure);

dataset_reader read_fashion;         /**< fashion-mnist */
dataset_reader read_cifar10;         /**< cifar-10 */
dataset_reader read_cifar100;        /**< cifar-100 */
dataset_reader read_png_folder;      /**< png */
dataset_reader read_npy_folder;      /**< npy */
dataset_reader read_lookalike;       /**< lookalike; no folder */
dataset_reader read_lookalike_cifar; /**< lookalike-cifar; no folder */

/** Bytes of a file, unpacked. */
struct bytes {
    unsigned char *data; /**< owned; one 0 follows them */
    size_t count;        /**< bytes */
};

/** Join folder and name; when that is not there but NAME.gz is, that.
 *  @return false when it is too long for a path */
bool reader_path(char path[READER_PATH], const char *folder, const char *name,
                 struct failure *failure);

/** Read a whole file, unpacking it when it is packed.
 *  @param[out] bytes  free bytes->data
 *  @return false with a line that begins with the path: missing, empty,
 *          damaged, above 4 GiB */
bool reader_bytes(const char *path, struct bytes *bytes,
                  struct failure *failure);

#endif
