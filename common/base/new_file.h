/* SPDX-License-Identifier: MIT */
/** @file
 *  A file that appears under its name when it is whole, and replaces what was
 *  there.  Until then it has no name, so that nothing stays of it however its
 *  process ends; on a file system without such files it has a random one that
 *  ends in ".part".
 */
#ifndef BASE_NEW_FILE_H
#define BASE_NEW_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

/** A file that is being written. */
struct new_file {
    int folder;          /**< where a relative path begins, as for openat() */
    char path[PATH_MAX]; /**< its path */
    char part[PATH_MAX]; /**< its name until then; "" if it has none */
    int fd;              /**< to write to it, or -1 */
};

/** Create a file in the folder of its path, with the mode that fopen() gives.
 *  @param      folder  descriptor where a relative path begins, or AT_FDCWD
 *  @param      path    links on the way are followed, not its last part
 *  @param[out] file    new_file_publish() or new_file_discard() ends it
 *  @return false with errno set, and nothing to be ended */
bool new_file_create(int folder, const char *path, struct new_file *file);
/** A stream to write to it; closing it leaves file.fd open.  @return NULL with
 *  errno set */
FILE *new_file_stream(const struct new_file *file);
/** Give the file its name.  Content that must survive a crash is forced
 *  to the disk before (fsync).
 *  @return false with errno set: what was there before is still there */
bool new_file_publish(struct new_file *file);
/** Forget the file. */
void new_file_discard(struct new_file *file);

#endif
