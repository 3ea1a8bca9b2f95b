/* SPDX-License-Identifier: MIT */
/** @file
 *  The suites of the model's test program.
 */
#ifndef SOFTGPU_MODEL_TESTS_H
#define SOFTGPU_MODEL_TESTS_H

#include <CUnit/CUnit.h>

extern CU_TestInfo card_tests[];       /**< figures of the cards */
extern CU_TestInfo model_time_tests[]; /**< times from counters */
extern CU_TestInfo model_latency_tests[]; /**< how far latency is hidden */
extern CU_TestInfo cache_tests[];      /**< the cache model */
extern CU_TestInfo constant_loop_tests[]; /**< loops that nvcc unrolls */

#endif
