/* SPDX-License-Identifier: MIT */
/* The ladder and the history as drawings that fit a phone. */
#include "grade_charts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/files.h"
#include "common/base/svg.h"
#include "common/base/text.h"
#include "grader/workbench/journal.h"

enum {
    WIDTH = 340,     /* of a drawing */
    ROW = 34,        /* of a step */
    LEFT = 8, RIGHT = 330,
    HEIGHT = 150, TOP = 12, BASE = 124, /* of the history */
    MOST_BYTES = 1 << 20
};

/* A figure whose caption is also its label for screen readers. */
static void begin(struct html *h, double height, const char *label)
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

/* --- the ladder ----------------------------------------------------------- */

/* Modeled microseconds of each step, from its row "| `1_naive.cu` | 11.8 |".
 * @return false when one is not known */
static bool read_times(const struct lab *lab, double us[LAB_MAX_STEPS])
{
    char path[PATH_MAX], key[96], *text, *section;
    size_t length, found = 0;

    text = read_file(root_path(path, "docs/results/ladders-soft.md"),
                     MOST_BYTES, &length);
    text_format(key, sizeof key, "\n## %02d ", lab->number);
    section = text ? strstr(text, key) : NULL;
    for (size_t i = 0; section && i < lab->steps; i++) {
        const char *row;

        text_format(key, sizeof key, "| `%.64s` |", lab->step[i]);
        row = strstr(section, key);
        us[i] = row ? strtod(row + strlen(key), NULL) : 0;
        found += us[i] > 0;
    }
    free(text);
    return lab->steps && found == lab->steps;
}

/* A row: a dot on a logarithmic axis, its name above. */
static void draw_point(struct html *h, double y, const char *name,
                       double ratio, double low, double high, bool is_own)
{
    const double x =
        LEFT + (RIGHT - LEFT) * log(ratio / low) / log(high / low);

    html_empty(h, "line", "class=axis x1=%d x2=%d y1=%.1f y2=%.1f", LEFT,
               RIGHT, y + 22, y + 22);
    svg_textf(h, LEFT, y + 12, "", "%.40s: %.3g x", name, ratio);
    if (is_own)
        html_empty(h, "rect", "class=fill-ok x=%.1f y=%.1f width=10 height=10",
                   x - 5, y + 17);
    else
        html_empty(h, "circle", "class=bar cx=%.1f cy=%.1f r=5", x, y + 22);
}

/* A row a step; the axis is logarithmic, and never stretched beyond a factor of
 * 1.5. */
static void draw_ladder(struct html *h, const struct lab *lab, const double *us,
                        double speedup)
{
    double base = us[0], low = speedup > 0 ? speedup : 1, high = low;

    for (size_t i = 0; i < lab->steps; i++)
        if (!strcmp(lab->step[i], lab->baseline))
            base = us[i];
    for (size_t i = 0; i < lab->steps; i++) {
        low = fmin(low, base / us[i]);
        high = fmax(high, base / us[i]);
    }
    if (high < 1.5 * low) /* no difference is drawn larger than it is */
        high = 1.5 * low;
    begin(h, ROW * (double)(lab->steps + 1),
          "Modeled speedup over the baseline, logarithmic; the square is your "
          "file");
    for (size_t i = 0; i < lab->steps; i++)
        draw_point(h, ROW * (double)i, lab->step[i], base / us[i], low, high,
                   false);
    if (speedup > 0)
        draw_point(h, ROW * (double)lab->steps, "your file", speedup, low, high,
                   true);
    else
        svg_textf(h, LEFT, ROW * (double)lab->steps + 14, "",
                  "your file: once all tests pass");
    end(h);
}

/* The points that each step of the ladder gets. */
static void list_points(struct html *h, const struct lab *lab)
{
    html_open(h, "table");
    for (size_t i = 0; i < lab->steps; i++) {
        html_open(h, "tr");
        html_element(h, "td", lab->step[i]);
        html_open_with(h, "td", "class=n");
        if (lab->ladder[i] >= 0)
            html_textf(h, "%g points", lab->ladder[i]);
        html_close(h);
        html_close(h);
    }
    html_close(h);
}

void chart_ladder(struct html *h, const struct lab *lab, double speedup)
{
    double us[LAB_MAX_STEPS];

    if (!lab->steps)
        return;
    html_element(h, "h2", "The ladder");
    if (lab->modeled && read_times(lab, us))
        draw_ladder(h, lab, us, speedup);
    else
        list_points(h, lab);
}

/* --- the history ---------------------------------------------------------- */

/* The place of try number `i` of `count`. */
static double place_of(size_t i, size_t count)
{
    return count > 1 ? LEFT + (double)(WIDTH - 2 * LEFT) * (double)i
                                  / (double)(count - 1)
                     : WIDTH / 2.0;
}

/* A dot for each grade of this lab in the journal, a mark for each hint. */
static void draw_tries(struct html *h, const struct journal_entry *entry,
                       size_t entries, int lab, size_t tries)
{
    size_t i = 0;

    for (size_t k = 0; k < entries; k++) {
        const struct journal_entry *e = &entry[k];
        double y;

        if (e->lab != lab)
            continue;
        if (e->kind == JOURNAL_HINT && tries) {
            const double x = place_of(i ? i - 1 : 0, tries) + 3;

            html_empty(h, "line", "class=mark x1=%.1f x2=%.1f y1=%d y2=%d", x,
                       x, BASE, BASE + 8);
        }
        if (e->kind != JOURNAL_GRADE || e->max_score <= 0)
            continue;
        y = BASE - (BASE - TOP) * fmin(e->score / e->max_score, 1);
        html_empty(h, "circle", "class=%s cx=%.1f cy=%.1f r=4",
                   strcmp(e->verdict, "PASS") ? "fill-bad" : "fill-ok",
                   place_of(i++, tries), y);
    }
}

void chart_history(struct html *h, const struct lab *lab)
{
    struct journal_entry *entry;
    const size_t entries = journal_read(&entry);
    size_t tries = 0, hints = 0;
    time_t first = 0, last = 0;
    char label[160], read[64] = "", day[2][32];

    for (size_t k = 0; k < entries; k++)
        if (entry[k].lab == lab->number) {
            hints += entry[k].kind == JOURNAL_HINT;
            if (entry[k].kind != JOURNAL_GRADE || entry[k].max_score <= 0)
                continue;
            first = tries++ ? first : entry[k].when;
            last = entry[k].when;
        }
    if (tries) {
        strftime(day[0], sizeof day[0], "%Y-%m-%d %H:%M", gmtime(&first));
        strftime(day[1], sizeof day[1], "%Y-%m-%d %H:%M", gmtime(&last));
        html_element(h, "h2", "Tries");
        if (hints)
            text_format(read, sizeof read,
                        "; red lines below are the %zu hint%s read", hints,
                        hints == 1 ? "" : "s");
        text_format(label, sizeof label, "Points of %zu tr%s, green when all "
                    "tests passed%s", tries, tries == 1 ? "y" : "ies", read);
        begin(h, HEIGHT, label);
        html_empty(h, "line", "class=axis x1=0 x2=%d y1=%d y2=%d", WIDTH, BASE,
                   BASE);
        html_empty(h, "line", "class=axis x1=0 x2=%d y1=%d y2=%d", WIDTH, TOP,
                   TOP);
        draw_tries(h, entry, entries, lab->number, tries);
        svg_textf(h, 0, HEIGHT - 4, "", "%s", day[0]);
        if (tries > 1)
            svg_textf(h, WIDTH, HEIGHT - 4, "class=e", "%s", day[1]);
        end(h);
    }
    free(entry);
}
