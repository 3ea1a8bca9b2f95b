/* SPDX-License-Identifier: MIT */
/* Tests of the trainer as a program: one suite per file.  An argument names the
 * suite that is run alone. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/tests/run_tests.h"
#include "train_tests.h"

int main(int argc, char **argv)
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
        {.pName = "runs", .pTests = runs_tests},
        {.pName = "attack", .pTests = attack_tests},
        {.pName = "compare", .pTests = compare_tests},
        {.pName = "odd", .pTests = odd_tests},
        CU_SUITE_INFO_NULL};

    if (!plain)
        suites[1] = (CU_SuiteInfo)CU_SUITE_INFO_NULL;
    for (int i = 0; plain && argc > 1 && suites[i].pName; i++)
        if (!strcmp(suites[i].pName, argv[1])) {
            suites[0] = suites[i];
            suites[1] = (CU_SuiteInfo)CU_SUITE_INFO_NULL;
        }
    srand((unsigned)getpid());
    return run_suites(suites);
}
