/* SPDX-License-Identifier: MIT */
/* See history.h: tables and report; learning_curves.c draws. */
#include "history.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/files.h"
#include "page.h"

bool page_open(struct page *page, const char *folder, const char *name,
               struct failure *failure)
{
    snprintf(page->path, sizeof page->path, "%s/%s", folder, name);
    page->text = NULL;
    page->file = open_memstream(&page->text, &page->length);
    return page->file || fail(failure, "%s: no memory", page->path);
}

bool page_close(struct page *page, struct failure *failure)
{
    const bool bad = ferror(page->file);
    bool ok = !fclose(page->file) && !bad;

    if (!ok)
        fail(failure, "%s: no memory", page->path);
    else if (!write_file(page->path, page->text, page->length))
        ok = fail(failure, "%s: %s", page->path, strerror(errno));
    free(page->text);
    return ok;
}

const char *const epoch_column_names[EPOCH_COLUMNS] = {
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

/* A row for each point; a full history has merged its points in pairs. */
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
        fprintf(page.file, "%s%s", j ? "," : "", epoch_column_names[j]);
    for (size_t i = 0; i < history->count; i++)
        write_row(page.file, history->row[i], EPOCH_COLUMNS);
    fprintf(page.file, "\n");
    return page_close(&page, failure) && steps_csv(history, folder, failure);
}
