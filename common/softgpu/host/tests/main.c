/* SPDX-License-Identifier: MIT */
/* The tests of the host API.  Every suite starts with reset devices.  The first
 * suite forks, which must happen before the runtime starts a thread. */
#include <stdlib.h>

#include "common/base/tests/run_tests.h"
#include "host_tests.h"

/* Each test starts with reset devices, device 0 current, and no error. */
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
    setenv("SOFTGPU_PROGRESS", "0", 1); /* commands run when waited for */
    unsetenv("SOFTGPU_CARD");
    register_kernels();
    return run_suites(suites);
}
