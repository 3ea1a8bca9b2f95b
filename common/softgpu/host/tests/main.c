/* SPDX-License-Identifier: MIT */
/* The tests of the host API.  Every suite starts with reset devices.  The first
 * suite forks, which must happen before the runtime starts a thread. */
#include <CUnit/Basic.h>
#include <stdlib.h>

#include "host_tests.h"

static void fresh(void)
{
    for (int d = 1; d >= 0; d--) {
        cudaSetDevice(d);
        cudaDeviceReset();
    }
    cudaGetLastError();
}

#define SUITE(name, setup) {#name, NULL, NULL, setup, NULL, name##_tests}

int main(void)
{
    CU_SuiteInfo suites[] = {
        SUITE(environment, NULL), SUITE(error, fresh), SUITE(memory, fresh),
        SUITE(copy, fresh), SUITE(stream, fresh), SUITE(event, fresh),
        SUITE(graph, fresh), SUITE(capture, fresh), SUITE(device, fresh),
        SUITE(occupancy, fresh), SUITE(pool, fresh), SUITE(launch, fresh),
        SUITE(fault, fresh), SUITE(user_object, fresh), CU_SUITE_INFO_NULL};
    setenv("SOFTGPU_DEVICES", "2", 1);
    unsetenv("SOFTGPU_CARD");
    register_kernels();
    if (CU_initialize_registry() || CU_register_suites(suites))
        return 2;
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    const unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures ? 1 : 0;
}
