/* SPDX-License-Identifier: MIT */
/* Calls of the C library fail, one after the other: no student loses points,
 * nothing is damaged, there is a message, and the same command then completes
 * the work.
 *
 *     faults_test [STEP [KIND [CALL]]]
 *
 * Every STEP-th call of each kind fails, in a run of its own; 1: every one.  Of
 * malloc every 40 * STEP-th, unless it is the KIND that is asked for.  Of one
 * CALL, FAULTS_TRACE=FILE has the callers. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "class_fixture.h"
#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/process.h"
#include "common/base/random.h"
#include "common/base/remove_tree.h"
#include "common/base/temp_dir.h"
#include "common/base/tests/run_tests.h"
#include "common/base/text.h"
#include "programs/faults.h"

enum { STEP = 23, MEMORY_STEP = 40 /* times as many calls get memory */ };

/* volatile: nothing below is dead code for the compiler */
#ifdef __SANITIZE_ADDRESS__
static volatile bool has_sanitizer = true;
#else
static volatile bool has_sanitizer = false;
#endif

static int step = STEP;
static const char *only; /* the kind to fail; NULL: all */
static long only_call;   /* of that kind; 0: all */
static struct faults *faults;
static char library[PATH_MAX], file[PATH_MAX], output[PATH_MAX];

/* The errors of a kind of call. */
static const struct kind {
    enum fault_kind kind;
    int error;
    bool stays_failed;
    const char *name;
} kinds[] = {
    {FAULT_OPEN, EMFILE, false, "open"},
    {FAULT_OPEN, EMFILE, true, "open, and all after it"},
    {FAULT_READ, EIO, false, "read"},
    {FAULT_READ, EINTR, false, "read, interrupted"},
    {FAULT_WRITE, ENOSPC, false, "write"},
    {FAULT_WRITE, ENOSPC, true, "write, and all after it"},
    {FAULT_WRITE, EINTR, false, "write, interrupted"},
    {FAULT_FSYNC, EIO, false, "fsync"},
    {FAULT_RENAME, EIO, false, "rename"},
    {FAULT_MKDIR, ENOSPC, false, "mkdir"},
    {FAULT_FORK, EAGAIN, false, "fork"},
    {FAULT_PIPE, EMFILE, false, "pipe"},
    {FAULT_WAIT, EINTR, false, "wait, interrupted"},
    {FAULT_STAT, EIO, false, "stat"},
    {FAULT_MEMORY, ENOMEM, false, "malloc"},
};

/* --- the library ---------------------------------------------------------- */

static bool make_library(void)
{
    char command[3 * PATH_MAX];
    int fd;

    if (!temp_file_path(library, "faults.so") || !temp_file_path(file, "faults")
        || !temp_file_path(output, "output"))
        return false;
    text_format(command, sizeof command, "cc -O1 -g -shared -fPIC "
                "-D_GNU_SOURCE -o '%.4000s' '%.4000s/grader/tests/programs/"
                "faults.c'", library, source_root());
    fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (system(command) || fd < 0 || ftruncate(fd, sizeof *faults))
        return false;
    faults = mmap(NULL, sizeof *faults, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                  0);
    close(fd);
    return faults != MAP_FAILED;
}

static void preload(void)
{
    setenv("LD_PRELOAD", library, 1);
    setenv("FAULTS", file, 1);
}

/* --- what is run ---------------------------------------------------------- */

/* A command, what it starts from, and what must be true after it. */
struct scenario {
    bool from_expected; /* the results folder is full already */
    const char *words[20];
    bool (*holds)(int code); /* after the faulty run */
    bool completes; /* the command without faults gives the expected results */
};

static const struct scenario *scenario;

static void copy_expected(void)
{
    char command[3 * PATH_MAX];

    remove_tree(class_fixture.results);
    text_format(command, sizeof command, "cp -a '%.4000s' '%.4000s'",
                class_fixture.expected, class_fixture.results);
    if (scenario->from_expected)
        CU_ASSERT_EQUAL_FATAL(system(command), 0);
}

static int run(void (*before)(void))
{
    return class_finish(class_start(scenario->words, output, before));
}

/* Ended by itself, and said what was wrong. */
static bool code_is_right(int code)
{
    return code == 0 || ((code == 2 || code == 4) && class_has_message());
}

static bool complain(const struct kind *kind, long at, int code,
                     const char *what)
{
    size_t length = 0;
    char *text = read_file(class_fixture.messages, 1 << 20, &length);

    printf("%s: call %ld of %s fails, exit status %d: %s; stderr: %s\n",
           scenario->words[0], at, kind->name, code, what, text ? text : "");
    free(text);
    return false;
}

/* One run in which one call fails. */
static bool survives(const struct kind *kind, long at)
{
    int code;
    bool held;

    copy_expected();
    memset(faults, 0, sizeof *faults);
    faults->kind = (int)kind->kind;
    faults->error = kind->error;
    faults->stays_failed = kind->stays_failed;
    faults->at = at;
    code = run(preload);
    if (!code_is_right(code))
        return complain(kind, at, code, "not a right end");
    held = scenario->holds(code);
    if (!held)
        return complain(kind, at, code, "marks or results are wrong");
    if (!scenario->completes)
        return true;
    code = run(NULL);
    return (code == 0 && class_is_equal("entries") && class_is_equal("results"))
           || complain(kind, at, code, "the next run does not complete it");
}

static void all_kinds(const struct scenario *of)
{
    long counts[FAULT_KINDS], runs = 0;

    scenario = of;
    copy_expected();
    memset(faults, 0, sizeof *faults);
    CU_ASSERT_EQUAL(run(preload), 0);
    memcpy(counts, faults->count, sizeof counts);
    CU_ASSERT(counts[FAULT_OPEN] > 0 && counts[FAULT_MEMORY] > 0);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct kind *kind = &kinds[i];
        long stride = kind->kind == FAULT_MEMORY && !only
                          ? (long)step * MEMORY_STEP : step;

        if (only && strcmp(kind->name, only))
            continue;
        for (long at = only_call ? only_call : random_int(1, (int)stride);
             at <= counts[kind->kind] && (!only_call || at == only_call);
             at += stride, runs++)
            CU_ASSERT(survives(kind, at));
    }
    printf("%s: %ld runs\n", of->words[0], runs);
}

/* --- scenarios ------------------------------------------------------------ */

/* A result equals the expected one, or is not there yet. */
static bool results_hold(int code)
{
    const char *words[] = {"gradebook", class_fixture.results, NULL};
    char command[3 * PATH_MAX];

    if (code == 0)
        return class_is_equal("entries") && class_is_equal("results");
    /* each line of the gradebook is the expected one, or has no mark */
    if (access(class_fixture.results, F_OK)
        || class_count_files(class_fixture.results, "entries") < 1)
        return true;
    if (class_finish(class_start(words, output, NULL)) != 0)
        return class_count_files(class_fixture.results, "entries") < 1;
    text_format(command, sizeof command, "grep -v 'NOT GRADED' '%.4000s' | "
                "grep -vxFf '%.4000s.book' && exit 1; exit 0", output,
                class_fixture.expected);
    return system(command) == 0;
}

/* A further entry may say that a submission could not be read this time; each
 * says when it was read last. */
static bool nothing_changed(int code)
{
    char command[5 * PATH_MAX];

    text_format(command, sizeof command, "diff -r '%.4000s/results' "
                "'%.4000s/results' && ! diff -r -I '\"read\": ' "
                "'%.4000s/entries' '%.4000s/entries' | grep -v '%s'",
                class_fixture.expected,
                class_fixture.results, class_fixture.expected,
                class_fixture.results,
                code == 4 ? "^Only in .*/results/" : "^$");
    return system(command) == 0;
}

/* The output is whole, or there is none that could be taken for it. */
static bool output_holds(int code)
{
    char command[5 * PATH_MAX];

    text_format(command, sizeof command, "[ $(wc -l <'%.4000s') = $(wc -l "
                "<'%.4000s.book') ] && ! grep -v 'NOT GRADED' '%.4000s' | "
                "grep -vxFf '%.4000s.book'", output, class_fixture.expected,
                output, class_fixture.expected);
    return code != 0 || system(command) == 0;
}

static void make_class(void)
{
    const char *words[] = {"gradebook", class_fixture.expected, NULL};
    char book[PATH_MAX], command[3 * PATH_MAX];

    class_begin("[course]\nlate = 10%/day\n");
    class_add("blank.cu", "\n", 1);
    class_add("binary.cu", "\0", 1);
    class_add("vector_add.cu", " \n", 2);
    text_format(command, sizeof command, "cd '%.4000s' && tar czf packed.tgz "
                "vector_add.cu && rm vector_add.cu && mkdir none && "
                "touch none/other.txt", class_fixture.submissions);
    CU_ASSERT_EQUAL_FATAL(system(command), 0);
    class_fixture.tier = "D"; /* as in the runs with faults */
    CU_ASSERT_EQUAL_FATAL(class_finish(class_start_autograde(
                              class_fixture.expected, "1", NULL)), 0);
    text_format(book, sizeof book, "%.4000s.book", class_fixture.expected);
    CU_ASSERT_EQUAL_FATAL(class_finish(class_start(words, book, NULL)), 0);
}

static struct scenario autograde = {
    .words = {"autograde", class_fixture.submissions, "-o",
              class_fixture.results, "--lab", "01", "--device", "soft",
              "--jobs", "1", "--seed-file", class_fixture.seed, "--course",
              class_fixture.settings, "--tier", "D"}};

static void begin(void)
{
    struct scenario begins = autograde;

    make_class();
    begins.holds = results_hold;
    begins.completes = true;
    all_kinds(&begins);
}

static void again(void)
{
    struct scenario repeats = autograde;

    repeats.from_expected = true;
    repeats.holds = nothing_changed;
    all_kinds(&repeats);
}

static void gradebook(void)
{
    static const struct scenario prints = {
        .from_expected = true,
        .words = {"gradebook", class_fixture.results},
        .holds = output_holds};

    all_kinds(&prints);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"the first run", begin},
                           {"a run that finds all done", again},
                           {"a gradebook", gradebook},
                           CU_TEST_INFO_NULL};

    if (has_sanitizer) {
        puts("skipped: the sanitizer has a malloc of its own");
        return 77;
    }
    if (!paths_init() || !make_library())
        return 2;
    step = argc > 1 ? atoi(argv[1]) : STEP;
    only = argc > 2 ? argv[2] : NULL;
    only_call = argc > 3 ? atol(argv[3]) : 0;
    random_seed(random_system_seed(), "faults");
    return run_tests("autograde, calls that fail", tests);
}
