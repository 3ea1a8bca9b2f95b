/* SPDX-License-Identifier: MIT */
/* See compare.h: the page of `train compare`.  A curve's color and number say
 * which run it is. */
#include <math.h>
#include <string.h>

#include "compare.h"
#include "page.h"
#include "panel.h"

enum {
    COLORS = 8,
    LABEL = 4,      /* pixels from a curve's end to its number */
    LABEL_STEP = 9, /* numbers of three runs are side by side */
    RIGHT = 40      /* room for them */
};
static const char *const colors[COLORS] = {
    "#1f6fb4", "#d97a1f", "#2b8a3e", "#c2255c",
    "#6741d9", "#0b7285", "#846358", "#495057"};

/* A curve that each run has, or not. */
struct curve {
    const char *title;
    int row;   /* an enum epoch_column */
    int point; /* an enum point_column; -1: by epoch */
};
static const struct curve curves[] = {
    {"training loss", EPOCH_LOSS, POINT_LOSS},
    {"training accuracy", EPOCH_ACCURACY, POINT_ACCURACY},
    {"validation loss", EPOCH_VALIDATION_LOSS, -1},
    {"validation accuracy", EPOCH_VALIDATION_ACCURACY, -1},
    {"test loss", EPOCH_TEST_LOSS, -1},
    {"test accuracy", EPOCH_TEST_ACCURACY, -1}};
enum { CURVES = sizeof curves / sizeof *curves };

/* The run's number, in the color of its curves. */
static void write_number(struct html *html, int i)
{
    html_open_with(html, "b", "style='color: %s'", colors[i % COLORS]);
    html_textf(html, "%d", i + 1);
    html_close(html);
}

/* A cell with a number; a value that was not measured is a dash. */
static void write_value(struct html *html, const float *row, int column)
{
    html_open(html, "td");
    if (!row || isnan(row[column]))
        html_text(html, "-");
    else if (column % 2)
        html_textf(html, "%.4f", (double)row[column]);
    else
        html_textf(html, "%.2f %%", 100 * (double)row[column]);
    html_close(html);
}

/* A row for each run: its best epoch. */
static void write_runs(struct html *html, const struct runs *runs)
{
    static const char *const headings[] = {"", "epoch", "training", "",
                                           "validation", "", "test", ""};

    html_open_with(html, "div", "class=wide");
    html_open(html, "table");
    html_open(html, "tr");
    for (size_t j = 0; j < sizeof headings / sizeof *headings; j++)
        html_element(html, "th", headings[j]);
    html_close(html);
    for (int i = 0; i < runs->count; i++) {
        const float *row = run_best_row(&runs->run[i]);

        html_newline(html);
        html_open(html, "tr");
        html_open(html, "th");
        write_number(html, i);
        html_close(html);
        html_open(html, "td");
        html_textf(html, "%.0f", row ? (double)row[EPOCH_NUMBER] : 0.0);
        html_close(html);
        for (int j = EPOCH_LOSS; j < EPOCH_COLUMNS; j++)
            write_value(html, row, j);
        html_close(html);
    }
    html_close(html);
    html_close(html);
}

/* Which number is which folder. */
static void write_legend(struct html *html, const struct runs *runs)
{
    for (int i = 0; i < runs->count; i++) {
        html_open_with(html, "p", "class=run");
        write_number(html, i);
        html_text(html, " ");
        html_text(html, runs->run[i].folder);
        html_close(html);
        html_newline(html);
    }
}

/* The number of a run at the end of its curve; NaN: it has none. */
static void label_end(const struct panel *panel, const struct history *history,
                      const struct curve *curve, int i)
{
    const float *last = history->row[history->count - 1];
    const double value = (double)last[curve->row];
    const double up = (value - panel->low) / (panel->high - panel->low);

    if (isnan(value))
        return;
    html_open_with(panel->html, "text", "x=%.1f y=%.1f fill=%s "
                   "font-weight=bold",
                   (double)last[EPOCH_NUMBER] / panel->last_epoch * PANEL_WIDTH
                       + LABEL + i % 3 * LABEL_STEP,
                   (1 - fmin(fmax(up, 0), 1)) * PANEL_HEIGHT + 4,
                   colors[i % COLORS]);
    html_textf(panel->html, "%d", i + 1);
    html_close(panel->html);
}

/* The scale that all runs fit. */
static void find_scale(const struct runs *runs, const struct curve *curve,
                       struct panel *panel)
{
    const bool is_loss = curve->row % 2;

    panel->last_epoch = 1;
    panel->low = is_loss ? 0 : 0.9;
    panel->high = is_loss ? 0 : 1;
    for (int i = 0; i < runs->count; i++) {
        const struct history *history = &runs->run[i].history;

        if (history->count == 0)
            continue;
        panel->last_epoch = fmax(
            panel->last_epoch,
            (double)history->row[history->count - 1][EPOCH_NUMBER]);
        if (is_loss)
            panel->high = fmax(panel->high, panel_max_loss(history));
        else
            panel->low = fmin(panel->low, panel_min_accuracy(history));
    }
}

/* Does a run have this curve? */
static bool has_curve(const struct run *run, const struct curve *curve)
{
    for (size_t i = 0; i < run->history.count; i++)
        if (!isnan(run->history.row[i][curve->row]))
            return true;
    return false;
}

/* A panel, unless no run has its curve. */
static void write_panel(struct html *html, const struct runs *runs,
                        const struct curve *curve)
{
    struct panel panel = {.html = html};
    bool any = false;

    for (int i = 0; i < runs->count; i++)
        any |= has_curve(&runs->run[i], curve);
    if (!any)
        return;
    find_scale(runs, curve, &panel);
    svg_open(html, PANEL_WIDTH + PANEL_LEFT + RIGHT,
             PANEL_HEIGHT + PANEL_TOP + 30, curve->title);
    html_open_with(html, "g", "transform='translate(%d %d)'", PANEL_LEFT,
                   PANEL_TOP);
    panel_axes(&panel, curve->title);
    for (int i = 0; i < runs->count; i++) {
        const struct history *history = &runs->run[i].history;

        if (!has_curve(&runs->run[i], curve))
            continue;
        if (curve->point >= 0)
            panel_points(&panel, history, curve->point, colors[i % COLORS]);
        else
            panel_rows(&panel, history, curve->row, colors[i % COLORS]);
        label_end(&panel, history, curve, i);
    }
    html_close(html);
    html_close(html);
    html_newline(html);
}

/* The texts of networks' files, a column for each run. */
static void write_networks(struct html *html, const struct runs *runs)
{
    html_open(html, "tr");
    html_element(html, "th", "network");
    for (int j = 0; j < runs->count; j++) {
        html_open(html, "td");
        html_element(html, "pre", tensors_metadata(&runs->run[j].file,
                                                   "network"));
        html_close(html);
    }
    html_close(html);
}

/* Settings that differ: a row for each, a column for each run. */
static void write_differences(struct html *html, const struct runs *runs)
{
    char text[OPTION_TEXT];
    const char *name;

    html_element(html, "h2", "Settings that differ");
    html_open_with(html, "div", "class=wide");
    html_open_with(html, "table", "class='facts runs'");
    html_open(html, "tr");
    html_element(html, "th", "");
    for (int j = 0; j < runs->count; j++) {
        html_open(html, "th");
        write_number(html, j);
        html_close(html);
    }
    html_close(html);
    for (int i = 0; (name = runs_next_difference(runs, &i));) {
        html_newline(html);
        html_open(html, "tr");
        html_element(html, "th", name);
        for (int j = 0; j < runs->count; j++)
            html_element(html, "td", run_setting(&runs->run[j], name, text));
        html_close(html);
    }
    if (!runs_same_network(runs))
        write_networks(html, runs);
    html_close(html);
    html_close(html);
    html_element(html, "p", "All other settings are the same.");
}

bool compare_write_page(const struct runs *runs, const char *path,
                        struct failure *failure)
{
    const char *slash = strrchr(path, '/');
    char folder[PAGE_PATH];
    struct page page;
    struct html html;

    snprintf(folder, sizeof folder, "%.*s",
             slash ? (int)(slash - path) + (slash == path) : 1,
             slash ? path : ".");
    if (!page_open(&page, folder, slash ? slash + 1 : path, failure))
        return false;
    html = (struct html){.out = page.file};
    html_begin(&html, "Training runs", PAGE_STYLE);
    html_element(&html, "h1", "Training runs");
    write_legend(&html, runs);
    write_runs(&html, runs);
    html_element(&html, "p", "Loss and accuracy at the epoch with the smallest "
                 "validation loss, without validation at the last one.");
    html_element(&html, "h2", "Learning curves");
    for (int i = 0; i < CURVES; i++) write_panel(&html, runs, &curves[i]);
    write_differences(&html, runs);
    html_end(&html);
    return page_close(&page, failure);
}
