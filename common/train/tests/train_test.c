/* SPDX-License-Identifier: MIT */
/* The tests of the trainer as a program: one suite a file. */
#include <CUnit/Basic.h>
#include <stdlib.h>
#include <unistd.h>

#include "train_tests.h"

int main(void)
{
    const bool plain = train_find();
    /* The plain build's program is the same for both builds: what a test does
     * besides running it is all that sanitizers would see again. */
    CU_SuiteInfo suites[] = {{.pName = "steps", .pTests = step_tests},
                             {.pName = "labs", .pTests = labs_tests},
                             {.pName = "PyTorch", .pTests = torch_tests},
                             {.pName = "bits", .pTests = bits_tests},
                             {.pName = "what it says", .pTests = said_tests},
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
