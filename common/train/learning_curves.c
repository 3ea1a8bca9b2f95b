/* SPDX-License-Identifier: MIT */
/* See history.h: two panels, loss above accuracy, so that a narrow screen shows
 * both.  Training has a point every few steps, so that a single epoch shows a
 * curve; validation and test set have a point per epoch. */
#include <math.h>

#include "common/base/svg.h"
#include "history.h"
#include "page.h"

enum { WIDTH = 360, HEIGHT = 220, LEFT = 50, TOP = 30, GAP = 80 };

/* A panel, with the values at its lower and upper edge. */
struct panel {
    struct html *html;
    const struct history *history;
    double low, high;
};

/* The last epoch, at the right edge. */
static double last_epoch(const struct history *history)
{
    return (double)history->row[history->count - 1][EPOCH_NUMBER];
}

/* Pixel coordinates; y is clamped to the panel. */
static double x_of(const struct panel *panel, float epoch)
{
    return (double)epoch / last_epoch(panel->history) * WIDTH;
}

/* SVG's y axis points down, so the largest value is at 0. */
static double y_of(const struct panel *panel, float value)
{
    const double up =
        ((double)value - panel->low) / (panel->high - panel->low);

    return (1 - fmin(fmax(up, 0), 1)) * HEIGHT;
}

/* Training: a column of the points, one per few steps. */
static void draw_steps(const struct panel *panel, int column,
                       const char *color)
{
    svg_polyline_begin(panel->html, color);
    for (size_t i = 0; i < panel->history->points; i++) {
        const float *point = panel->history->point[i];

        svg_polyline_point(panel->html, x_of(panel, point[POINT_EPOCH]),
                           y_of(panel, point[column]));
    }
    svg_polyline_end(panel->html);
}

/* Validation or test: a column of the rows, one per epoch, with dots. */
static void draw_epochs(const struct panel *panel, int column,
                        const char *color)
{
    const struct history *history = panel->history;

    svg_polyline_begin(panel->html, color);
    for (size_t i = 0; i < history->count; i++)
        svg_polyline_point(panel->html,
                           x_of(panel, history->row[i][EPOCH_NUMBER]),
                           y_of(panel, history->row[i][column]));
    svg_polyline_end(panel->html);
    for (size_t i = 0; i < history->count; i++)
        html_empty(panel->html, "circle", "cx=%.1f cy=%.1f r=3 fill=%s",
                   x_of(panel, history->row[i][EPOCH_NUMBER]),
                   y_of(panel, history->row[i][column]), color);
}

/* Title, border, grid lines and their labels. */
static void draw_axes(const struct panel *panel, const char *title)
{
    svg_textf(panel->html, 0, -10, "font-weight=bold", "%s", title);
    html_empty(panel->html, "rect", "width=%d height=%d fill=none stroke=#999",
               WIDTH, HEIGHT);
    for (int i = 0; i <= 4; i++) {
        const int y = HEIGHT - i * HEIGHT / 4;

        svg_textf(panel->html, -6, y + 4, "text-anchor=end", "%.3g",
                  panel->low + (panel->high - panel->low) * i / 4);
        html_empty(panel->html, "path", "d='M0 %dH%d' stroke=#ddd", y, WIDTH);
    }
    svg_textf(panel->html, 0, HEIGHT + 16, "", "0");
    svg_textf(panel->html, WIDTH, HEIGHT + 16, "text-anchor=end", "epoch %g",
              last_epoch(panel->history));
}

/* A panel with up to three curves. row: column of the training metric in an
 * epoch's row; validation and test are 2 and 4 columns further */
static void draw_panel(const struct panel *panel, const char *title, int row,
                       int point)
{
    static const char *const colors[] = {"#1f6fb4", "#d97a1f", "#2b8a3e"};
    static const char *const sets[] = {"training", "validation", "test"};

    draw_axes(panel, title);
    for (int i = 0; i < 3; i++) {
        if (isnan(panel->history->row[0][row + 2 * i]))
            continue;
        if (i == 0)
            draw_steps(panel, point, colors[i]);
        else
            draw_epochs(panel, row + 2 * i, colors[i]);
        html_open_with(panel->html, "text", "x=%d y=%d fill=%s", i * 110,
                       HEIGHT + 34, colors[i]);
        html_text(panel->html, sets[i]);
        html_close(panel->html);
    }
}

/* The largest loss; points count up to three times the largest epoch loss, so
 * that a high initial loss does not flatten the rest. */
static double max_loss(const struct history *history)
{
    double rows = 0, points = 0;

    for (size_t i = 0; i < history->count; i++)
        for (int j = EPOCH_LOSS; j < EPOCH_COLUMNS; j += 2)
            rows = fmax(rows, (double)history->row[i][j]);
    for (size_t i = 0; i < history->points; i++)
        points = fmax(points, (double)history->point[i][POINT_LOSS]);
    return rows > 0 ? fmax(rows, fmin(points, 3 * rows)) : 1;
}

/* The smallest accuracy of all epochs, rounded down to a multiple of 0.1. */
static double min_accuracy(const struct history *history)
{
    double lowest = 1;

    for (size_t i = 0; i < history->count; i++)
        for (int j = EPOCH_ACCURACY; j < EPOCH_COLUMNS; j += 2)
            lowest = fmin(lowest, (double)history->row[i][j]);
    return fmin(floor(10 * lowest) / 10, 0.9);
}

bool history_write_svg(const struct history *history, const char *folder,
                       struct failure *failure)
{
    struct page page;
    struct html html;
    struct panel panel = {.html = &html, .history = history};

    if (history->count == 0 || !page_open(&page, folder, "curves.svg",
                                          failure))
        return history->count == 0;
    html = (struct html){.out = page.file};
    svg_begin(&html, WIDTH + LEFT + 20, 2 * (HEIGHT + GAP) + TOP, 12);
    html_open_with(&html, "g", "transform='translate(%d %d)'", LEFT, TOP);
    panel.high = max_loss(history); /* from 0, so that half the loss has half
                                       the height */
    draw_panel(&panel, "loss", EPOCH_LOSS, POINT_LOSS);
    html_close(&html);
    html_open_with(&html, "g", "transform='translate(%d %d)'",
                   LEFT, TOP + HEIGHT + GAP);
    panel.high = 1;
    panel.low = min_accuracy(history);
    draw_panel(&panel, "accuracy", EPOCH_ACCURACY, POINT_ACCURACY);
    html_end(&html);
    return page_close(&page, failure);
}
