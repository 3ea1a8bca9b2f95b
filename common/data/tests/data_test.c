/* SPDX-License-Identifier: MIT */
/* The tests of common/data: one suite a part. */
#include "common/base/tests/run_tests.h"
#include "data_tests.h"

int main(void)
{
    CU_SuiteInfo suites[] = {
        {.pName = "idx", .pTests = idx_tests},
        {.pName = "fashion", .pTests = fashion_tests},
        {.pName = "look-alike", .pTests = lookalike_tests},
        {.pName = "readers", .pTests = reader_tests},
        {.pName = "pictures", .pTests = picture_tests},
        {.pName = "test data", .pTests = fit_tests},
        {.pName = "loader", .pTests = loader_tests},
        {.pName = "fuzzed readers", .pTests = fuzz_tests},
        CU_SUITE_INFO_NULL};

    return run_suites(suites);
}
