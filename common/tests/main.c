/* SPDX-License-Identifier: MIT */
/* The tests of common/: one suite a part. */
#include <CUnit/Basic.h>

#include "common_tests.h"

int main(void)
{
    CU_SuiteInfo suites[] = {
        {.pName = "image", .pTests = image_tests},
        {.pName = "contact sheet", .pTests = sheet_tests},
        {.pName = "idx", .pTests = idx_tests},
        {.pName = "fashion", .pTests = fashion_tests},
        {.pName = "look-alike", .pTests = lookalike_tests},
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
