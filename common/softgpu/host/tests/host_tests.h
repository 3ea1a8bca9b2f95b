/* SPDX-License-Identifier: MIT */
/** @file
 *  What the suites of the host API share: kernels without a compiler's help,
 *  and checks that name the error they got.
 */
#ifndef HOST_TESTS_H
#define HOST_TESTS_H

#include <CUnit/CUnit.h>

#include "cuda_runtime_api.h"
#include "softgpu/abi.h"

/** The call returns this error; a failure prints the one it returned. */
#define RETURNS(error, call) \
    expect_error((error), (call), #call, __FILE__, __LINE__)
/** The call succeeds. */
#define OK(call) RETURNS(cudaSuccess, call)

/** Compare two errors for RETURNS. */
void expect_error(cudaError_t expected, cudaError_t got, const char *call,
                  const char *file, int line);

/** Kernel: p[i] += v for all threads i of the grid below n. */
void add_kernel(int *p, int n, int v);
/** Kernel: p[i] = the number of launches of it so far, from 1. */
void count_kernel(int *p);
/** Kernel: *p = 1, where p may be anything. */
void poke_kernel(int *p);
/** Its launch bound is 64 threads. */
void bounded_kernel(void);
/** Declares 40 KB of shared memory. */
void shared_kernel(void);
/** Make them known to the runtime; once. */
void register_kernels(void);

/** <<<grid, block, shared, stream>>> of a call of one of them. */
#define LAUNCH(grid, block, shared, stream, call)                       \
    do {                                                                \
        if (!softgpu_push((grid), (block), (shared), (stream)))         \
            call;                                                       \
    } while (0)

/** A shape of one dimension. */
static inline dim3 line_of(unsigned n)
{
    const dim3 d = {n, 1, 1};
    return d;
}

/** n ints on the device, all `value`. */
int *device_ints(int n, int value);
/** One int of the device, read when all is done. */
int device_int(const int *p);

/** Each file's suite. */
extern CU_TestInfo environment_tests[], error_tests[], memory_tests[],
    copy_tests[], stream_tests[], event_tests[], graph_tests[],
    capture_tests[], device_tests[], occupancy_tests[], pool_tests[],
    launch_tests[], fault_tests[], user_object_tests[];

#endif
