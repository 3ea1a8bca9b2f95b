/* SPDX-License-Identifier: MIT */
/* See history.h: the table, the curves, the page. */
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
    const bool bad = ferror(page->file);

    return (!fclose(page->file) && !bad)
           || fail(failure, "%s: cannot be written", page->path);
}

static const char *const names[HISTORY_COLUMNS] = {
    "epoch", "loss", "accuracy", "validation_loss", "validation_accuracy",
    "test_loss", "test_accuracy"};

bool history_csv(const struct history *history, const char *folder,
                 struct failure *failure)
{
    struct page page;

    if (!page_open(&page, folder, "metrics.csv", failure))
        return false;
    for (int j = 0; j < HISTORY_COLUMNS; j++)
        fprintf(page.file, "%s%s", j ? "," : "", names[j]);
    for (size_t i = 0; i < history->count; i++) {
        const float *row = &history->row[i].epoch;

        fprintf(page.file, "\n%g", (double)row[0]);
        for (int j = 1; j < HISTORY_COLUMNS; j++)
            fprintf(page.file, isnan(row[j]) ? "," : ",%.9g", (double)row[j]);
    }
    fprintf(page.file, "\n");
    return page_close(&page, failure);
}

enum { WIDTH = 360, HEIGHT = 220, LEFT = 50, TOP = 30, BETWEEN = 80 };

/* One curve: column `column` from 0 to `most`. */
static void curve(FILE *file, const struct history *history, int column,
                  double most, const char *colour)
{
    const double last = history->row[history->count - 1].epoch > 1
                            ? (double)history->row[history->count - 1].epoch
                            : 2;

    fprintf(file, "<polyline fill='none' stroke='%s' stroke-width='2' "
                  "points='", colour);
    for (size_t i = 0; i < history->count; i++) {
        const float *row = &history->row[i].epoch;
        const double x = (double)(row[0] - 1) / (last - 1) * WIDTH;
        const double y = HEIGHT - (double)row[column] / most * HEIGHT;

        if (!isnan(row[column]))
            fprintf(file, "%.1f,%.1f ", x, y < 0 ? 0 : y);
        if (!isnan(row[column]) && history->count == 1)
            fprintf(file, "%.1f,%.1f ", x + 8, y < 0 ? 0 : y);
    }
    fprintf(file, "'/>\n");
}

/* A frame with three curves: training, held back, test. */
static void frame(FILE *file, const struct history *history, int column,
                  double most, const char *title)
{
    static const char *const colours[] = {"#1f6fb4", "#d97a1f", "#2b8a3e"};
    static const char *const sets[] = {"training", "validation", "test"};

    fprintf(file, "<text x='0' y='-10' font-weight='bold'>%s</text>\n"
                  "<rect width='%d' height='%d' fill='none' stroke='#999'/>\n",
            title, WIDTH, HEIGHT);
    for (int i = 0; i <= 4; i++)
        fprintf(file, "<text x='-6' y='%d' text-anchor='end'>%.3g</text>\n"
                      "<path d='M0 %dH%d' stroke='#ddd'/>\n",
                HEIGHT - i * HEIGHT / 4 + 4, most * i / 4,
                HEIGHT - i * HEIGHT / 4, WIDTH);
    for (int i = 0; i < 3; i++) {
        if (isnan((&history->row[0].epoch)[column + 2 * i]))
            continue;
        curve(file, history, column + 2 * i, most, colours[i]);
        fprintf(file, "<text x='%d' y='%d' fill='%s'>%s</text>\n",
                i * 110, HEIGHT + 34, colours[i], sets[i]);
    }
    fprintf(file, "<text x='%d' y='%d' text-anchor='end'>epoch %g</text>\n",
            WIDTH, HEIGHT + 16,
            (double)history->row[history->count - 1].epoch);
}

bool history_svg(const struct history *history, const char *folder,
                 struct failure *failure)
{
    struct page page;
    double most = 0;

    if (history->count == 0 || !page_open(&page, folder, "curves.svg",
                                          failure))
        return history->count == 0;
    for (size_t i = 0; i < history->count; i++)
        for (int j = 1; j < HISTORY_COLUMNS; j += 2)
            most = fmax(most, (double)(&history->row[i].epoch)[j]);
    fprintf(page.file,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' "
            "font-family='sans-serif' font-size='12'>\n"
            "<rect width='100%%' height='100%%' fill='white'/>\n"
            "<g transform='translate(%d %d)'>\n",
            2 * WIDTH + BETWEEN + LEFT + 20, HEIGHT + TOP + 50, LEFT, TOP);
    frame(page.file, history, 1, most > 0 ? most : 1, "loss");
    fprintf(page.file, "</g>\n<g transform='translate(%d %d)'>\n",
            LEFT + WIDTH + BETWEEN, TOP);
    frame(page.file, history, 2, 1, "share right");
    fprintf(page.file, "</g>\n</svg>\n");
    return page_close(&page, failure);
}

/* Put a file into a page. */
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
    for (int j = 0; j < HISTORY_COLUMNS; j++)
        fprintf(page.file, "<th>%s</th>", names[j]);
    for (size_t i = 0; i < history->count; i++) {
        fprintf(page.file, "</tr>\n<tr>");
        for (int j = 0; j < HISTORY_COLUMNS; j++)
            fprintf(page.file, isnan((&history->row[i].epoch)[j])
                                   ? "<td>-</td>" : "<td>%.4g</td>",
                    (double)(&history->row[i].epoch)[j]);
    }
    fprintf(page.file, "</tr></table>\n<h2>What was taken for what</h2>\n");
    include(page.file, folder, "confusion.svg");
    embed(page.file, folder, "filters.png");
    fprintf(page.file, "</body></html>\n");
    return page_close(&page, failure);
}
