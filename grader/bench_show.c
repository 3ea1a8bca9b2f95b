/* SPDX-License-Identifier: MIT */
/* A ladder as a table in Markdown. */
#include "bench.h"

#include <string.h>

/* Rounds that lie further apart than this share of the median say nothing. */
static const double too_wide = 1;

/* The timeline and the calls are told where the lab is about them. */
static bool is_wanted(const struct lab *lab, enum cost cost)
{
    for (size_t i = 0; i < lab->costs; i++)
        if (lab->cost[i].cost == cost)
            return true;
    return cost != COST_TIMELINE && cost != COST_CALLS;
}

/* Does any step count it? */
static bool is_counted(const struct lab *lab, const struct rung *rung,
                       enum cost cost)
{
    if (!is_wanted(lab, cost))
        return false;
    for (size_t i = 0; i < lab->steps; i++)
        if (rung[i].counted.cost[cost].seen
            && rung[i].counted.cost[cost].value > 0)
            return true;
    return false;
}

/* 1234567 as "1,234,567". */
static void show_whole(FILE *out, double value)
{
    char digits[40];
    int length = snprintf(digits, sizeof digits, "%.0f", value);

    for (int i = 0; i < length; i++) {
        fputc(digits[i], out);
        if ((length - i) % 3 == 1 && i + 1 < length)
            fputc(',', out);
    }
}

static void show_head(FILE *out, const struct lab *lab,
                      const struct rung *rung)
{
    const struct suite *suite = lab->suite;
    size_t watched = lab->costs ? lab->cost[0].watched : 0;
    int columns = 3;

    fprintf(out, "## %02d %s\n\nCounted: %s.", lab->number, lab->title,
            suite_watched(suite)[watched].title);
    if (lab->apart)
        fprintf(out, " Modelled: %s.",
                suite_watched(suite)[lab_modelled(lab)].title);
    if (lab->speeds)
        fprintf(out, " Timed here: %s.", suite->speeds[0].title);
    fprintf(out, "\n\n| step | modelled us | modelled x |");
    for (int i = 0; i < COSTS; i++)
        if (is_counted(lab, rung, (enum cost)i)) {
            fprintf(out, " %s |", cost_name((enum cost)i));
            columns++;
        }
    if (lab->speeds)
        fprintf(out, " CPU ms | CPU x |");
    fprintf(out, "\n|");
    for (int i = 0; i < columns + (lab->speeds ? 2 : 0); i++)
        fprintf(out, " ---%s |", i ? ":" : "");
    fputc('\n', out);
}

static void show_step(FILE *out, const struct lab *lab,
                      const struct rung *rung, size_t index)
{
    const struct rung *step = &rung[index];
    double first = rung[0].counted.modelled;

    fprintf(out, "| `%s` |", lab->step[index]);
    if (!step->told) {
        fprintf(out, " %s |\n", step->why);
        return;
    }
    fprintf(out, " %.1f | %.2f |", step->counted.modelled,
            step->counted.modelled > 0 ? first / step->counted.modelled : 0);
    for (int i = 0; i < COSTS; i++)
        if (is_counted(lab, rung, (enum cost)i)) {
            fputc(' ', out);
            show_whole(out, step->counted.cost[i].value);
            fprintf(out, " |");
        }
    if (lab->speeds && step->speed.spread < too_wide)
        fprintf(out, " %.2f | %.2f +-%.0f %% |", 1e3 * step->speed.seconds,
                step->speed.ratio, 50 * step->speed.spread);
    else if (lab->speeds)
        fprintf(out, " - | unsteady |");
    fputc('\n', out);
}

void bench_show(FILE *out, const struct lab *lab, const struct rung *rung)
{
    show_head(out, lab, rung);
    for (size_t i = 0; i < lab->steps; i++)
        show_step(out, lab, rung, i);
    fprintf(out, "\n![Ladder of lab %02d, times the first step]"
                 "(ladders/%s_soft.svg)\n\n", lab->number, lab->stem);
}
