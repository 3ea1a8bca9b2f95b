/* SPDX-License-Identifier: MIT */
/* The tests of the model, which need no running kernel. */
#include <CUnit/Basic.h>

#include "model_tests.h"

int main(void)
{
    CU_SuiteInfo suites[] = {
        {"cards", NULL, NULL, NULL, NULL, card_tests},
        {"times", NULL, NULL, NULL, NULL, model_time_tests},
        {"caches", NULL, NULL, NULL, NULL, cache_tests},
        CU_SUITE_INFO_NULL};
    if (CU_initialize_registry() || CU_register_suites(suites))
        return 2;
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    const unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures ? 1 : 0;
}
