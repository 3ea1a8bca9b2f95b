/* SPDX-License-Identifier: MIT */
/** @file
 *  Hidden tests: further tests of a lab, in C files that only the instructor
 *  has.
 *
 *      HIDDEN/01_vector_add.c      the tests, as of a suite
 *      HIDDEN/01_vector_add.ini    their [points] and [hints]
 *
 *  The C file defines
 *
 *      const struct suite_test hidden_tests[] = {
 *          {"thirds", "multiples of three", thirds}, {0}};
 *
 *  with functions of grader/suite/suite.h.  It is compiled into a shared object
 *  and loaded by the grader, which trusts it; a submission never sees it.
 */
#ifndef GRADER_LAB_HIDDEN_H
#define GRADER_LAB_HIDDEN_H

#include "common/base/failure.h"
#include "lab.h"

/** Add the hidden tests of a lab behind its own tests, if the folder has some.
 *  They are compiled once in a process and its children.
 *  @param folder  NULL or empty: none
 *  @return false with one line: they do not compile, or do not fit */
bool hidden_add(const char *folder, struct lab *lab,
                struct failure *failure);
/** Is the lab's test of that index a hidden one? */
bool is_hidden_test(const struct lab *lab, size_t index);

#endif
