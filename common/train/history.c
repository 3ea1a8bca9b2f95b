/* SPDX-License-Identifier: MIT */
/* See history.h: tables and report; learning_curves.c draws. */
#include "history.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/files.h"
#include "common/base/svg.h"
#include "page.h"

enum { MAX_PNG_BYTES = 1 << 24 };

bool page_open(struct page *page, const char *folder, const char *name,
               struct failure *failure)
{
    snprintf(page->path, sizeof page->path, "%s/%s", folder, name);
    page->file = fopen(page->path, "w");
    return page->file
           || fail(failure, "%s: %s", page->path, strerror(errno));
}

bool page_close(struct page *page, struct failure *failure)
{
    const bool bad = ferror(page->file) || fflush(page->file) != 0;
    const int why = errno;

    return (!fclose(page->file) && !bad)
           || fail(failure, "%s: cannot be written: %s", page->path,
                   strerror(why));
}

static const char *const names[EPOCH_COLUMNS] = {
    "epoch", "loss", "accuracy", "validation_loss", "validation_accuracy",
    "test_loss", "test_accuracy"};

bool history_reserve(struct history *history, size_t rows,
                     struct failure *failure)
{
    const size_t capacity = rows > 2 * history->capacity
                                ? rows : 2 * history->capacity;
    void *more;

    if (rows <= history->capacity)
        return true;
    more = realloc(history->row, capacity * sizeof *history->row);
    if (!more)
        return fail(failure, "no memory for %zu epochs", rows);
    history->row = more;
    history->capacity = capacity;
    return true;
}

long history_best(const struct history *history)
{
    long best = -1;

    for (size_t i = 0; i < history->count; i++) {
        const float loss = history->row[i][EPOCH_VALIDATION_LOSS];

        if (!isnan(loss)
            && (best < 0 || loss < history->row[best][EPOCH_VALIDATION_LOSS]))
            best = (long)i;
    }
    return best;
}

void history_free(struct history *history)
{
    free(history->row);
    history->row = NULL;
    history->count = history->capacity = 0;
}

/* Merge pairs of points; a pair takes the position of the later one. */
static void downsample(struct history *history)
{
    for (size_t i = 0; i < HISTORY_POINTS / 2; i++) {
        const float *first = history->point[2 * i], *then = first
                                                            + POINT_COLUMNS;
        float *to = history->point[i];
        const float loss = (first[POINT_LOSS] + then[POINT_LOSS]) / 2;
        const float right = (first[POINT_ACCURACY] + then[POINT_ACCURACY]) / 2;

        to[POINT_STEP] = then[POINT_STEP];
        to[POINT_EPOCH] = then[POINT_EPOCH];
        to[POINT_LOSS] = loss;
        to[POINT_ACCURACY] = right;
    }
    history->points = HISTORY_POINTS / 2;
}

void history_add_point(struct history *history, int64_t step, double epoch,
                       const float totals[2], size_t images)
{
    float *mark = history->mark, *to;
    const float since = (float)images - mark[2];

    /* The sums at the last point are in the checkpoint: after a resume, the
     * next point is computed from the same sums. */
    if (history->points == HISTORY_POINTS)
        downsample(history);
    to = history->point[history->points++];
    to[POINT_STEP] = (float)step;
    to[POINT_EPOCH] = (float)epoch;
    to[POINT_LOSS] = (totals[0] - mark[0]) / since;
    to[POINT_ACCURACY] = (totals[1] - mark[1]) / since;
    memcpy(mark, totals, 2 * sizeof *mark);
    mark[2] = (float)images;
}

/* A CSV line; NaN becomes an empty field. */
static void write_row(FILE *file, const float *row, int columns)
{
    fprintf(file, "\n%.9g", (double)row[0]); /* nine digits reproduce the float
                                                exactly */
    for (int j = 1; j < columns; j++)
        fprintf(file, isnan(row[j]) ? "," : ",%.9g", (double)row[j]);
}

static bool steps_csv(const struct history *history, const char *folder,
                      struct failure *failure)
{
    struct page page;

    if (!page_open(&page, folder, "steps.csv", failure))
        return false;
    fprintf(page.file, "step,epoch,loss,accuracy");
    for (size_t i = 0; i < history->points; i++)
        write_row(page.file, history->point[i], POINT_COLUMNS);
    fprintf(page.file, "\n");
    return page_close(&page, failure);
}

bool history_write_csv(const struct history *history, const char *folder,
                       struct failure *failure)
{
    struct page page;

    if (!page_open(&page, folder, "metrics.csv", failure))
        return false;
    for (int j = 0; j < EPOCH_COLUMNS; j++)
        fprintf(page.file, "%s%s", j ? "," : "", names[j]);
    for (size_t i = 0; i < history->count; i++)
        write_row(page.file, history->row[i], EPOCH_COLUMNS);
    fprintf(page.file, "\n");
    return page_close(&page, failure) && steps_csv(history, folder, failure);
}

static void insert_svg(struct html *html, const char *folder,
                       const char *name)
{
    char path[PAGE_PATH];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    svg_insert(html, path);
}

/* Networks whose first layer is no convolution have no filters. */
static void insert_filters(struct html *html, const char *folder)
{
    char path[PAGE_PATH];
    size_t length;
    char *png;

    snprintf(path, sizeof path, "%s/filters.png", folder);
    png = read_file(path, MAX_PNG_BYTES, &length);
    if (!png)
        return;
    html_element(html, "h2", "Filters of the first layer");
    html_png(html, (const unsigned char *)png, length, "filters");
    free(png);
}

/* A row for each epoch; a value that was not measured is "-". */
static void write_table(struct html *html, const struct history *history)
{
    html_open(html, "table");
    html_open(html, "tr");
    for (int j = 0; j < EPOCH_COLUMNS; j++)
        html_element(html, "th", names[j]);
    html_close(html);
    for (size_t i = 0; i < history->count; i++) {
        html_newline(html);
        html_open(html, "tr");
        for (int j = 0; j < EPOCH_COLUMNS; j++) {
            html_open(html, "td");
            if (isnan(history->row[i][j]))
                html_text(html, "-");
            else
                html_textf(html, "%.4g", (double)history->row[i][j]);
            html_close(html);
        }
        html_close(html);
    }
    html_close(html);
    html_newline(html);
}

bool report_write_html(const struct history *history, const char *title,
                       const char *folder, struct failure *failure)
{
    struct page page;
    struct html html;

    if (!page_open(&page, folder, "report.html", failure))
        return false;
    html = (struct html){.out = page.file};
    html_begin(&html, "Training",
               "body { font-family: sans-serif; margin: 2em } "
               "td, th { padding: 2px 12px; text-align: right }");
    html_element(&html, "h1", title);
    insert_svg(&html, folder, "curves.svg");
    write_table(&html, history);
    html_element(&html, "h2", "Confusion matrix");
    html_element(&html, "p",
                 "Test images: rows are true classes, columns are "
                 "predicted classes.");
    insert_svg(&html, folder, "confusion.svg");
    insert_filters(&html, folder);
    html_end(&html);
    return page_close(&page, failure);
}
