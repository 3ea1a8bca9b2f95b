/* SPDX-License-Identifier: MIT */
/* See panel.h. */
#include "panel.h"

#include <math.h>

/* Pixel coordinates. */
static double x_of(const struct panel *panel, float epoch)
{
    return (double)epoch / panel->last_epoch * PANEL_WIDTH;
}

/* SVG's y axis points down, so the largest value is at 0. */
static double y_of(const struct panel *panel, float value)
{
    const double up =
        ((double)value - panel->low) / (panel->high - panel->low);

    return (1 - fmin(fmax(up, 0), 1)) * PANEL_HEIGHT;
}

void panel_points(const struct panel *panel, const struct history *history,
                  int column, const char *color)
{
    svg_polyline_begin(panel->html, color);
    for (size_t i = 0; i < history->points; i++) {
        const float *point = history->point[i];

        svg_polyline_point(panel->html, x_of(panel, point[POINT_EPOCH]),
                           y_of(panel, point[column]));
    }
    svg_polyline_end(panel->html);
    if (history->points == 1) /* a line of one point shows nothing */
        html_empty(panel->html, "circle", "cx=%.1f cy=%.1f r=3 fill=%s",
                   x_of(panel, history->point[0][POINT_EPOCH]),
                   y_of(panel, history->point[0][column]), color);
}

void panel_rows(const struct panel *panel, const struct history *history,
                int column, const char *color)
{
    svg_polyline_begin(panel->html, color);
    for (size_t i = 0; i < history->count; i++)
        if (!isnan(history->row[i][column]))
            svg_polyline_point(panel->html,
                               x_of(panel, history->row[i][EPOCH_NUMBER]),
                               y_of(panel, history->row[i][column]));
    svg_polyline_end(panel->html);
    for (size_t i = 0; i < history->count; i++)
        if (!isnan(history->row[i][column]))
            html_empty(panel->html, "circle", "cx=%.1f cy=%.1f r=3 fill=%s",
                       x_of(panel, history->row[i][EPOCH_NUMBER]),
                       y_of(panel, history->row[i][column]), color);
}

void panel_axes(const struct panel *panel, const char *title)
{
    svg_textf(panel->html, 0, -10, "font-weight=bold", "%s", title);
    html_empty(panel->html, "rect", "width=%d height=%d fill=none stroke=#999",
               PANEL_WIDTH, PANEL_HEIGHT);
    for (int i = 0; i <= 4; i++) {
        const int y = PANEL_HEIGHT - i * PANEL_HEIGHT / 4;

        svg_textf(panel->html, -6, y + 4, "text-anchor=end", "%.3g",
                  panel->low + (panel->high - panel->low) * i / 4);
        html_empty(panel->html, "path", "d='M0 %dH%d' stroke=#ddd", y,
                   PANEL_WIDTH);
    }
    svg_textf(panel->html, 0, PANEL_HEIGHT + 16, "", "0");
    svg_textf(panel->html, PANEL_WIDTH, PANEL_HEIGHT + 16, "text-anchor=end",
              "epoch %g", panel->last_epoch);
}

double panel_max_loss(const struct history *history)
{
    double rows = 0, points = 0;

    for (size_t i = 0; i < history->count; i++)
        for (int j = EPOCH_LOSS; j < EPOCH_COLUMNS; j += 2)
            rows = fmax(rows, (double)history->row[i][j]);
    for (size_t i = 0; i < history->points; i++)
        points = fmax(points, (double)history->point[i][POINT_LOSS]);
    return rows > 0 ? fmax(rows, fmin(points, 3 * rows)) : 1;
}

double panel_min_accuracy(const struct history *history)
{
    double lowest = 1;

    for (size_t i = 0; i < history->count; i++)
        for (int j = EPOCH_ACCURACY; j < EPOCH_COLUMNS; j += 2)
            lowest = fmin(lowest, (double)history->row[i][j]);
    return fmin(floor(10 * lowest) / 10, 0.9);
}
