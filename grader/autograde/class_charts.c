/* SPDX-License-Identifier: MIT */
/* Drawings of the page of the class. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/svg.h"
#include "common/base/text.h"
#include "pages.h"

enum {
    WIDTH = 340,  /* of a drawing */
    HEIGHT = 130, /* of a histogram */
    FOOT = 18,    /* below its axis */
    HEAD = 14,    /* above its highest bar */
    BINS = 48,    /* bars at most */
    HOUR = 3600,
    DAY = 86400
};

/* A figure with a caption; the same text is the drawing's label for screen
 * readers. */
static void begin(struct html *h, const char *label, double height)
{
    html_open(h, "figure");
    html_element(h, "figcaption", label);
    svg_open(h, WIDTH, height, label);
    html_newline(h);
}

/* Close the drawing and the figure. */
static void end(struct html *h)
{
    html_close(h);
    html_close(h);
    html_newline(h);
}

/* Bars with their counts; the caller labels the axis. */
static void draw_bars(struct html *h, const size_t *count, int bins)
{
    const double base = HEIGHT - FOOT, step = (double)WIDTH / bins;
    size_t most = 1;

    for (int i = 0; i < bins; i++)
        most = count[i] > most ? count[i] : most;
    for (int i = 0; i < bins; i++) {
        double height = (base - HEAD) * (double)count[i] / (double)most;

        if (!count[i])
            continue;
        html_empty(h, "rect", "class=bar x=%.2f y=%.2f width=%.2f height=%.2f",
                   i * step + .08 * step, base - height, .84 * step, height);
        if (bins <= 16)
            svg_textf(h, (i + .5) * step, base - height - 3, "class=c", "%zu",
                      count[i]);
    }
    html_empty(h, "line", "class=axis x1=0 x2=%d y1=%.2f y2=%.2f", WIDTH,
               base, base);
    if (bins > 16)
        svg_textf(h, 0, 10, "", "at most %zu", most);
}

void chart_shares(struct html *h, const char *label, const double *share,
                  size_t count)
{
    size_t bar[10] = {0};

    for (size_t i = 0; i < count; i++) {
        int at = (int)(share[i] * 10 + 1e-9);

        bar[at < 0 ? 0 : at > 9 ? 9 : at]++;
    }
    begin(h, label, HEIGHT);
    draw_bars(h, bar, 10);
    for (int i = 0; i <= 10; i += 2)
        svg_textf(h, i * WIDTH / 10., HEIGHT - 4,
                  i == 0 ? "" : i == 10 ? "class=e" : "class=c", "%d %%",
                  10 * i);
    end(h);
}

/* For qsort(): ascending doubles. */
static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void chart_spread(struct html *h, const char *label, double *value,
                  size_t count, const char *unit)
{
    const double inner = WIDTH - 20;
    double low, high, middle;

    if (!count)
        return;
    qsort(value, count, sizeof *value, by_value);
    low = value[0];
    high = value[count - 1] > 1.01 * low ? value[count - 1] : 1.01 * low;
    middle = value[count / 2];
    begin(h, label, 62);
    html_empty(h, "line", "class=axis x1=0 x2=%d y1=26 y2=26", WIDTH);
    for (size_t i = 0; i < count; i++)
        html_empty(h, "circle", "class=dot cx=%.1f cy=%.1f r=4",
                   10 + inner * log(value[i] / low) / log(high / low),
                   26 + 4. * ((int)(i % 5) - 2));
    middle = 10 + inner * log(middle / low) / log(high / low);
    html_empty(h, "line", "class=mark x1=%.1f x2=%.1f y1=10 y2=42", middle,
               middle);
    svg_textf(h, 0, 57, "", "%.3g%s", low, unit);
    svg_textf(h, WIDTH / 2, 57, "class=c", "median %.3g%s", value[count / 2],
              unit);
    svg_textf(h, WIDTH, 57, "class=e", "%.3g%s", value[count - 1], unit);
    end(h);
}

/* For qsort(): ascending times. */
static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* "2026-11-01", with the hour when bars are hours. */
static char *time_label(char text[TIME_TEXT], int64_t seconds, int64_t step)
{
    time_t time = (time_t)seconds;
    struct tm parts;

    gmtime_r(&time, &parts);
    strftime(text, TIME_TEXT, step < DAY ? "%Y-%m-%d %H:00" : "%Y-%m-%d",
             &parts);
    return text;
}

/* Hours, days, or as many days as BINS bars need. */
static int64_t time_step(int64_t span)
{
    if (span < 2 * DAY)
        return HOUR;
    return span < (BINS - 1) * (int64_t)DAY ? DAY
                                            : DAY * (1 + span / BINS / DAY);
}

void chart_times(struct html *h, const char *label, int64_t *time,
                 size_t count, int64_t deadline)
{
    size_t bar[BINS + 2] = {0};
    char text[TIME_TEXT];
    int64_t first, step;
    int bins;

    if (!count)
        return;
    qsort(time, count, sizeof *time, by_time);
    step = time_step(time[count - 1] - time[0]);
    first = time[0] / step * step;
    bins = (int)((time[count - 1] - first) / step) + 1;
    for (size_t i = 0; i < count; i++)
        bar[(time[i] - first) / step]++;
    begin(h, label, HEIGHT);
    draw_bars(h, bar, bins);
    svg_textf(h, 0, HEIGHT - 4, "", "%s", time_label(text, first, step));
    if (bins > 1)
        svg_textf(h, WIDTH, HEIGHT - 4, "class=e", "%s",
                  time_label(text, first + (bins - 1) * step, step));
    if (deadline >= first && deadline < first + bins * step) {
        double x = (double)(deadline - first) / (double)step / bins * WIDTH;

        html_empty(h, "line", "class=mark x1=%.1f x2=%.1f y1=0 y2=%d", x, x,
                   HEIGHT - FOOT);
    }
    end(h);
}

void chart_parts(struct html *h, const struct test_counts *test)
{
    static const char *const classes[] = {"fill-ok", "fill-wait", "fill-bad"};
    const size_t part[] = {test->full, test->partial, test->none};
    size_t all = test->full + test->partial + test->none;
    char label[96];
    double x = 0;

    text_format(label, sizeof label, "%zu with all points, %zu with some, %zu "
                "with none", test->full, test->partial, test->none);
    svg_open(h, 160, 12, label);
    for (int i = 0; i < 3 && all; i++) {
        double width = 160. * (double)part[i] / (double)all;

        if (part[i])
            html_empty(h, "rect", "class=%s x=%.2f y=0 width=%.2f height=12",
                       classes[i], x, width);
        x += width;
    }
    html_close(h);
}
