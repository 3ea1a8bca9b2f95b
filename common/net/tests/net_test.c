/* SPDX-License-Identifier: MIT */
/* The tests of common/net: one suite a part. */
#include "common/base/tests/run_tests.h"
#include "net_tests.h"

int main(void)
{
    CU_SuiteInfo suites[] = {
        {.pName = "networks", .pTests = network_tests},
        {.pName = "files", .pTests = file_tests},
        {.pName = "reference", .pTests = reference_tests},
        CU_SUITE_INFO_NULL};

    return run_suites(suites);
}
