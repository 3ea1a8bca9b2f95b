/* SPDX-License-Identifier: MIT */
/** @file
 *  Running hand-written kernels on the core alone: in C, as softcc would emit
 *  them.  A kernel is a function that runs one thread; its closure is a struct
 *  of the test.
 */
#ifndef SOFTGPU_CORE_TESTS_H
#define SOFTGPU_CORE_TESTS_H

#include <CUnit/Basic.h>
#include <CUnit/CUnit.h>

#include "common/softgpu/core/core.h"

/** A kernel: runs one thread, or all threads of a block. */
typedef void kernel_fn(const void *closure);

/** A test and its name. */
struct core_test {
    const char *name;
    void (*run)(void);
};

/** Run `one` for each thread, one-dimensional. @return a cudaError_t */
int run_1d(kernel_fn *one, const void *closure, unsigned grid, unsigned block);
/** The same for any grid and block; `shared` is dynamic shared memory. */
int run_3d(kernel_fn *one, const void *closure, dim3 grid, dim3 block,
           unsigned shared);
/** The same as a cooperative launch. */
int run_cooperative(kernel_fn *one, const void *closure, unsigned grid,
                    unsigned block);
/** Run as a thread loop: `loop` runs all threads of a block, `one` one. */
int run_thread_loop(kernel_fn *loop, kernel_fn *one, const void *closure,
                    unsigned grid, unsigned block);
/** The same for any grid. */
int run_thread_loop_3d(kernel_fn *loop, kernel_fn *one, const void *closure,
                       dim3 grid, unsigned block);

/** Run a NULL-terminated list of tests in order and under three seeds.
 *  @return the exit status */
int run_core_tests(const char *suite, const struct core_test *tests);

/** 1 if the last fault report contains the words. */
int report_contains(const char *words);

#endif
