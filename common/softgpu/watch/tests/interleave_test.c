/* SPDX-License-Identifier: MIT */
/* Adversarial schedules: each program has a defect that it shows, by its output
 * or a finding, only when threads are stopped between two accesses; its twin
 * must be right and silent. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <CUnit/Basic.h>

#include "common/softgpu/tests/process.h"

#define FOLDER "common/softgpu/watch/tests/interleaved/"

enum { BUILD_SECONDS = 900, RUN_SECONDS = 300, EXIT_FINDINGS = 86, SEEDS = 3 };

static const char *build;

static int build_variant(const char *name, int defect, char *exe)
{
    char softcc[300], source[300], define[20], *none[] = {NULL};
    char *argv[] = {softcc, "--check", define, source, "-o", exe, NULL};
    struct outcome o;
    int ok;

    snprintf(softcc, sizeof softcc, "%s/softcc", build);
    snprintf(source, sizeof source, FOLDER "%s.cu", name);
    snprintf(define, sizeof define, "-DDEFECT=%d", defect);
    snprintf(exe, 300, "%s/interleaved/%s_%d", build, name, defect);
    run_process(argv, none, BUILD_SECONDS, exe, &o);
    ok = o.status == 0;
    if (!ok)
        printf("%s\n", o.err);
    free_outcome(&o);
    return ok;
}

/* Is the output right, and is there no finding? */
static int is_right(char *exe, int seed)
{
    char interleave[40], *argv[] = {exe, NULL};
    char *env[] = {interleave, NULL};
    struct outcome o;
    int right;

    snprintf(interleave, sizeof interleave, "SOFTGPU_INTERLEAVE=%d", seed);
    run_process(argv, env, RUN_SECONDS, exe, &o);
    right = o.status == 0 && !strcmp(o.out, "right\n");
    if (o.status != 0 && o.status != EXIT_FINDINGS)
        printf("%s: status %d\n%.500s\n", exe, o.status, o.err);
    free_outcome(&o);
    return right;
}

static void check_program(const char *name)
{
    char exe[300];

    CU_ASSERT_TRUE_FATAL(build_variant(name, 1, exe));
    for (int seed = 1; seed <= SEEDS; seed++)
        CU_ASSERT_FALSE(is_right(exe, seed));
    CU_ASSERT_TRUE_FATAL(build_variant(name, 0, exe));
    for (int seed = 0; seed <= SEEDS; seed++)
        CU_ASSERT_TRUE(is_right(exe, seed));
}

static void swap_once(void) { check_program("swap_once"); }
static void volatile_count(void) { check_program("volatile_count"); }
static void reused_slot(void) { check_program("reused_slot"); }
static void preempted_store(void) { check_program("preempted_store"); }
static void late_value(void) { check_program("late_value"); }

int main(void)
{
    char folder[300];
    CU_pSuite suite;
    int failed;

#ifdef __SANITIZE_ADDRESS__ /* the programs would be the same */
    puts("interleaving: tested in the plain build");
    return 77;
#endif
    build = getenv("BUILD") ? getenv("BUILD") : "build";
    snprintf(folder, sizeof folder, "%s/interleaved", build);
    mkdir(folder, 0777);
    CU_initialize_registry();
    suite = CU_add_suite("adversarial schedules", NULL, NULL);
    CU_add_test(suite, "a swap that is not tried again", swap_once);
    CU_add_test(suite, "a volatile counter", volatile_count);
    CU_add_test(suite, "a slot that is used again", reused_slot);
    CU_add_test(suite, "stores of one value, preempted", preempted_store);
    CU_add_test(suite, "a value stored after its flag", late_value);
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    failed = CU_get_number_of_failures() != 0;
    CU_cleanup_registry();
    return failed;
}
