/* SPDX-License-Identifier: MIT */
/* Hostile submissions and honest near misses, graded by the program itself.
 *
 * Each file in hostile/ names the verdict of lab 01's test `large`; the other
 * tests must pass unless it says "// everywhere".  Afterwards no process of
 * the submission may remain: this program is their subreaper. */
#include <dirent.h>
#include <jansson.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/tests/run_tests.h"
#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/process.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"
#include "grader/lab/verdict.h"

enum { MAX_FILES = 128 };

extern char **environ;

static struct dirent **files;
static int current;
static char result[PATH_MAX]; /* where --json goes */

/* Expectations in the first lines of a file. */
struct wanted {
    enum verdict verdict; /* of the test `large` */
    bool everywhere;      /* of all tests */
    bool watched;         /* run the watched cases, too */
    char review[128];     /* empty, or part of a budget's review */
    char says[64];        /* empty, or part of the message of `large` */
};

static void read_header_value(const char *text, const char *key, char *value,
                              size_t bytes)
{
    const char *at = strstr(text, key);

    *value = 0;
    if (at)
        text_format(value, bytes, "%.*s",
                    (int)strcspn(at + strlen(key), "\n"), at + strlen(key));
}

static void read_wanted(const char *path, struct wanted *wanted)
{
    size_t length;
    char *text = read_file(path, 1 << 20, &length), name[32];

    read_header_value(text ? text : "", "// verdict: ", name, sizeof name);
    read_header_value(text ? text : "", "// review: ", wanted->review,
                      sizeof wanted->review);
    read_header_value(text ? text : "", "// says: ", wanted->says,
                      sizeof wanted->says);
    wanted->verdict = verdict_named(name);
    wanted->everywhere = text && strstr(text, "// everywhere\n");
    wanted->watched = text && strstr(text, "// watched\n");
    free(text);
}

/* Grade the file with tight limits.  @return the result, or NULL */
static json_t *grade(const char *path, bool watched)
{
    char program[PATH_MAX];
    char *const arguments[] = {
        "warpbook", "grade", "01", "--device", "soft", "--no-speed",
        "--time-limit", "3", "--memory-limit", "640", "--seed", "7", "--from",
        (char *)path, "--json", result, watched ? NULL : "--no-watch", NULL};
    posix_spawn_file_actions_t silent;
    pid_t child;
    int status;

    unlink(result);
    text_format(program, sizeof program, "%s/warpbook", build_root());
    posix_spawn_file_actions_init(&silent);
    posix_spawn_file_actions_addopen(&silent, 1, "/dev/null", 1, 0);
    if (posix_spawn(&child, program, &silent, NULL, arguments, environ))
        return NULL;
    posix_spawn_file_actions_destroy(&silent);
    if (waitpid(child, &status, 0) < 0 || !WIFEXITED(status)) {
        printf("    warpbook ended with wait status %#x\n", status);
        return NULL;
    }
    return json_load_file(result, 0, NULL);
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

/* Check one test of the result. */
static void check(const json_t *test, const char *file, enum verdict should)
{
    const char *verdict = text_of(test, "verdict");

    if (!strcmp(verdict, verdict_name(should)))
        return;
    printf("    %s: %s %s, not %s: %s\n", file, text_of(test, "name"), verdict,
           verdict_name(should), text_of(test, "message"));
    CU_FAIL("not the verdict that the file asks for");
}

/* A forged report is flagged, an honest one earns all points, a program with a
 * failing test none. */
static void check_watched(const json_t *made, const struct wanted *wanted)
{
    const json_t *cost;
    bool told = false, full = true;
    size_t i;

    json_array_foreach(json_object_get(made, "costs"), i, cost) {
        told |= *wanted->review
                && strstr(text_of(cost, "review"), wanted->review);
        full &= json_equal(json_object_get(cost, "score"),
                           json_object_get(cost, "max_score"));
    }
    CU_ASSERT_TRUE(i > 0);
    CU_ASSERT_TRUE(*wanted->review ? told && !full
                                   : full == (wanted->verdict == PASS));
    CU_ASSERT_EQUAL(json_array_size(json_object_get(made, "checks")), 1);
}

static bool no_process_left(void)
{
    struct tree tree;

    tree_read(getpid(), &tree);
    return tree.processes == 1;
}

/* CUnit's tests take no argument: each run uses the next file. */
static void run_next_file(void)
{
    const char *file = files[current++]->d_name;
    char path[PATH_MAX];
    struct wanted wanted;
    json_t *made, *test;
    bool is_over = false;
    size_t i;

    read_wanted(root_path(path, "grader/tests/hostile/%s", file), &wanted);
    made = grade(path, wanted.watched);
    CU_ASSERT_PTR_NOT_NULL(made);
    CU_ASSERT_NOT_EQUAL(wanted.verdict, VERDICTS);
    json_array_foreach(json_object_get(made, "tests"), i, test) {
        const bool large = !strcmp(text_of(test, "name"), "large");
        const char *message = text_of(test, "message");

        check(test, file,
              large || wanted.everywhere ? wanted.verdict
              : is_over                  ? UNMEASURED
                                         : PASS);
        /* the first timeout ends a grade */
        is_over |= large && wanted.verdict == TIMEOUT;
        if (large && !strstr(message, wanted.says)) {
            printf("    %s\n", message);
            CU_FAIL("the message lacks what the file asks for");
        }
    }
    if (wanted.watched)
        check_watched(made, &wanted);
    CU_ASSERT_TRUE(i > 3);
    CU_ASSERT_TRUE(no_process_left());
    json_decref(made);
}

static int is_case(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return dot && !strcmp(dot, ".cu");
}

/* Is this file to be graded?  The sanitized grader skips the twins: they test
 * the limits, not memory. */
static bool selected(const char *file, const char *part)
{
#ifdef __SANITIZE_ADDRESS__
    if (strstr(file, ".twin."))
        return false;
#endif
    return !part || strstr(file, part);
}

/* With an argument: only the files whose names hold it. */
int main(int argc, char **argv)
{
    CU_TestInfo tests[MAX_FILES + 1] = {CU_TEST_INFO_NULL};
    char path[PATH_MAX], folder[PATH_MAX];
    int used = 0, count;

    if (!paths_init() || !temp_dir_create(folder))
        return 2;
    text_format(result, sizeof result, "%s/result.json", folder);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    count = scandir(root_path(path, "grader/tests/hostile"), &files, is_case,
                    alphasort);
    for (int i = 0; i < count; i++) {
        if (used == MAX_FILES
            || !selected(files[i]->d_name, argc > 1 ? argv[1] : NULL)) {
            free(files[i]);
            continue;
        }
        files[used] = files[i];
        tests[used++] = (CU_TestInfo){files[i]->d_name, run_next_file};
    }
    return run_tests("hostile", tests);
}
