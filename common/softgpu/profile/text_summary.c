/* SPDX-License-Identifier: MIT */
/* All kernels of a profile in a table, and the first advice for each. */
#include <stdio.h>

#include "report.h"
#include "text_format.h"

enum { NAME_COLUMNS = 34 };

static double total_us(const struct profile_report *report)
{
    double us = 0;

    for (size_t i = 0; i < report->count; i++)
        us += report->kernels[i].model.us;
    return us;
}

/* The last row; library calls are no launches of the program's. */
static void print_total(FILE *out, const struct profile_report *report)
{
    uint64_t launches = 0;
    double overhead = 0;

    for (size_t i = 0; i < report->count; i++) {
        const struct kernel_profile *k = &report->kernels[i];

        launches += k->launches;
        overhead += k->library ? 0 : model_launch_us(k);
    }
    fprintf(out, "%-*s %8s %10s         launch overhead: %s\n", NAME_COLUMNS,
            "all", format_count(BUFFER, launches),
            format_time(BUFFER, total_us(report)),
            format_time(BUFFER, overhead));
}

void profile_print_table(FILE *out, const struct profile_report *report)
{
    const double all = total_us(report);

    fprintf(out, "\n%-*s %8s %10s %6s  %s\n", NAME_COLUMNS, "kernel",
            "launches", "modeled", "share", "limited by");
    for (size_t i = 0; i < report->count; i++) {
        const struct kernel_profile *k = &report->kernels[i];

        fprintf(out, "%-*s %8s %10s %4.0f %%  %s\n", NAME_COLUMNS,
                format_printable(BUFFER, k->name, NAME_COLUMNS),
                format_count(BUFFER, k->launches),
                format_time(BUFFER, k->model.us),
                all > 0 ? 100 * k->model.us / all : 0,
                k->library ? "a library" : k->model.us > 0
                    ? format_printable(BUFFER, ceiling_label(k->model.limiter),
                                       17) : "");
    }
    print_total(out, report);
}

void profile_print_summary(FILE *out, const struct profile_report *report)
{
    profile_print_table(out, report);
    for (size_t i = 0; i < report->count; i++) {
        const struct kernel_profile *k = &report->kernels[i];

        if (k->library)
            continue;
        fprintf(out, "\n%s  (%s:%d)\n", format_printable(BUFFER, k->name, 40),
                format_printable(BUFFER, path_basename(k->file), 25), k->line);
        profile_print_advice(out, k, report->card, 1);
    }
    profile_print_roofline(out, report);
    profile_print_timeline(out, report->timeline, report->card);
}
