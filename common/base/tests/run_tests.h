/* SPDX-License-Identifier: MIT */
/** @file
 *  Running a list of CUnit tests.
 */
#ifndef GRADER_TESTS_H
#define GRADER_TESTS_H

#include <CUnit/CUnit.h>

/** Run a list of tests that ends with CU_TEST_INFO_NULL, print CUnit's
 *  summary.  @return the exit status: 0 when none failed */
int run_tests(const char *name, CU_TestInfo *tests);

#endif
