/* SPDX-License-Identifier: MIT */
/** @file
 *  Running hand-written kernels on the core alone: what softcc would emit, in
 *  C.  A kernel is a function that runs one thread; its closure is a struct of
 *  the test's.
 */
#ifndef SOFTGPU_CORE_TESTS_H
#define SOFTGPU_CORE_TESTS_H

#include <CUnit/Basic.h>
#include <CUnit/CUnit.h>

#include "common/softgpu/core/core.h"

typedef void kernel_fn(const void *closure);

/** A test and its name. */
struct core_test {
    const char *name;
    void (*run)(void);
};

/** Run `one` for each thread, one-dimensional. @return a cudaError_t */
int run_1d(kernel_fn *one, const void *closure, unsigned grid, unsigned block);
/** The same for any shape; shared is dynamic shared memory. */
int run_3d(kernel_fn *one, const void *closure, dim3 grid, dim3 block,
           unsigned shared);
/** All blocks together. */
int run_cooperative(kernel_fn *one, const void *closure, unsigned grid,
                    unsigned block);
/** `loop` runs all threads of a block, `one` a single one. */
int run_whole(kernel_fn *loop, kernel_fn *one, const void *closure,
              unsigned grid, unsigned block);
/** The same for any shape of the grid. */
int run_whole_3d(kernel_fn *loop, kernel_fn *one, const void *closure,
                 dim3 grid, unsigned block);

/** Run a NULL-terminated list of tests in order and under three seeds.
 *  @return the exit status */
int run_core_tests(const char *suite, const struct core_test *tests);

/** Text of the last report without what came before, or "". */
int report_says(const char *words);

#endif
