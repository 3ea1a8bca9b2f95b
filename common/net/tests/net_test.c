/* SPDX-License-Identifier: MIT */
/* The tests of common/net: one suite a part. */
#include <CUnit/Basic.h>

#include "net_tests.h"

int main(void)
{
    CU_SuiteInfo suites[] = {
        {.pName = "networks", .pTests = network_tests},
        {.pName = "files", .pTests = file_tests},
        {.pName = "reference", .pTests = reference_tests},
        CU_SUITE_INFO_NULL};
    unsigned failures;

    if (CU_initialize_registry() != CUE_SUCCESS ||
        CU_register_suites(suites) != CUE_SUCCESS)
        return 2;
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures != 0;
}
