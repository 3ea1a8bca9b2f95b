/* SPDX-License-Identifier: MIT */
/* See report.h. */
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/files.h"
#include "common/base/svg.h"
#include "metrics.h"
#include "page.h"

enum { MAX_PNG_BYTES = 1 << 24 };

void report_add(struct report *report, const char *name, const char *text)
{
    struct report_fact *fact = &report->facts[report->count];

    if (report->count == REPORT_FACTS)
        return;
    snprintf(fact->name, sizeof fact->name, "%s", name);
    snprintf(fact->text, sizeof fact->text, "%s", text);
    report->count++;
}

/* SVG files are inserted into the page, so that it is one file. */
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

/* Was this column measured in any epoch? */
static bool has_column(const struct history *history, int column)
{
    for (size_t i = 0; i < history->count; i++)
        if (!isnan(history->row[i][column]))
            return true;
    return false;
}

/* "validation loss": words, which a narrow window wraps. */
static void write_head(struct html *html, const char *name)
{
    html_open(html, "th");
    for (; *name; name++)
        html_textf(html, "%c", *name == '_' ? ' ' : *name);
    html_close(html);
}

/* A row for each epoch; a value that was not measured is "-", and a column
 * without any is left out. */
static void write_table(struct html *html, const struct history *history)
{
    bool shown[EPOCH_COLUMNS];

    html_open_with(html, "div", "class=wide");
    html_open(html, "table");
    html_open(html, "tr");
    for (int j = 0; j < EPOCH_COLUMNS; j++) {
        shown[j] = has_column(history, j);
        if (shown[j])
            write_head(html, epoch_column_names[j]);
    }
    html_close(html);
    for (size_t i = 0; i < history->count; i++) {
        html_newline(html);
        html_open(html, "tr");
        for (int j = 0; j < EPOCH_COLUMNS; j++) {
            if (!shown[j])
                continue;
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
    html_close(html);
    html_newline(html);
}

/* A table cell in percent; a value that was not measured is a dash. */
static void write_fraction(struct html *html, double value)
{
    html_open(html, "td");
    if (isnan(value))
        html_text(html, "-");
    else
        html_textf(html, "%.2f %%", 100 * value);
    html_close(html);
}

/* Images, precision and recall of each class. */
static void write_classes(struct html *html, const struct report *report)
{
    static const char *const heads[] = {"class", "images", "precision",
                                        "recall"};
    char text[DATASET_NUMBER_BYTES];

    html_open_with(html, "div", "class=wide");
    html_open(html, "table");
    html_open(html, "tr");
    for (int j = 0; j < 4; j++)
        html_element(html, "th", heads[j]);
    html_close(html);
    for (int i = 0; i < report->confusion->classes; i++) {
        const struct class_metrics m = class_metrics_of(report->confusion, i);

        html_newline(html);
        html_open(html, "tr");
        html_open_with(html, "th", "class=name");
        html_text(html, dataset_class_name(report->set, i, text));
        html_close(html);
        html_open(html, "td");
        html_textf(html, "%u", m.images);
        html_close(html);
        write_fraction(html, m.precision);
        write_fraction(html, m.recall);
        html_close(html);
    }
    html_close(html);
    html_close(html);
    html_newline(html);
}

/* Rows of the matrix are true classes, columns are predictions. */
static void write_evaluation(struct html *html, const struct report *report,
                             const char *folder)
{
    html_element(html, "h2", "Confusion matrix");
    html_open(html, "p");
    html_textf(html, "Images of the %s set: rows are true classes, columns are "
               "predicted classes.", report->evaluated);
    html_close(html);
    insert_svg(html, folder, "confusion.svg");
    html_element(html, "h2", "Classes");
    write_classes(html, report);
}

/* Settings, machine and version, and the network's text. */
static void write_facts(struct html *html, const struct report *report)
{
    html_element(html, "h2", "Settings and machine");
    html_open_with(html, "div", "class=wide");
    html_open_with(html, "table", "class=facts");
    for (int i = 0; i < report->count; i++) {
        html_open(html, "tr");
        html_element(html, "th", report->facts[i].name);
        html_element(html, "td", report->facts[i].text);
        html_close(html);
        html_newline(html);
    }
    html_close(html);
    html_close(html);
    html_element(html, "h2", "Network");
    html_open_with(html, "div", "class=wide");
    html_element(html, "pre", report->network);
    html_close(html);
}

bool report_write_html(const struct history *history,
                       const struct report *report, const char *folder,
                       struct failure *failure)
{
    struct page page;
    struct html html;

    if (!page_open(&page, folder, "report.html", failure))
        return false;
    html = (struct html){.out = page.file};
    html_begin(&html, "Training", PAGE_STYLE);
    html_element(&html, "h1", report->title);
    insert_svg(&html, folder, "curves.svg");
    write_table(&html, history);
    if (report->confusion)
        write_evaluation(&html, report, folder);
    insert_filters(&html, folder);
    write_facts(&html, report);
    html_end(&html);
    return page_close(&page, failure);
}
