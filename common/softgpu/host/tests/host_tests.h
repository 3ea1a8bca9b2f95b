/* SPDX-License-Identifier: MIT */
/** @file
 *  Helpers of the host API's suites: hand-written kernels, and checks that
 *  print the error they got.
 */
#ifndef HOST_TESTS_H
#define HOST_TESTS_H

#include <CUnit/CUnit.h>

#include "cuda_runtime_api.h"
#include "softgpu/abi.h"

/** Check that a call returns this error. */
#define RETURNS(error, call) \
    expect_error((error), (call), #call, __FILE__, __LINE__)
/** Check that a call succeeds. */
#define OK(call) RETURNS(cudaSuccess, call)

/** Compare two errors for RETURNS. */
void expect_error(cudaError_t expected, cudaError_t got, const char *call,
                  const char *file, int line);

/** Kernel: p[i] += v for all threads i of the grid below n. */
void add_kernel(int *p, int n, int v);
/** Kernel: p[i] = the number of launches of it so far, from 1. */
void count_kernel(int *p);
/** Kernel: *p = 1, where p may be an invalid pointer. */
void bad_store_kernel(int *p);
/** Kernel with a launch bound of 64 threads. */
void bounded_kernel(void);
/** Kernel with 40 KB of static shared memory. */
void shared_kernel(void);
/** Register the kernels; to be called once. */
void register_kernels(void);

/** Launch one of them with <<<grid, block, shared, stream>>>. */
#define LAUNCH(grid, block, shared, stream, call)                       \
    do {                                                                \
        if (!softgpu_push_config((grid), (block), (shared), (stream)))         \
            call;                                                       \
    } while (0)

/** A one-dimensional dim3. */
static inline dim3 blocks_of(unsigned n)
{
    const dim3 d = {n, 1, 1};
    return d;
}

/** n ints on the device, all `value`. */
int *device_ints(int n, int value);
/** Synchronize and read one int of device memory. */
int device_int(const int *p);

/** The suites, one per file. */
extern CU_TestInfo environment_tests[], error_tests[], memory_tests[],
    copy_tests[], stream_tests[], event_tests[], graph_tests[],
    capture_tests[], device_tests[], occupancy_tests[], pool_tests[],
    launch_tests[], fault_tests[], user_object_tests[];

#endif
