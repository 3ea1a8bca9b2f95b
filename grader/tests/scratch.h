/* SPDX-License-Identifier: MIT */
/** @file
 *  Files that a test needs for a moment.  Host only.
 */
#ifndef GRADER_TESTS_SCRATCH_H
#define GRADER_TESTS_SCRATCH_H

#include <stddef.h>

/** Write a file of the test's temporary folder; a failure ends the test.
 *  @param name    replaced if it is there
 *  @param text    `length` bytes
 *  @param length  bytes
 *  @return its path, valid until the next call */
const char *scratch(const char *name, const char *text, size_t length);

#endif
