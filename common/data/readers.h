/* SPDX-License-Identifier: MIT */
/** @file
 *  The file readers of dataset_read() and their shared functions.  Host only.
 *
 *  Each reads one split from a folder; `set` is empty before, and the caller
 *  frees its content after a failure. */
#ifndef READERS_H
#define READERS_H

#include "dataset.h"

enum { READER_PATH_BYTES = 4096 /**< bytes of a path, its end included */ };

/** A reader of one split.  Images keep their size, except those of a reader
 *  that resamples while it reads. */
typedef bool dataset_reader(const struct dataset_source *source,
                            enum dataset_part part, struct dataset *set,
                            struct failure *failure);

dataset_reader read_fashion;         /**< fashion-mnist */
dataset_reader read_cifar10;         /**< cifar-10 */
dataset_reader read_cifar100;        /**< cifar-100 */
dataset_reader read_mnist;           /**< mnist */
dataset_reader read_pictures;        /**< pictures, png; resamples */
dataset_reader read_npy_folder;      /**< npy */
dataset_reader read_lookalike;       /**< lookalike; no folder */
dataset_reader read_lookalike_cifar; /**< lookalike-cifar; no folder */

/** The names of CIFAR-100's fine labels. */
extern const char *const cifar100_names[100];

/** A file's content, uncompressed. */
struct bytes {
    unsigned char *data; /**< owned; followed by one 0 */
    size_t count;        /**< bytes */
};

/** Join folder and name; prefers NAME.gz if it exists.
 *  @return false when the path is too long */
bool reader_find_file(char path[READER_PATH_BYTES], const char *folder,
                      const char *name, struct failure *failure);

/** Is this a regular file?  Opening a named pipe would wait for a writer.
 *  @return false with a message that begins with the path */
bool reader_check_file(const char *path, struct failure *failure);

/** Read a whole file; gzip files are decompressed.
 *  @param[out] bytes  free bytes->data
 *  @return false with a message that begins with the path: missing, empty,
 *          damaged, above 4 GiB */
bool reader_read_file(const char *path, struct bytes *bytes,
                      struct failure *failure);

#endif
