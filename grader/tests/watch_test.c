/* SPDX-License-Identifier: MIT */
/* Reports of instrumented runners are untrusted: files, members and counts. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/grade/grade.h"
#include "common/base/tests/run_tests.h"
#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"

static char folder[PATH_MAX], path[PATH_MAX + 16];

static bool is_ours; /* of the last reading */

/* Reads this text as a report. */
static json_t *read_text(const char *text, char *reason)
{
    unlink(path);
    CU_ASSERT_TRUE(write_file(path, text, strlen(text)));
    return read_report(path, reason, &is_ours);
}

/* The report is refused for this reason. */
static void refused(const char *what)
{
    char reason[256] = "";

    CU_ASSERT_PTR_NULL(read_report(path, reason, &is_ours));
    CU_ASSERT_PTR_NOT_NULL(strstr(reason, what));
    if (!strstr(reason, what))
        printf("    %s\n", reason);
}

/* Files that must not be read instead of a report. */
static void rejects_special_files(void)
{
    int fd;

    unlink(path);
    refused("no report");
    CU_ASSERT_EQUAL(symlink("/dev/zero", path), 0);
    refused("no report");
    unlink(path);
    CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
    refused("not a regular file of at most");
    unlink(path);
    CU_ASSERT_EQUAL(mkdir(path, 0700), 0);
    refused("not a regular file of at most");
    rmdir(path);
    fd = open(path, O_CREAT | O_WRONLY, 0600);
    CU_ASSERT_EQUAL(ftruncate(fd, 17 << 20), 0);
    close(fd);
    refused("not a regular file of at most");
}

/* Text that is no JSON, or JSON of another form. */
static void rejects_malformed_reports(void)
{
    static char deep[100001];
    const char *const texts[] = {
        "", "{", "[]", "{\"findings\": []}",
        "{\"findings\": {}, \"kernels\": []}", deep};
    char reason[256];

    memset(deep, '[', sizeof deep - 1);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        CU_ASSERT_PTR_NULL(read_text(texts[i], reason));
        CU_ASSERT_PTR_NOT_NULL(strstr(reason, "not the expected form"));
    }
}

#define RACE                                                                  \
    "{\"kind\": \"race_shared\", \"kernel\": \"k\\u001b[2J\", "               \
    "\"file\": \"/a/b.cu\", \"line\": 7, \"column\": 3, \"count\": 2, "       \
    "\"other_file\": \"b.cu\", \"other_line\": 9, \"block\": [1, 2], "        \
    "\"message\": \"one\\ntwo\"}"

/* Unknown kinds are ignored, wrong types are empty, the most serious finding is
 * first, and the same finding of two cases is merged. */
static void findings(void)
{
    static struct watch watch;
    char reason[256];
    json_t *report = read_text(
        "{\"findings\": [3, {\"kind\": \"gossip\"}, {\"kind\": \"leak\", "
        "\"line\": \"x\", \"message\": 5, \"count\": \"-4\"}, " RACE "], "
        "\"kernels\": []}", reason);

    CU_ASSERT_PTR_NOT_NULL_FATAL(report);
    memset(&watch, 0, sizeof watch);
    collect_findings(report, &watch);
    collect_findings(report, &watch);
    CU_ASSERT_EQUAL(watch.findings, 2);
    CU_ASSERT_STRING_EQUAL(watch.finding[0].kind, "race_shared");
    CU_ASSERT_STRING_EQUAL(watch.finding[0].kernel, "k?[2J");
    CU_ASSERT_STRING_EQUAL(watch.finding[0].location, "b.cu:7:3");
    CU_ASSERT_STRING_EQUAL(watch.finding[0].other_location, "b.cu:9");
    CU_ASSERT_STRING_EQUAL(watch.finding[0].message, "one two");
    CU_ASSERT_EQUAL(watch.finding[0].count, 4);
    CU_ASSERT_EQUAL(watch.finding[0].block[1], 2);
    CU_ASSERT_EQUAL(watch.finding[0].block[2], 0);
    CU_ASSERT_STRING_EQUAL(watch.finding[1].location, "");
    CU_ASSERT_EQUAL(watch.finding[1].count, 2);
    json_decref(report);
}

/* More than the list holds: the first ones are kept. */
static void findings_beyond_the_list(void)
{
    static struct watch watch;
    json_t *list = json_array(), *report;

    for (int i = 1; i <= 2 * MAX_FINDINGS; i++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:i}", "kind", "leak",
                                              "file", "a.cu", "line", i));
    report = json_pack("{s:o}", "findings", list);
    collect_findings(report, &watch);
    CU_ASSERT_EQUAL(watch.findings, MAX_FINDINGS);
    json_decref(report);
}

/* Files of this project are shown with their folder, submissions without. */
static void parses_locations(void)
{
    static struct watch watch;
    char text[2 * PATH_MAX], reason[256];
    json_t *report;

    snprintf(text, sizeof text,
             "{\"findings\": [{\"kind\": \"leak\", \"message\": "
             "\"a tale\", \"file\": "
             "\"%s/solutions/15_optimizers/3_vectorized.cu\", \"line\": 5, "
             "\"other_file\": \"%s/labs/16_cnn_trainer/cnn_trainer.cu\", "
             "\"other_line\": 9}], \"kernels\": []}", source_root(),
             source_root());
    report = read_text(text, reason);
    CU_ASSERT_PTR_NOT_NULL_FATAL(report);
    collect_findings(report, &watch);
    CU_ASSERT_STRING_EQUAL(watch.finding[0].location,
                           "solutions/15_optimizers/3_vectorized.cu:5");
    CU_ASSERT_STRING_EQUAL(watch.finding[0].other_location, "cnn_trainer.cu:9");
    tell_references(&(struct lab){.number = 15}, &watch); /* its own file */
    CU_ASSERT_STRING_EQUAL(watch.finding[0].message, "a tale");
    for (int i = 0; i < 2; i++) /* it is told once */
        tell_references(&(struct lab){.number = 16}, &watch);
    CU_ASSERT_STRING_EQUAL(watch.finding[0].message,
                           "a tale (in the reference of lab 15, which your "
                           "file called: look at the arguments)");
    json_decref(report);
}

/* The function of lab 12 that launches the kernel is named; of a kernel that no
 * function launches none is. */
static void names_called_function(void)
{
    static struct watch watch = {
        .findings = 3,
        .finding = {{.location = "solutions/12_layers/maxpool.h:39:50",
                     .kind = "out_of_bounds", .kernel = "maxpool_kernel",
                     .message = "stray"},
                    {.location = "solutions/12_layers/maxpool.h:39:50",
                     .kind = "out_of_bounds", .kernel = "another",
                     .message = "stray"},
                    {.location = "solutions/12_layers/maxpool.h:39:50",
                     .kind = "uninitialized_global", .kernel = "another",
                     .message = "unset"}}};

    tell_references(&(struct lab){.number = 16}, &watch);
    CU_ASSERT_STRING_EQUAL(watch.finding[0].message,
                           "stray (in the reference of lab 12, which your file "
                           "called: look at the arguments of maxpool_forward)");
    CU_ASSERT_STRING_EQUAL(watch.finding[1].message,
                           "stray (in the reference of lab 12, which your file "
                           "called: look at the arguments)");
    CU_ASSERT_STRING_EQUAL(watch.finding[2].message,
                           "unset (in the reference of lab 12, which your file "
                           "called: was all that it reads written before? Look "
                           "at the arguments)");
}

/* Metrics of the timeline. */
static void reads_timeline(void)
{
    bool is_complete;
    double value;
    json_t *report =
        json_loads("{\"kernels\": [], \"timeline\": {\"until_ns\": "
                   "1500, \"calls\": -3}}",
                   0, NULL);

    CU_ASSERT_TRUE(metric_read(report, METRIC_TIMELINE, &value, &is_complete));
    CU_ASSERT_EQUAL(value, 1500);
    CU_ASSERT_FALSE(metric_read(report, METRIC_CALLS, &value, &is_complete));
    json_object_del(report, "timeline");
    CU_ASSERT_FALSE(metric_read(report, METRIC_TIMELINE, &value, &is_complete));
    json_decref(report);
}

/* A count of some blocks is extrapolated. */
static void is_sampled(void)
{
    bool is_complete;
    double value;
    json_t *kernels = json_loads("[{\"flop_tensor\": 2, \"launches\": 1, "
                                 "\"blocks\": 6, \"blocks_watched\": 2}]",
                                 0, NULL);
    json_t *kernel = json_array_get(kernels, 0);

    CU_ASSERT_TRUE(metric_sum(kernels, METRIC_TENSOR, &value, &is_complete));
    CU_ASSERT_EQUAL(value, 6);
    CU_ASSERT_FALSE(is_complete);
    CU_ASSERT_TRUE(metric_sum(kernels, METRIC_LAUNCHES, &value, &is_complete));
    CU_ASSERT_EQUAL(value, 1);
    CU_ASSERT_TRUE(is_complete);
    json_object_set_new(kernel, "library", json_true());
    CU_ASSERT_TRUE(metric_sum(kernels, METRIC_TENSOR, &value, &is_complete));
    CU_ASSERT_TRUE(is_complete);
    json_object_del(kernel, "library");
    json_object_set_new(kernel, "blocks_watched", json_integer(6));
    CU_ASSERT_TRUE(metric_sum(kernels, METRIC_TENSOR, &value, &is_complete));
    CU_ASSERT_EQUAL(value, 2);
    CU_ASSERT_TRUE(is_complete);
    json_decref(kernels);
}

/* Anything but a count is rejected, not taken for 0. */
static void counts(void)
{
    static const char *const bad[] = {
        "null", "-1", "2.5", "\"3\"", "1e300", "9007199254740993"};
    bool is_complete;
    double value;
    json_t *kernels = json_loads(
        "[{\"flop_tensor\": 2}, {\"flop_tensor\": 3}]", 0, NULL);

    CU_ASSERT_TRUE(metric_sum(kernels, METRIC_TENSOR, &value, &is_complete));
    CU_ASSERT_EQUAL(value, 5);
    CU_ASSERT_FALSE(metric_sum(kernels, METRIC_LAUNCHES, &value, &is_complete));
    json_decref(kernels);
    CU_ASSERT_FALSE(metric_sum(NULL, METRIC_TENSOR, &value, &is_complete));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[64];

        text_format(text, sizeof text, "[{\"flop_tensor\": %s}]", bad[i]);
        kernels = json_loads(text, 0, NULL);
        CU_ASSERT_FALSE(
            metric_sum(kernels, METRIC_TENSOR, &value, &is_complete));
        json_decref(kernels);
    }
}

/* One block of four makes 9 of 12 requests; of the other kernel's two launches
 * one block each makes all of its 6. */
static void counts_serial_share(void)
{
    json_t *kernels = json_loads(
        "[{\"blocks\": 4, \"blocks_watched\": 4, \"launches\": 1, "
        "\"global_load_requests\": 8, \"global_store_requests\": 4, "
        "\"global_atomic_requests\": 0, \"global_busiest_requests\": 9}, "
        "{\"blocks\": 2, \"blocks_watched\": 2, \"launches\": 2, "
        "\"global_load_requests\": 6, \"global_store_requests\": 0, "
        "\"global_atomic_requests\": 0, \"global_busiest_requests\": 6}]",
        0, NULL);
    bool is_complete = false;
    double value = 0;

    CU_ASSERT_TRUE(metric_sum(kernels, METRIC_SERIAL, &value, &is_complete));
    CU_ASSERT_TRUE(is_complete);
    CU_ASSERT_DOUBLE_EQUAL(value, 100 * 15 / 18.0, 1e-9);
    json_decref(kernels);
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"special files are rejected", rejects_special_files},
        {"malformed reports are rejected", rejects_malformed_reports},
        {"findings are parsed and sanitized", findings},
        {"more findings than the list holds", findings_beyond_the_list},
        {"the share of one block", counts_serial_share},
        {"locations", parses_locations},
        {"called functions are named", names_called_function},
        {"invalid counts are rejected", counts},
        {"sampled counts", is_sampled},
        {"timeline", reads_timeline},
        CU_TEST_INFO_NULL};

    if (!paths_init() || !temp_dir_create(folder))
        return 2;
    text_format(path, sizeof path, "%s/report", folder);
    return run_tests("watched runs", tests);
}
