/* SPDX-License-Identifier: MIT */
/* The tests of the model and of its counts of instructions, which need no
 * running kernel. */
#include "common/base/tests/run_tests.h"
#include "model_tests.h"

int main(void)
{
    CU_SuiteInfo suites[] = {
        {.pName = "cards", .pTests = card_tests},
        {.pName = "times", .pTests = model_time_tests},
        {.pName = "latency", .pTests = model_latency_tests},
        {.pName = "caches", .pTests = cache_tests},
        {.pName = "loops", .pTests = constant_loop_tests},
        CU_SUITE_INFO_NULL};

    return run_suites(suites);
}
