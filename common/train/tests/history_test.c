/* SPDX-License-Identifier: MIT */
/* The learning curve within epochs: values of points, and merging. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/tests/run_tests.h"
#include "common/base/files.h"
#include "common/base/tests/scratch.h"
#include "common/train/metrics.h"
#include "common/train/page.h"
#include "common/train/report.h"

/* An empty history. */
static struct history *make(void)
{
    struct history *history = calloc(1, sizeof *history);

    CU_ASSERT_FATAL(history != NULL);
    return history;
}

/* A point is the mean since the previous point, not since the start of the
 * epoch. */
static void since_the_last(void)
{
    struct history *history = make();

    history_add_point(history, 16, 0.5, (float[]){200, 50}, 100);
    history_add_point(history, 32, 1, (float[]){300, 140}, 200);
    CU_ASSERT_EQUAL(history->points, 2);
    CU_ASSERT_EQUAL(history->point[0][POINT_LOSS], 2);
    CU_ASSERT_EQUAL(history->point[0][POINT_ACCURACY], 0.5f);
    CU_ASSERT_EQUAL(history->point[1][POINT_LOSS], 1);
    CU_ASSERT_EQUAL(history->point[1][POINT_ACCURACY], 0.9f);
    CU_ASSERT_EQUAL(history->point[1][POINT_STEP], 32);
    CU_ASSERT_EQUAL(history->point[1][POINT_EPOCH], 1);
    free(history);
}

/* Point i has loss i; after merging, point i is the mean of 2i and 2i + 1. */
static void merges(void)
{
    struct history *history = make();

    for (int i = 0; i <= HISTORY_POINTS; i++) {
        history->mark[0] = history->mark[1] = history->mark[2] = 0;
        history_add_point(history, i, i / 10.0, (float[]){(float)i, 1}, 1);
    }
    CU_ASSERT_EQUAL(history->points, HISTORY_POINTS / 2 + 1);
    for (int i = 0; i < HISTORY_POINTS / 2; i++) {
        CU_ASSERT_EQUAL(history->point[i][POINT_LOSS], 2 * (float)i + 0.5f);
        CU_ASSERT_EQUAL(history->point[i][POINT_STEP], 2 * (float)i + 1);
    }
    CU_ASSERT_EQUAL(history->point[HISTORY_POINTS / 2][POINT_LOSS],
                    HISTORY_POINTS);
    free(history);
}

/* Epochs without a limit; the best one is the first with the smallest
 * validation loss. */
static void many_epochs(void)
{
    struct history *history = make();

    CU_ASSERT_EQUAL(history_best(history), -1);
    for (size_t i = 0; i < 5000; i++) {
        CU_ASSERT_FATAL(history_reserve(history, i + 1, NULL));
        history->row[i][EPOCH_VALIDATION_LOSS] =
            i % 2 ? NAN : (float)(100 + (i - 4200) * (i - 4200) / 10);
        history->count++;
    }
    CU_ASSERT_EQUAL(history_best(history), 4198);
    CU_ASSERT_EQUAL(history->row[8][EPOCH_VALIDATION_LOSS],
                    100 + 4192 * 4192 / 10);
    history_free(history);
    free(history);
}

/* The plot has a dot for the test metrics of the epoch and a line of points. */
static void draws_one_epoch(void)
{
    struct history *history = make();
    struct failure why = {""};
    char path[PATH_BYTES], text[8192] = "", *dot;
    FILE *file;

    CU_ASSERT_FATAL(history_reserve(history, 1, &why));
    for (int j = 0; j < EPOCH_COLUMNS; j++)
        history->row[0][j] = j == EPOCH_NUMBER ? 1 : NAN;
    history->row[0][EPOCH_LOSS] = 1;
    history->row[0][EPOCH_ACCURACY] = 0.5f;
    history->row[0][EPOCH_TEST_LOSS] = 0.5f;
    history->row[0][EPOCH_TEST_ACCURACY] = 0.75f;
    history->count = 1;
    history_add_point(history, 1, 0.5, (float[]){20, 3}, 10);
    history_add_point(history, 2, 1, (float[]){25, 12}, 20);
    scratch_path(path, "curves.svg");
    path[strlen(path) - strlen("/curves.svg")] = 0;
    CU_ASSERT_FATAL(history_write_svg(history, path, &why));
    file = fopen(scratch_path(path, "curves.svg"), "r");
    CU_ASSERT_FATAL(file != NULL);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    CU_ASSERT(strstr(text, "points=\"180,0 360,165 \"") != NULL);
    dot = strstr(text, "<circle cx=\"360\" cy=\"165\"");
    CU_ASSERT(dot && strstr(dot + 1, "<circle cx=\"360\" cy=\"110\""));
    history_free(history);
    free(history);
}

/* A class folder may have any name; it must stay text in all files. */
static void names_stay_text(void)
{
    static char first[] = "<b>birds", then[] = "cats & \"dogs\"";
    char *names[] = {first, then};
    const struct dataset set = {.classes = 2, .names = names};
    static const char *const rows[] = {
        "<tr><th>lr &amp; co</th><td>&lt;u&gt;0.5</td>",
        "</th><td>4</td><td>100.00 %</td><td>75.00 %</td>",
        "</th><td>1</td><td>50.00 %</td><td>100.00 %</td>"};
    static struct report report = {
        .title = "<i>lenet", .network = "dense\n", .evaluated = "test"};
    struct confusion *confusion = calloc(1, sizeof *confusion);
    struct history *history = make();
    struct failure why = {""};
    char folder[PATH_BYTES], path[PATH_BYTES], *page, *svg, *csv;
    size_t length;

    CU_ASSERT_FATAL(confusion != NULL && history_reserve(history, 2, &why));
    for (int i = 0; i < 2 * EPOCH_COLUMNS; i++)
        history->row[i / EPOCH_COLUMNS][i % EPOCH_COLUMNS] = NAN;
    history->row[1][EPOCH_TEST_LOSS] = 0.25f;
    history->count = 2;
    confusion->classes = 2;
    CU_ASSERT_FATAL(make_directories(scratch_path(folder, "names")));
    CU_ASSERT(confusion_write_svg(confusion, &set, folder, &why));
    report.set = &set;
    report.confusion = confusion;
    confusion->count[0][0] = 3;
    confusion->count[0][1] = confusion->count[1][1] = 1;
    report_add(&report, "lr & co", "<u>0.5");
    CU_ASSERT(report_write_html(history, &report, folder, &why));
    CU_ASSERT(classes_write_csv(confusion, &set, folder, &why));
    svg = read_file(scratch_path(path, "names/confusion.svg"), 1 << 20,
                    &length);
    page = read_file(scratch_path(path, "names/report.html"), 1 << 20,
                     &length);
    CU_ASSERT(page && strstr(page, "(prefers-color-scheme: dark)"));
    CU_ASSERT_FATAL(svg != NULL && page != NULL);
    CU_ASSERT(strstr(svg, "<b>") == NULL && strstr(page, "<b>") == NULL);
    CU_ASSERT(strstr(svg, "&lt;b&gt;birds") != NULL);
    CU_ASSERT(strstr(page, "&lt;b&gt;birds") != NULL);
    CU_ASSERT(strstr(page, "cats &amp; &quot;dogs&quot;") != NULL);
    CU_ASSERT(strstr(page, "<h1>&lt;i&gt;lenet</h1>") != NULL);
    CU_ASSERT(strstr(page, "<tr><th>test loss</th></tr>") != NULL);
    CU_ASSERT(strstr(page, "<tr><td>0.25</td></tr>") != NULL);
    CU_ASSERT(strstr(page, "<tr><td>-</td></tr>") != NULL);
    for (int i = 0; i < 3; i++)
        CU_ASSERT(strstr(page, rows[i]) != NULL);
    csv = read_file(scratch_path(path, "names/classes.csv"), 1 << 20, &length);
    CU_ASSERT_FATAL(csv != NULL);
    CU_ASSERT_STRING_EQUAL(csv, "class,images,precision,recall\n"
                           "<b>birds,4,1,0.75\n"
                           "\"cats & \"\"dogs\"\"\",1,0.5,1\n");
    free(csv);
    free(svg);
    free(page);
    history_free(history);
    free(history);
    free(confusion);
}

/* The old content stays until the new one is complete, also where that cannot
 * be written. */
static void whole_or_not_at_all(void)
{
    char folder[PATH_BYTES], path[PATH_BYTES];
    struct failure why = {""};
    struct page page;

    make_directories(scratch_path(folder, "pages"));
    scratch_file(path, "pages/x", "old", 3);
    CU_ASSERT_FATAL(page_open(&page, folder, "x", &why));
    fprintf(page.file, "%100d", 1);
    fflush(page.file);
    CU_ASSERT_EQUAL(file_size(path), 3);
    CU_ASSERT(page_close(&page, &why));
    CU_ASSERT_EQUAL(file_size(path), 100);
    CU_ASSERT_FATAL(page_open(&page, path, "y", &why));
    CU_ASSERT_FALSE(page_close(&page, &why));
    expect_message(&why, path, "y: Not a directory");
}

int main(void)
{
    CU_TestInfo tests[] = {{"many epochs", many_epochs},
                           {"since the last", since_the_last},
                           {"merges", merges},
                           {"draws one epoch", draws_one_epoch},
                           {"names stay text", names_stay_text},
                           {"whole or not at all", whole_or_not_at_all},
                           CU_TEST_INFO_NULL};

    return run_tests("history", tests);
}
