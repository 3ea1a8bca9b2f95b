/* SPDX-License-Identifier: MIT */
/* See history.h: the tables and the page; curves.c draws. */
#include "history.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"

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

/* Two neighbours become one, at the place of the later. */
static void merge(struct history *history)
{
    for (size_t i = 0; i < HISTORY_POINTS / 2; i++) {
        const float *first = history->point[2 * i], *then = first
                                                            + POINT_COLUMNS;
        float *to = history->point[i];
        const float loss = (first[POINT_LOSS] + then[POINT_LOSS]) / 2;
        const float right = (first[POINT_RIGHT] + then[POINT_RIGHT]) / 2;

        to[POINT_STEP] = then[POINT_STEP];
        to[POINT_EPOCH] = then[POINT_EPOCH];
        to[POINT_LOSS] = loss;
        to[POINT_RIGHT] = right;
    }
    history->points = HISTORY_POINTS / 2;
}

void history_point(struct history *history, int64_t step, double epoch,
                   const float totals[2], size_t images)
{
    float *mark = history->mark, *to;
    const float since = (float)images - mark[2];

    /* The mark is part of the checkpoint: a training that was killed between
     * two points gives the next one from the same sums. */
    if (history->points == HISTORY_POINTS)
        merge(history);
    to = history->point[history->points++];
    to[POINT_STEP] = (float)step;
    to[POINT_EPOCH] = (float)epoch;
    to[POINT_LOSS] = (totals[0] - mark[0]) / since;
    to[POINT_RIGHT] = (totals[1] - mark[1]) / since;
    memcpy(mark, totals, 2 * sizeof *mark);
    mark[2] = (float)images;
}

/* A line of numbers; what is none is left empty. */
static void line(FILE *file, const float *row, int columns)
{
    fprintf(file, "\n%.9g", (double)row[0]); /* nine digits: the same float */
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
        line(page.file, history->point[i], POINT_COLUMNS);
    fprintf(page.file, "\n");
    return page_close(&page, failure);
}

bool history_csv(const struct history *history, const char *folder,
                 struct failure *failure)
{
    struct page page;

    if (!page_open(&page, folder, "metrics.csv", failure))
        return false;
    for (int j = 0; j < EPOCH_COLUMNS; j++)
        fprintf(page.file, "%s%s", j ? "," : "", names[j]);
    for (size_t i = 0; i < history->count; i++)
        line(page.file, history->row[i], EPOCH_COLUMNS);
    fprintf(page.file, "\n");
    return page_close(&page, failure) && steps_csv(history, folder, failure);
}

/* Put a file into a page: it shall be one file that can be sent to somebody. */
static void include(FILE *to, const char *folder, const char *name)
{
    char path[PAGE_PATH], text[4096];
    size_t count;
    FILE *from;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    from = fopen(path, "r");
    while (from && (count = fread(text, 1, sizeof text, from)))
        fwrite(text, 1, count, to);
    if (from)
        fclose(from);
}

/* A PNG inside the page itself, in base 64. */
static void embed(FILE *to, const char *folder, const char *name)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqr"
                                "stuvwxyz0123456789+/";
    char path[PAGE_PATH];
    unsigned char three[3] = {0};
    size_t count;
    FILE *from;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    from = fopen(path, "r");
    if (!from)
        return;
    fprintf(to, "<h2>Filters of the first layer</h2>\n"
                "<p><img src='data:image/png;base64,");
    while ((count = fread(three, 1, 3, from))) {
        const unsigned all = three[0] << 16 | three[1] << 8 | three[2];

        for (size_t i = 0; i < 4; i++)
            fputc(i <= count ? digit[all >> (18 - 6 * i) & 63] : '=', to);
        memset(three, 0, sizeof three);
    }
    fprintf(to, "' alt='filters'></p>\n");
    fclose(from);
}

bool report_html(const struct history *history, const char *title,
                 const char *folder, struct failure *failure)
{
    struct page page;

    if (!page_open(&page, folder, "report.html", failure))
        return false;
    fprintf(page.file, "<!DOCTYPE html>\n<html lang='en'><head><meta "
                       "charset='utf-8'><title>Training</title>\n<style>body "
                       "{ font-family: sans-serif; margin: 2em } td, th "
                       "{ padding: 2px 12px; text-align: right }</style>"
                       "</head><body>\n<h1>%s</h1>\n", title);
    include(page.file, folder, "curves.svg");
    fprintf(page.file, "<table><tr>");
    for (int j = 0; j < EPOCH_COLUMNS; j++)
        fprintf(page.file, "<th>%s</th>", names[j]);
    for (size_t i = 0; i < history->count; i++) {
        fprintf(page.file, "</tr>\n<tr>");
        for (int j = 0; j < EPOCH_COLUMNS; j++)
            fprintf(page.file, isnan(history->row[i][j]) ? "<td>-</td>"
                                                         : "<td>%.4g</td>",
                    (double)history->row[i][j]);
    }
    fprintf(page.file, "</tr></table>\n<h2>What was taken for what</h2>\n"
                       "<p>Test images; a row is what they show, a column "
                       "what the network says.</p>\n");
    include(page.file, folder, "confusion.svg");
    embed(page.file, folder, "filters.png");
    fprintf(page.file, "</body></html>\n");
    return page_close(&page, failure);
}
