/* SPDX-License-Identifier: MIT */
/* Measurements of a ladder as a Markdown table. */
#include "ladder.h"

#include <math.h>
#include <string.h>

/* A larger spread of the rounds, by the median, is no measurement. */
static const double max_spread = 1;

/* Timeline and calls are shown only where the lab has budgets for them; where
 * the work is done is judged, and says nothing about a ladder. */
static bool is_wanted(const struct lab *lab, enum metric metric)
{
    if (metric == METRIC_SERIAL || metric == METRIC_ARITHMETIC
        || metric == METRIC_TENSOR)
        return false;
    for (size_t i = 0; i < lab->budgets; i++)
        if (lab->budget[i].metric == metric)
            return true;
    return metric != METRIC_TIMELINE && metric != METRIC_CALLS;
}

/* Does any step have a count above 0? */
static bool is_counted(const struct lab *lab,
                       const struct step_result *step_result,
                       enum metric metric)
{
    if (!is_wanted(lab, metric))
        return false;
    for (size_t i = 0; i < lab->steps; i++)
        if (step_result[i].counted.counter[metric].is_complete
            && step_result[i].counted.counter[metric].value > 0)
            return true;
    return false;
}

/* 1234567 as "1,234,567". */
static void print_thousands(FILE *out, double value)
{
    char digits[40];
    int length = snprintf(digits, sizeof digits, "%.0f", value);

    for (int i = 0; i < length; i++) {
        fputc(digits[i], out);
        if ((length - i) % 3 == 1 && i + 1 < length)
            fputc(',', out);
    }
}

/* Columns depend on what the lab counts and times. */
static void print_header(FILE *out, const struct lab *lab,
                         const struct step_result *step_result)
{
    const struct suite *suite = lab->suite;
    size_t watched = lab->budgets ? lab->budget[0].watched : 0;
    int columns = 3;

    fprintf(out, "## %02d %s\n\nCounted: %s.", lab->number, lab->title,
            suite_watched(suite)[watched].title);
    if (lab->model_case)
        fprintf(out, " Modeled: %s.",
                suite_watched(suite)[lab_model_case(lab)].title);
    if (lab->speeds)
        fprintf(out, " Timed here: %s.", suite->speeds[0].title);
    fprintf(out, "\n\n| step | modeled us | modeled x |");
    for (int i = 0; i < METRICS; i++)
        if (is_counted(lab, step_result, (enum metric)i)) {
            fprintf(out, " %s |", metric_name((enum metric)i));
            columns++;
            if (i == METRIC_TIMELINE) {
                fprintf(out, " timeline x |");
                columns++;
            }
        }
    if (lab->speeds)
        fprintf(out, " CPU ms | CPU x |");
    fprintf(out, "\n|");
    for (int i = 0; i < columns + (lab->speeds ? 2 : 0); i++)
        fprintf(out, " ---%s |", i ? ":" : "");
    fputc('\n', out);
}

/* The CPU time and its ratio.  The first step is compared with itself: its
 * ratio is 1, and its spread is how far from 1 that was measured.  Times that
 * vary too much between rounds are not printed as a number. */
static void print_speed(FILE *out, const struct speed_outcome *speed,
                        bool is_first)
{
    double ratio = is_first ? 1 : speed->ratio, spread = speed->spread / 2;

    if (speed->spread >= max_spread) {
        fprintf(out, " - | unsteady |");
        return;
    }
    if (is_first)
        spread = fmax(spread, fabs(speed->ratio - 1));
    fprintf(out, " %.2f | %.2f +-%.0f %% |", 1e3 * speed->seconds, ratio,
            100 * spread);
}

/* A row. */
static void print_step(FILE *out, const struct lab *lab,
                       const struct step_result *step_result, size_t index)
{
    const struct step_result *step = &step_result[index];
    double first = step_result[0].counted.modeled;

    fprintf(out, "| `%s` |", lab->step[index]);
    if (!step->is_measured) {
        fprintf(out, " %s |\n", step->reason);
        return;
    }
    fprintf(out, " %.1f | %.2f |", step->counted.modeled,
            step->counted.modeled > 0 ? first / step->counted.modeled : 0);
    for (int i = 0; i < METRICS; i++)
        if (is_counted(lab, step_result, (enum metric)i)) {
            fputc(' ', out);
            print_thousands(out, step->counted.counter[i].value);
            fprintf(out, " |");
            if (i == METRIC_TIMELINE) /* streams gain nothing in a kernel */
                fprintf(out, " %.2f |",
                        step_result[0].counted.counter[i].value
                            / fmax(1, step->counted.counter[i].value));
        }
    if (lab->speeds)
        print_speed(out, &step->speed, index == 0);
    fputc('\n', out);
}

void bench_write(FILE *out, const struct lab *lab,
                 const struct step_result *step_result)
{
    print_header(out, lab, step_result);
    for (size_t i = 0; i < lab->steps; i++)
        print_step(out, lab, step_result, i);
    fprintf(out, "\n![Lab %02d: how many times as fast as its first step each "
            "step is](ladders/%s_soft.svg)\n\n", lab->number, lab->stem);
}
