/* SPDX-License-Identifier: MIT */
/* The checker: each fixture runs with its defect and as its correct twin, under
 * several schedules and numbers of OS threads.  Each run with the defect must
 * report its kind and lines, and nothing else; the twin must have no finding.
 * Two workers do that first, a family at a time; then CUnit asserts the
 * results, and BUILD/watched/table.md counts them.
 *
 * Arguments: names of fixtures, or prefixes; without any, all. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "common/softgpu/tests/process.h"
#include "fixture.h"

#define FIXTURE_FOLDER "common/softgpu/watch/tests/fixtures"

enum { WORKERS = 2, BUILD_SECONDS = 900, RUN_SECONDS = 300, EXIT_FOUND = 86 };

static char *const modes[] = {
    "SOFTGPU_SEED=0", "SOFTGPU_SEED=1", "SOFTGPU_SEED=2",
    "SOFTGPU_THREADS=1", "SOFTGPU_THREADS=4", "SOFTGPU_INTERLEAVE=1",
};
enum { MODES = sizeof modes / sizeof *modes };

static struct fixture fixtures[MAX_FIXTURES];
static int fixture_count;
static int family_starts[MAX_FIXTURES + 1],
    family_count; /* index of the first fixture */
static atomic_int next_family;
static const char *build; /* the build folder */

/* --- build and run -------------------------------------------------------- */

/* All wanted fixtures of a family as one program. */
static int build_family(const struct fixture *first, const struct fixture *end,
                        char *exe, char *message)
{
    char softcc[300], source[300], *none[] = {NULL};
    char *argv[] = {softcc, "--check", "-I" FIXTURE_FOLDER, source, "-o",
                    exe,    NULL};
    struct outcome o;
    int failed;

    snprintf(softcc, sizeof softcc, "%s/softcc", build);
    snprintf(source, sizeof source, "%s.cu", exe);
    if (write_family(source, first, end)) {
        snprintf(message, MESSAGE, "%s cannot be written", source);
        return 1;
    }
    run_process(argv, none, BUILD_SECONDS, exe, &o);
    failed = o.status != 0;
    if (failed)
        snprintf(message, MESSAGE, "softcc: status %d: %.500s", o.status,
                 o.err);
    free_outcome(&o);
    return failed;
}

static void check_outcome(const struct fixture *f, const struct outcome *o,
                          int defect, const char *json, char *message)
{
    int expected = defect ? EXIT_FOUND : 0;

    if (o->status != expected)
        snprintf(message, MESSAGE, "exit status %d, should be %d: %.500s",
                 o->status, expected, o->err);
    else if (defect)
        compare_report(f, json, message, MESSAGE);
    else if (o->err[0])
        snprintf(message, MESSAGE, "not silent: %.500s", o->err);
}

/* Returns 1 when the result is as expected in this mode. */
static int run_mode(const struct fixture *f, char *exe, int defect, int mode,
                    char *message)
{
    char json[400], name[400], which[80], *argv[] = {exe, which, NULL};
    char *env[] = {json, modes[mode], "SOFTGPU_PATIENCE=0.3", NULL};
    struct outcome o;

    snprintf(which, sizeof which, "%s_%d", f->name, defect);
    snprintf(name, sizeof name, "%s.json", exe);
    snprintf(json, sizeof json, "SOFTGPU_JSON=%s", name);
    unlink(name);
    run_process(argv, env, RUN_SECONDS, exe, &o);
    check_outcome(f, &o, defect, name, message);
    free_outcome(&o);
    if (message[0])
        snprintf(message + strlen(message), MESSAGE - strlen(message),
                 " (%s)", modes[mode]);
    return !message[0];
}

static void run_variant(struct fixture *f, char *exe, int defect)
{
    char *message = defect ? f->false_negative : f->false_positive;

    for (int m = 0; m < MODES; m++)
        if (!run_mode(f, exe, defect, m, message))
            return;
}

static void run_family(struct fixture *first, struct fixture *end)
{
    char exe[256], message[MESSAGE] = "";

    snprintf(exe, sizeof exe, "%s/watched/all_%s", build, first->family);
    build_family(first, end, exe, message);
    for (struct fixture *f = first; f < end; f++) {
        if (!f->wanted)
            continue;
        if (message[0]) {
            strcpy(f->false_negative, message);
            continue;
        }
        run_variant(f, exe, 1);
        run_variant(f, exe, 0);
    }
}

static void *worker_main(void *unused)
{
    int i;

    while ((i = atomic_fetch_add(&next_family, 1)) < family_count) {
        struct fixture *f = &fixtures[family_starts[i]];
        struct fixture *end = &fixtures[family_starts[i + 1]];
        int wanted = 0;

        for (struct fixture *g = f; g < end; g++)
            wanted |= g->wanted;
        if (wanted)
            run_family(f, end);
    }
    return unused;
}

static void run_families(void)
{
    pthread_t workers[WORKERS];
    char folder[300];

    snprintf(folder, sizeof folder, "%s/watched", build);
    mkdir(folder, 0755);
    for (int w = 0; w < WORKERS; w++)
        pthread_create(&workers[w], NULL, worker_main, NULL);
    for (int w = 0; w < WORKERS; w++)
        pthread_join(workers[w], NULL);
}

/* --- the tests of CUnit --------------------------------------------------- */

static void assert_message(const char *name, const char *what,
                           const char *message)
{
    if (message[0])
        printf("\n    FAIL %s, %s: %s\n", name, what, message);
    CU_ASSERT_STRING_EQUAL(message, "");
}

/* The running test of CUnit has the name of a fixture. */
static void assert_result(void)
{
    const char *name = CU_get_current_test()->pName;

    for (int i = 0; i < fixture_count; i++)
        if (!strcmp(fixtures[i].name, name)) {
            assert_message(name, "defect", fixtures[i].false_negative);
            assert_message(name, "twin", fixtures[i].false_positive);
        }
}

static int is_wanted(const struct fixture *f, int argc, char **argv)
{
    for (int a = 1; a < argc; a++)
        if (!strncmp(f->name, argv[a], strlen(argv[a])))
            return 1;
    return argc < 2;
}

static int prepare(int argc, char **argv)
{
    CU_pSuite suite = CU_add_suite("checker fixtures", NULL, NULL);
    int wanted = 0;

    fixture_count = load_fixtures(FIXTURE_FOLDER, fixtures);
    for (int i = 0; i < fixture_count; i++) {
        struct fixture *f = &fixtures[i];

        f->wanted = is_wanted(f, argc, argv);
        wanted += f->wanted;
        if (f->wanted)
            CU_add_test(suite, f->name, assert_result);
        if (i == 0 || strcmp(f->family, f[-1].family))
            family_starts[family_count++] = i;
    }
    family_starts[family_count] = fixture_count;
    return wanted;
}

static int run_tests(int argc, char **argv)
{
    char table[300];

    if (!prepare(argc, argv))
        return 1;
    run_families();
    CU_basic_run_tests();
    snprintf(table, sizeof table, "%s/watched/table.md", build);
    if (argc < 2 && write_table(table, fixtures, fixture_count))
        return 1;
    return CU_get_number_of_failures() > 0;
}

int main(int argc, char **argv)
{
    int failed;

#ifdef __SANITIZE_ADDRESS__ /* the fixtures themselves would be the same */
    puts("checker fixtures: tested in the plain build");
    return 77;
#endif
    build = getenv("BUILD") ? getenv("BUILD") : "build";
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 2;
    failed = run_tests(argc, argv);
    CU_cleanup_registry();
    return failed;
}
