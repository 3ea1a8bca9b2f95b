/* SPDX-License-Identifier: MIT */
/** @file
 *  The suites of common/net. */
#ifndef NET_TESTS_H
#define NET_TESTS_H

#include <CUnit/CUnit.h>

/** Each ends with CU_TEST_INFO_NULL. */
extern CU_TestInfo network_tests[], file_tests[], reference_tests[];

#endif
