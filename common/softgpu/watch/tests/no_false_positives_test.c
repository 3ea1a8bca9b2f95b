/* SPDX-License-Identifier: MIT */
/* No false positives: correct programs that synchronize threads in every way
 * that CUDA has, built by softcc --check.  The output of each must be the same
 * as without it, and there must be no finding. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <CUnit/Basic.h>

#include "common/softgpu/tests/process.h"

#define PROGRAM_FOLDER "common/softgpu/tests/programs/"

enum { WORKERS = 2, BUILD_SECONDS = 900, RUN_SECONDS = 300, MESSAGE = 700 };

static const char *const programs[] = {
    "020_barrier_early_return", "022_barrier_loop", "025_syncwarp",
    "039_warp_specialised", "042_cas_double_max", "048_lock_in_warp",
    "050_look_back", "051_last_block", "054_atomic_shared_histogram",
    "057_block_to_block", "098_device_heap", "121_vector_access",
    "125_wmma_half", "142_groups_coalesced", "146_groups_grid",
    "147_groups_memcpy_async", "148_groups_wide_tile", "151_cuda_barrier",
    "152_cuda_pipeline", "153_cuda_atomic", "421_wait_for_children",
    "424_wait_through_pointer", "425_device_runtime", "428_device_regions",
    "466_kernels_of_two_streams", "467_kernels_of_two_devices",
    "470_graph_beside_kernel", "471_graph_in_two_streams", "490_struct_results",
    "491_struct_arguments", "492_cast_and_call",
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static char messages[PROGRAMS][MESSAGE]; /* "": as expected */
static atomic_int next_program;
static const char *build;

static int build_program(const char *source, char *exe, char *message)
{
    char softcc[300], *none[] = {NULL};
    char *argv[] = {softcc, "--check", (char *)source, "-o", exe, NULL};
    struct outcome o;
    int failed;

    snprintf(softcc, sizeof softcc, "%s/softcc", build);
    run_process(argv, none, BUILD_SECONDS, exe, &o);
    failed = o.status != 0;
    if (failed)
        snprintf(message, MESSAGE, "softcc: status %d: %.500s", o.status,
                 o.err);
    free_outcome(&o);
    return failed;
}

static void run_program(int i)
{
    char source[300], expected[300], exe[300], *text;
    char *argv[] = {exe, NULL}, *env[] = {"SOFTGPU_DEVICES=2", NULL};
    struct outcome o;

    snprintf(source, sizeof source, PROGRAM_FOLDER "%s.cu", programs[i]);
    snprintf(expected, sizeof expected, PROGRAM_FOLDER "%s.out", programs[i]);
    snprintf(exe, sizeof exe, "%s/silent/%s", build, programs[i]);
    if (build_program(source, exe, messages[i]))
        return;
    run_process(argv, env, RUN_SECONDS, exe, &o);
    text = read_text(expected);
    if (o.status || o.err[0] || !text || strcmp(o.out, text))
        snprintf(messages[i], MESSAGE, "status %d, %s output: %.500s",
                 o.status, text && !strcmp(o.out, text) ? "right" : "wrong",
                 o.err);
    free(text);
    free_outcome(&o);
}

static void *worker_main(void *unused)
{
    int i;

    while ((i = atomic_fetch_add(&next_program, 1)) < PROGRAMS)
        run_program(i);
    return unused;
}

static void run_all(void)
{
    pthread_t workers[WORKERS];
    char folder[300];

    snprintf(folder, sizeof folder, "%s/silent", build);
    mkdir(folder, 0755);
    for (int w = 0; w < WORKERS; w++)
        pthread_create(&workers[w], NULL, worker_main, NULL);
    for (int w = 0; w < WORKERS; w++)
        pthread_join(workers[w], NULL);
}

/* The running test of CUnit has the name of a program. */
static void assert_result(void)
{
    const char *name = CU_get_current_test()->pName;

    for (int i = 0; i < PROGRAMS; i++)
        if (!strcmp(programs[i], name)) {
            if (messages[i][0])
                printf("\n    FAIL %s: %s\n", name, messages[i]);
            CU_ASSERT_STRING_EQUAL(messages[i], "");
        }
}

int main(void)
{
    CU_pSuite suite;
    int failed;

#ifdef __SANITIZE_ADDRESS__ /* the programs would be the same */
    puts("no false positives: tested in the plain build");
    return 77;
#endif
    build = getenv("BUILD") ? getenv("BUILD") : "build";
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 2;
    suite = CU_add_suite("no false positives", NULL, NULL);
    for (int i = 0; i < PROGRAMS; i++)
        CU_add_test(suite, programs[i], assert_result);
    run_all();
    CU_basic_run_tests();
    failed = CU_get_number_of_failures() > 0;
    CU_cleanup_registry();
    return failed;
}
