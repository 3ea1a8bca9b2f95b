/* SPDX-License-Identifier: MIT */
/* Tests of the trainer as a program: one suite per file. */
#include <CUnit/Basic.h>
#include <stdlib.h>
#include <unistd.h>

#include "train_tests.h"

int main(void)
{
    const bool plain = train_find();
    /* Both builds run the plain build's program: under sanitizers only the
     * tests' own code would be checked again. */
    CU_SuiteInfo suites[] = {
        {.pName = "steps", .pTests = step_tests},
        {.pName = "labs", .pTests = labs_tests},
        {.pName = "PyTorch", .pTests = torch_tests},
        {.pName = "bits", .pTests = determinism_tests},
        {.pName = "what it says", .pTests = messages_tests},
        CU_SUITE_INFO_NULL};
    unsigned failures;

    if (!plain)
        suites[1] = (CU_SuiteInfo)CU_SUITE_INFO_NULL;
    srand((unsigned)getpid());
    if (CU_initialize_registry() != CUE_SUCCESS
        || CU_register_suites(suites) != CUE_SUCCESS)
        return 2;
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures != 0;
}
