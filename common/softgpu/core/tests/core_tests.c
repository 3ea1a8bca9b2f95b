/* SPDX-License-Identifier: MIT */
/* Helpers of the core's tests. */
#include "core_tests.h"

#include <stdlib.h>
#include <string.h>

/* For the address sanitizer, also of gcc: variables lie on fake stacks, one a
 * fiber, as clang has it by default. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_stack_use_after_return=1";
}

/* A kernel's description as softcc writes it. */
static struct softgpu_kernel kernel_for(kernel_fn *one, unsigned flags)
{
    struct softgpu_kernel k = {.name = "test_kernel",
                               .file = "test.cu",
                               .line = 1,
                               .run_thread = one,
                               .flags = flags};
    memcpy(&k.stub, &one, sizeof one);
    return k;
}

int run_3d(kernel_fn *one, const void *closure, dim3 grid, dim3 block,
           unsigned shared)
{
    struct softgpu_kernel k = kernel_for(one, SOFTGPU_MAY_BLOCK);
    struct softgpu_grid g = {.kernel = &k,
                             .closure = closure,
                             .grid = grid,
                             .block = block,
                             .dynamic_bytes = shared};
    return softgpu_run_grid(&g);
}

int run_1d(kernel_fn *one, const void *closure, unsigned grid, unsigned block)
{
    return run_3d(one, closure, (dim3){grid, 1, 1}, (dim3){block, 1, 1}, 4096);
}

int run_cooperative(kernel_fn *one, const void *closure, unsigned grid,
                    unsigned block)
{
    struct softgpu_kernel k = kernel_for(one, SOFTGPU_MAY_BLOCK);
    struct softgpu_grid g = {.kernel = &k,
                             .closure = closure,
                             .grid = {grid, 1, 1},
                             .block = {block, 1, 1},
                             .cooperative = 1};
    return softgpu_run_grid(&g);
}

int run_thread_loop_3d(kernel_fn *loop, kernel_fn *one, const void *closure,
                       dim3 grid, unsigned block)
{
    struct softgpu_kernel k = kernel_for(one, 0);
    k.run = loop;
    struct softgpu_grid g = {.kernel = &k,
                             .closure = closure,
                             .grid = grid,
                             .block = {block, 1, 1}};
    return softgpu_run_grid(&g);
}

int run_thread_loop(kernel_fn *loop, kernel_fn *one, const void *closure,
                    unsigned grid, unsigned block)
{
    return run_thread_loop_3d(loop, one, closure, (dim3){grid, 1, 1}, block);
}

int report_contains(const char *words)
{
    return strstr(softgpu_last_fault_report(), words) != NULL;
}

int run_core_tests(const char *suite, const struct core_test *tests)
{
    static const char *const seeds[] = {"0", "1", "42"};
    unsigned failures = 0;
    for (int s = 0; s < 3; s++) {
        setenv("SOFTGPU_SEED", seeds[s], 1);
        if (CU_initialize_registry() != CUE_SUCCESS)
            return 2;
        CU_pSuite added = CU_add_suite(suite, NULL, NULL);
        for (const struct core_test *t = tests; t->name; t++)
            CU_add_test(added, t->name, t->run);
        CU_basic_set_mode(CU_BRM_NORMAL);
        CU_basic_run_tests();
        failures += CU_get_number_of_failures();
        CU_cleanup_registry();
    }
    return failures != 0;
}
