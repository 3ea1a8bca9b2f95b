/* SPDX-License-Identifier: MIT */
/** @file
 *  The suites of common/data. */
#ifndef DATA_TESTS_H
#define DATA_TESTS_H

#include "common/base/tests/scratch.h"
#include "common/data/dataset.h"

/** Each ends with CU_TEST_INFO_NULL. */
extern CU_TestInfo idx_tests[], fashion_tests[], lookalike_tests[],
    reader_tests[], loader_tests[], fuzz_tests[];

#endif
