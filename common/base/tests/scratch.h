/* SPDX-License-Identifier: MIT */
/** @file
 *  What the tests of common/ share: a scratch folder and its files. */
#ifndef COMMON_SCRATCH_H
#define COMMON_SCRATCH_H

#include <CUnit/CUnit.h>
#include <stddef.h>

#include "common/base/failure.h"

enum { PATH_BYTES = 256 };

/** Path of a file in the scratch folder.  @return `path` */
char *scratch_path(char path[PATH_BYTES], const char *name);

/** Write a file there.  @return `path` */
char *scratch_file(char path[PATH_BYTES], const char *name, const void *data,
                   size_t bytes);

/** Copy the first `bytes` bytes of one file to another, flipping the bits of
 *  `flip` in its last byte: 0 for a file that is merely cut short. */
void copy_prefix(const char *from, const char *to, size_t bytes,
                 unsigned char flip);

/** Bytes of a file, 0 when it is not there. */
size_t file_size(const char *path);

/** The failure must begin with the path and hold the fragment, on one line. */
void expect_message(const struct failure *failure, const char *path,
                    const char *fragment);

#endif
