/* SPDX-License-Identifier: MIT */
/** @file
 *  What the tests of common/ share: a scratch folder and its files. */
#ifndef COMMON_TESTS_H
#define COMMON_TESTS_H

#include <CUnit/CUnit.h>
#include <stddef.h>

#include "failure.h"

enum { PATH_BYTES = 256 };

/** The suites, each ending with CU_TEST_INFO_NULL. */
extern CU_TestInfo image_tests[], sheet_tests[], idx_tests[], fashion_tests[],
    lookalike_tests[];

/** Path of a file in the scratch folder.  @return `path` */
char *scratch(char path[PATH_BYTES], const char *name);

/** Write a file there.  @return `path` */
char *scratch_file(char path[PATH_BYTES], const char *name, const void *data,
                   size_t bytes);

/** Copy the first `bytes` bytes of one file to another, flipping the bits of
 *  `flip` in its last byte: 0 for a file that is merely cut short. */
void copy_part(const char *from, const char *to, size_t bytes,
               unsigned char flip);

/** Bytes of a file, 0 when it is not there. */
size_t file_bytes(const char *path);

/** The failure must begin with the path and hold the fragment, on one line. */
void expect_line(const struct failure *failure, const char *path,
                 const char *fragment);

#endif
