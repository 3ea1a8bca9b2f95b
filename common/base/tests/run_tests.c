/* SPDX-License-Identifier: MIT */
/* See run_tests.h. */
#include "run_tests.h"

#include <CUnit/Basic.h>

int run_suites(CU_SuiteInfo *suites)
{
    unsigned failures;

    if (CU_initialize_registry() != CUE_SUCCESS
        || CU_register_suites(suites) != CUE_SUCCESS)
        return 2;
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures != 0;
}

int run_tests(const char *name, CU_TestInfo *tests)
{
    CU_SuiteInfo suites[] = {{.pName = name, .pTests = tests},
                             CU_SUITE_INFO_NULL};

    return run_suites(suites);
}
