/* SPDX-License-Identifier: MIT */
/* The corpus of attacks and their honest twins, graded by the program itself.
 *
 *     attack_test [tier=T] [PATTERN...]
 *
 * PATTERN picks rows whose id or group is equal to it, or whose file begins so.
 * T is the tier of the boxes, A to D; the default is the one in which autograde
 * gives marks on this machine.  Rows that need a stronger one are not run,
 * unless PATTERN names them.
 * Without one, the rows are those of today: a quarter of the table, another one
 * each day (under sanitizers a sixteenth, without twins).  The environment may
 * say otherwise:
 *
 *     ATTACK_TIER    the same as tier=T
 *     ATTACK_PART    all, or 2/4: the second quarter
 *     ATTACK_REPEAT  how often each twin is graded; default once; 0: no twins
 *     ATTACK_TWINS   set: the twins alone
 *     ATTACK_LOG     set: a line on stderr for each row and twin
 *     ATTACK_JOBS    cases that are graded side by side; default: one a
 *                    processor, two at least, since many only wait
 *
 * After each case no process of the submission may remain: each case has a
 * process that is their subreaper. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "attack.h"
#include "common/base/paths.h"
#include "common/base/process.h"
#include "common/base/tests/run_tests.h"
#include "common/base/text.h"
#include "pool.h"
#include "summary.h"

/* A test of CUnit: a row's attack, or its twin. */
struct run {
    struct attack *row;
    bool is_twin;
    char name[2 * ATTACK_WORD];
};

static struct attack rows[ATTACK_ROWS];
static struct run runs[2 * ATTACK_ROWS];
static enum attack_outcome outcome[ATTACK_ROWS];
static size_t row_count, run_count;
static int current, repeats = 1;

static bool no_process_left(void)
{
    struct tree tree;

    tree_read(getpid(), &tree);
    return tree.processes == 1;
}

/* A row that holds must hold; a known gap that holds is none any more.  An
 * attack that a busy machine did not let come to its end has shown nothing,
 * and is tried once more. */
static bool attack_is_as_known(const struct attack *row)
{
    char reason[ATTACK_REASON] = "";
    int line = 0;
    json_t *result = attack_grade(row, row->file, 1, &line, reason);
    bool held, as_known;

    if (result && !*reason && attack_was_cut_short(row, result)) {
        json_decref(result);
        result = attack_grade(row, row->file, 1, &line, reason);
    }
    held = result && !*reason && attack_is_held(row, result, line, reason);
    as_known = result && held == (row->state == ATTACK_HOLDS);

    if (getenv("ATTACK_LOG"))
        fprintf(stderr, "%s %s: %s %s\n", row->id, row->file,
                held ? "held" : "not held", reason);
    if (!as_known)
        printf("    not ok %s %s: %s\n", row->id, row->file,
               held ? "the gap is closed: the table must say so" : reason);
    else if (!held)
        printf("    known gap %s %s: %s (now: %s)\n", row->id, row->file,
               row->note, reason);
    json_decref(result);
    return as_known;
}

/* A class is graded as often as asked; a file is compiled once, and graded
 * until a grade is wrong. */
static bool twin_passes(const struct attack *row)
{
    const bool is_class = row->method == ATTACK_AUTOGRADE;
    char reason[ATTACK_REASON] = "";
    int line, wrong = 0;

    for (int i = 0; i < (is_class ? repeats : 1); i++) {
        json_t *result = attack_grade(row, row->twin, is_class ? 1 : repeats,
                                      &line, reason);

        if (!result || *reason
            || !attack_twin_passes(row, result, reason)) {
            printf("    not ok %s: %s\n", row->twin, reason);
            wrong++;
        }
        json_decref(result);
    }
    if (getenv("ATTACK_LOG"))
        fprintf(stderr, "%s: %d wrong\n", row->twin, wrong);
    return wrong == 0;
}

/* Results of a run. */
enum { RUN_GOOD, RUN_WRONG = 1, RUN_LEFT_PROCESS = 2 };

/* In a process of its own. */
static int grade_run(int number)
{
    const struct run *run = &runs[number];
    const bool good = run->is_twin ? twin_passes(run->row)
                                   : attack_is_as_known(run->row);

    return (good ? RUN_GOOD : RUN_WRONG)
           | (no_process_left() ? 0 : RUN_LEFT_PROCESS);
}

/* CUnit's tests take no argument: each run uses the next one. */
static void check_run(void)
{
    const struct run *run = &runs[current];
    const int result = pool_result(current++);
    const bool as_known = result == RUN_GOOD || result == RUN_LEFT_PROCESS;

    if (!run->is_twin)
        outcome[run->row - rows] = as_known ? ATTACK_AS_KNOWN
                                            : ATTACK_NOT_AS_KNOWN;
    CU_ASSERT_NOT_EQUAL(result, POOL_FAILED);
    CU_ASSERT_TRUE(as_known);
    CU_ASSERT_NOT_EQUAL(result & RUN_LEFT_PROCESS, RUN_LEFT_PROCESS);
}

/* --- what is run ---------------------------------------------------------- */

/* "2/4" as rest 1 and 4; "all" as 0 and 1. */
static bool read_part(const char *text, unsigned *rest, unsigned *parts)
{
    const unsigned days = (unsigned)(time(NULL) / 86400);
    unsigned number;

#ifdef __SANITIZE_ADDRESS__
    *parts = 32;
#else
    *parts = 4;
#endif
    *rest = days % *parts;
    if (!text)
        return true;
    if (!strcmp(text, "all")) {
        *rest = 0;
        *parts = 1;
        return true;
    }
    if (sscanf(text, "%u/%u", &number, parts) != 2 || number == 0
        || number > *parts)
        return false;
    *rest = number - 1;
    return true;
}

static bool is_picked(const struct attack *row, int patterns, char **pattern)
{
    for (int i = 0; i < patterns; i++)
        if (!strcmp(row->id, pattern[i])
            || (!pattern[i][1] && row->id[0] == pattern[i][0])
            || !strncmp(row->file, pattern[i], strlen(pattern[i])))
            return true;
    return patterns == 0;
}

static bool is_known_twin(const char *twin)
{
    for (size_t i = 0; i < run_count; i++)
        if (runs[i].is_twin && !strcmp(runs[i].row->twin, twin))
            return true;
    return false;
}

static void add_run(struct attack *row, bool is_twin)
{
    struct run *run = &runs[run_count++];

    run->row = row;
    run->is_twin = is_twin;
    text_format(run->name, sizeof run->name, "%s %s", row->id,
                is_twin ? row->twin : row->file);
}

/* Rows that can be run, each with its twin if no earlier one has the same. */
static void choose(unsigned rest, unsigned parts, int patterns, char **pattern)
{
    unsigned runnable = 0;

    for (size_t i = 0; i < row_count; i++) {
        struct attack *row = &rows[i];

        if (row->state == ATTACK_CARD || row->state == ATTACK_NOWHERE
            || !strcmp(row->file, "-") || (row->is_long && parts > 1)
            || (patterns == 0 && *attack_tier() > row->tier))
            continue;
        if (runnable++ % parts != rest || !is_picked(row, patterns, pattern))
            continue;
        if (!getenv("ATTACK_TWINS"))
            add_run(row, false);
#ifdef __SANITIZE_ADDRESS__
        if (patterns == 0 && !getenv("ATTACK_PART"))
            continue;
#endif
        if (repeats > 0 && *row->twin && !is_known_twin(row->twin))
            add_run(row, true);
    }
}

/* Without mount namespaces, what an honest twin has in a shared place for a
 * while would be another case's. */
static int jobs(void)
{
    const char *given = getenv("ATTACK_JOBS");
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);

    if (*attack_tier() > 'B')
        return 1;
    if (given && atoi(given) > 0)
        return atoi(given);
    return processors > 2 ? (int)processors : 2;
}

int main(int argc, char **argv)
{
    static CU_TestInfo tests[2 * ATTACK_ROWS + 1];
    const char *part = getenv("ATTACK_PART"), *times = getenv("ATTACK_REPEAT");
    const char *tier = getenv("ATTACK_TIER");
    char path[PATH_MAX];
    unsigned rest, parts;
    int status;

    if (!paths_init())
        return 2;
    if (argc > 1 && !strncmp(argv[1], "tier=", 5)) {
        tier = argv[1] + 5;
        argv++;
        argc--;
    }
    if (tier && *tier && !attack_set_tier(tier)) {
        fprintf(stderr, "attack_test: a tier is A, B, C or D\n");
        return 2;
    }
    if (!read_part(argc > 1 && !part ? "all" : part, &rest, &parts)) {
        fprintf(stderr, "attack_test: ATTACK_PART is all or 2/4\n");
        return 2;
    }
    if (times && atoi(times) >= 0)
        repeats = atoi(times);
    row_count = attack_read_table(
        root_path(path, "grader/tests/attack/table"), rows);
    choose(rest, parts, argc - 1, argv + 1);
    for (size_t i = 0; i < run_count; i++)
        tests[i] = (CU_TestInfo){runs[i].name, check_run};
    pool_open((int)run_count, jobs(), grade_run);
    printf("part %u of %u (ATTACK_PART=%u/%u), in boxes of tier %s\n", rest + 1,
           parts, rest + 1, parts, attack_tier());
    status = row_count ? run_tests("attack", tests) : 2;
    attack_print_summary(rows, outcome, row_count);
    return status;
}
