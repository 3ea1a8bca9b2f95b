/* SPDX-License-Identifier: MIT */
/** @file
 *  Running CUnit tests: what a test program's main() returns.
 */
#ifndef BASE_RUN_TESTS_H
#define BASE_RUN_TESTS_H

#include <CUnit/CUnit.h>

/** Run the suites (up to CU_SUITE_INFO_NULL) through CUnit's basic interface.
 *  @return the exit status: 0 all passed, 1 a test failed, 2 CUnit did */
int run_suites(CU_SuiteInfo *suites);

/** Run one suite of the tests (up to CU_TEST_INFO_NULL).
 *  @return the exit status, as of run_suites() */
int run_tests(const char *name, CU_TestInfo *tests);

#endif
