/* SPDX-License-Identifier: MIT */
/* A watched runner's report is somebody else's file, and its counts are
 * somebody else's word. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grade.h"
#include "grader_tests.h"
#include "house.h"
#include "text.h"

static char folder[PATH_MAX], path[PATH_MAX + 16];

/* Reads this text as a report. */
static json_t *read_text(const char *text, char *why)
{
    unlink(path);
    CU_ASSERT_TRUE(write_whole(path, text, strlen(text)));
    return watch_read(path, why);
}

static void refused(const char *what)
{
    char why[256] = "";

    CU_ASSERT_PTR_NULL(watch_read(path, why));
    CU_ASSERT_PTR_NOT_NULL(strstr(why, what));
    if (!strstr(why, what))
        printf("    %s\n", why);
}

/* Where the report should be lies something that must not be read. */
static void odd_files(void)
{
    int fd;

    unlink(path);
    refused("no report");
    CU_ASSERT_EQUAL(symlink("/dev/zero", path), 0);
    refused("no report");
    unlink(path);
    CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
    refused("no file of at most");
    unlink(path);
    CU_ASSERT_EQUAL(mkdir(path, 0700), 0);
    refused("no file of at most");
    rmdir(path);
    fd = open(path, O_CREAT | O_WRONLY, 0600);
    CU_ASSERT_EQUAL(ftruncate(fd, 17 << 20), 0);
    close(fd);
    refused("no file of at most");
}

static void odd_texts(void)
{
    static char deep[100001];
    const char *const texts[] = {
        "", "{", "[]", "{\"findings\": []}",
        "{\"findings\": {}, \"kernels\": []}", deep};
    char why[256];

    memset(deep, '[', sizeof deep - 1);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        CU_ASSERT_PTR_NULL(read_text(texts[i], why));
        CU_ASSERT_PTR_NOT_NULL(strstr(why, "not one of the watchers"));
    }
}

#define RACE                                                                  \
    "{\"kind\": \"race_shared\", \"kernel\": \"k\\u001b[2J\", "               \
    "\"file\": \"/a/b.cu\", \"line\": 7, \"column\": 3, \"count\": 2, "       \
    "\"other_file\": \"b.cu\", \"other_line\": 9, \"block\": [1, 2], "        \
    "\"message\": \"one\\ntwo\"}"

/* Unknown kinds go, wrong types are empty, the most telling comes first, and
 * the same defect of two cases is one. */
static void findings(void)
{
    static struct watch watch;
    char why[256];
    json_t *report = read_text(
        "{\"findings\": [3, {\"kind\": \"gossip\"}, {\"kind\": \"leak\", "
        "\"line\": \"x\", \"message\": 5, \"count\": -4}, " RACE "], "
        "\"kernels\": []}", why);

    CU_ASSERT_PTR_NOT_NULL_FATAL(report);
    memset(&watch, 0, sizeof watch);
    watch_collect(report, &watch);
    watch_collect(report, &watch);
    CU_ASSERT_EQUAL(watch.findings, 2);
    CU_ASSERT_STRING_EQUAL(watch.finding[0].kind, "race_shared");
    CU_ASSERT_STRING_EQUAL(watch.finding[0].kernel, "k?[2J");
    CU_ASSERT_STRING_EQUAL(watch.finding[0].place, "b.cu:7:3");
    CU_ASSERT_STRING_EQUAL(watch.finding[0].other, "b.cu:9");
    CU_ASSERT_STRING_EQUAL(watch.finding[0].message, "one two");
    CU_ASSERT_EQUAL(watch.finding[0].count, 4);
    CU_ASSERT_EQUAL(watch.finding[0].block[1], 2);
    CU_ASSERT_EQUAL(watch.finding[0].block[2], 0);
    CU_ASSERT_STRING_EQUAL(watch.finding[1].place, "");
    CU_ASSERT_EQUAL(watch.finding[1].count, 2);
    json_decref(report);
}

/* A file of the house is told with its folder, a submission by its name. */
static void places(void)
{
    static struct watch watch;
    char text[2 * PATH_MAX], why[256];
    json_t *report;

    snprintf(text, sizeof text,
             "{\"findings\": [{\"kind\": \"leak\", \"file\": "
             "\"%s/solutions/15_optimizers/3_wide.cu\", \"line\": 5, "
             "\"other_file\": \"%s/labs/16_cnn_trainer/cnn_trainer.cu\", "
             "\"other_line\": 9}], \"kernels\": []}", house_root(),
             house_root());
    report = read_text(text, why);
    CU_ASSERT_PTR_NOT_NULL_FATAL(report);
    watch_collect(report, &watch);
    CU_ASSERT_STRING_EQUAL(watch.finding[0].place,
                           "solutions/15_optimizers/3_wide.cu:5");
    CU_ASSERT_STRING_EQUAL(watch.finding[0].other, "cnn_trainer.cu:9");
    json_decref(report);
}

/* The time line's figures are not the kernels'. */
static void time_line(void)
{
    bool whole;
    double value;
    json_t *report = json_loads("{\"kernels\": [], \"timeline\": {\"until_ns\": "
                                "1500, \"calls\": -3}}", 0, NULL);

    CU_ASSERT_TRUE(cost_find(report, COST_TIMELINE, &value, &whole));
    CU_ASSERT_EQUAL(value, 1500);
    CU_ASSERT_FALSE(cost_find(report, COST_CALLS, &value, &whole));
    json_object_del(report, "timeline");
    CU_ASSERT_FALSE(cost_find(report, COST_TIMELINE, &value, &whole));
    json_decref(report);
}

/* A count of some blocks is an estimate of the kernel's. */
static void sampled(void)
{
    bool whole;
    double value;
    json_t *kernels = json_loads("[{\"barriers\": 2, \"launches\": 1, "
                                 "\"blocks\": 6, \"blocks_watched\": 2}]",
                                 0, NULL);
    json_t *kernel = json_array_get(kernels, 0);

    CU_ASSERT_TRUE(cost_count(kernels, COST_BARRIERS, &value, &whole));
    CU_ASSERT_EQUAL(value, 6);
    CU_ASSERT_FALSE(whole);
    CU_ASSERT_TRUE(cost_count(kernels, COST_LAUNCHES, &value, &whole));
    CU_ASSERT_EQUAL(value, 1);
    CU_ASSERT_TRUE(whole);
    json_object_set_new(kernel, "library", json_true());
    CU_ASSERT_TRUE(cost_count(kernels, COST_BARRIERS, &value, &whole));
    CU_ASSERT_TRUE(whole);
    json_object_del(kernel, "library");
    json_object_set_new(kernel, "blocks_watched", json_integer(6));
    CU_ASSERT_TRUE(cost_count(kernels, COST_BARRIERS, &value, &whole));
    CU_ASSERT_EQUAL(value, 2);
    CU_ASSERT_TRUE(whole);
    json_decref(kernels);
}

/* What is no count is none: it is not taken for 0. */
static void counts(void)
{
    static const char *const bad[] = {
        "null", "-1", "2.5", "\"3\"", "1e300", "9007199254740993"};
    bool whole;
    double value;
    json_t *kernels = json_loads("[{\"barriers\": 2}, {\"barriers\": 3}]", 0,
                                 NULL);

    CU_ASSERT_TRUE(cost_count(kernels, COST_BARRIERS, &value, &whole));
    CU_ASSERT_EQUAL(value, 5);
    CU_ASSERT_FALSE(cost_count(kernels, COST_LAUNCHES, &value, &whole));
    json_decref(kernels);
    CU_ASSERT_FALSE(cost_count(NULL, COST_BARRIERS, &value, &whole));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[64];

        text_put(text, sizeof text, "[{\"barriers\": %s}]", bad[i]);
        kernels = json_loads(text, 0, NULL);
        CU_ASSERT_FALSE(cost_count(kernels, COST_BARRIERS, &value, &whole));
        json_decref(kernels);
    }
}

/* --- points ----------------------------------------------------------------
 * A lab of one watched case: 10 points when clean, two budgets of 8 and 4. */

static const struct suite_test none[] = {{0}};
static const struct suite suite = {"99_test", none, none, none};
static struct lab lab;
static struct report report;

static struct counted *judged(enum cost cost, double value, double least)
{
    struct counted *counted = &report.watch.cases[0].cost[cost];

    *counted = (struct counted){.known = true, .value = value, .least = least,
                                .unit = 100, .per = "x the least"};
    return counted;
}

static void begin(double sectors, double conflicts)
{
    memset(&report, 0, sizeof report);
    lab = (struct lab){
        .suite = &suite, .clean = 10, .costs = 2,
        .cost = {{.cost = COST_SECTORS, .tiers = 2, .most = {8, 1.05},
                  .points = {2, 8}},
                 {.cost = COST_CONFLICTS, .tiers = 1, .most = {0},
                  .points = {4}}}};
    report.watched = true;
    report.watch.cases[0].done = true;
    judged(COST_SECTORS, sectors, 100);
    judged(COST_CONFLICTS, conflicts, 0);
}

static double score(void)
{
    const struct target target = {.kind = DEVICE_SOFT};
    const struct task task = {.lab = &lab, .target = &target};

    grade_watch_score(&task, &report);
    CU_ASSERT_EQUAL(report.max_score, 22);
    return report.score;
}

static void tiers(void)
{
    begin(100, 0);
    CU_ASSERT_EQUAL(score(), 22);
    begin(105, 0); /* the very edge */
    CU_ASSERT_EQUAL(score(), 22);
    begin(106, 0); /* what comes after is not yet counted */
    CU_ASSERT_EQUAL(score(), 12);
    CU_ASSERT_EQUAL(report.cost[0].verdict, SLOW);
    CU_ASSERT_PTR_NOT_NULL(strstr(report.cost[0].message,
                                  "at most 1.05 for 8 points"));
    CU_ASSERT_PTR_NOT_NULL(strstr(report.cost[1].message, "first bring down"));
    begin(801, 0);
    CU_ASSERT_EQUAL(score(), 10);
    begin(100, 1);
    CU_ASSERT_EQUAL(score(), 18);
    begin(100, 0);
    report.watch.cases[0].cost[COST_SECTORS].known = false;
    CU_ASSERT_EQUAL(score(), 10);
    CU_ASSERT_EQUAL(report.cost[0].verdict, UNMEASURED);
}

/* Fewer than any right program needs: nothing, and a person is told. */
static void too_good(void)
{
    begin(99, 0);
    CU_ASSERT_EQUAL(score(), 10);
    CU_ASSERT_PTR_NOT_NULL(strstr(report.cost[0].review, "at least 100"));
    CU_ASSERT_STRING_EQUAL(report.cost[1].review, "");
}

/* Points for how it runs are only for what runs right. */
static void wrong_programs(void)
{
    begin(100, 0);
    report.verdict = WRONG;
    CU_ASSERT_EQUAL(score(), 0);
    begin(100, 0);
    report.watch.cases[0].outcome.verdict = CRASHED;
    CU_ASSERT_EQUAL(score(), 0);
    CU_ASSERT_EQUAL(report.clean.verdict, CRASHED);
    begin(100, 0);
    report.watch.findings = 1;
    report.watch.finding[0] = (struct finding){.kind = "leak", .words = "leak"};
    CU_ASSERT_EQUAL(score(), 12);
    CU_ASSERT_EQUAL(report.clean.verdict, WRONG);
    begin(100, 0);
    report.watched = false; /* nobody looked: no points, no blame */
    CU_ASSERT_EQUAL(score(), 0);
    CU_ASSERT_EQUAL(report.clean.verdict, PASS);
}

/* Is a program that moved so many sectors, of 100, taken for undone? */
static bool undone(double sectors, bool all_blocks)
{
    static const struct suite_test one[] = {{"one", "a case", NULL}, {0}};
    static const struct suite watched = {"99_test", none, none, one};
    const struct task task = {.lab = &lab};

    begin(100, 0);
    lab.suite = &watched;
    lab.tests = 1;
    judged(COST_SECTORS, sectors, 100)->known = all_blocks;
    report.watch.cases[0].cost[COST_SECTORS].sampled = !all_blocks;
    grade_work(&task, &report);
    CU_ASSERT_EQUAL(report.test[0].verdict, report.undone ? WRONG : PASS);
    return report.undone;
}

/* Who did not do it is not saved by a kernel that runs for too long. */
static void work(void)
{
    CU_ASSERT_FALSE(undone(100, true));
    CU_ASSERT_TRUE(undone(99, true));
    CU_ASSERT_FALSE(undone(60, false));
    CU_ASSERT_TRUE(undone(40, false));
}

int main(void)
{
    CU_TestInfo tests[] = {{"no plain file", odd_files},
                           {"no report", odd_texts},
                           {"findings are taken and cleaned", findings},
                           {"places", places},
                           {"counts are counts", counts},
                           {"counts of some blocks", sampled},
                           {"too little work", work},
                           {"time line", time_line},
                           {"tiers", tiers},
                           {"counts too good to be true", too_good},
                           {"wrong programs earn nothing", wrong_programs},
                           CU_TEST_INFO_NULL};

    if (!house_find() || !make_temporary(folder))
        return 2;
    text_put(path, sizeof path, "%s/report", folder);
    return run_tests("watched runs", tests);
}
