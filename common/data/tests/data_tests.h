/* SPDX-License-Identifier: MIT */
/** @file
 *  The suites of common/data. */
#ifndef DATA_TESTS_H
#define DATA_TESTS_H

#include <CUnit/CUnit.h>

#include "dataset.h"

/** Each ends with CU_TEST_INFO_NULL. */
extern CU_TestInfo reader_tests[], loader_tests[], fuzz_tests[];

#endif
