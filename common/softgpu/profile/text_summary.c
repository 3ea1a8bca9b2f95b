/* SPDX-License-Identifier: MIT */
/* All kernels of a profile in a table, and the first advice for each. */
#include <stdbool.h>
#include <stdio.h>

#include "report.h"
#include "text_format.h"
#include "text_wrap.h"

enum { WIDE = 80, NAME_COLUMNS = 34, LIMIT_COLUMNS = 19 };

static bool has_limits(const struct profile_report *report)
{
    return profile_columns(report) > PROFILE_NARROW;
}

/* Columns of a kernel's name: what the others leave. */
static int name_columns(const struct profile_report *report)
{
    return profile_columns(report) - WIDE + NAME_COLUMNS
           + (has_limits(report) ? 0 : LIMIT_COLUMNS);
}

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
    fprintf(out, "%-*s %8s %10s\n", name_columns(report), "all",
            format_count(BUFFER, launches),
            format_time(BUFFER, total_us(report)));
    fprintf(out, "  of that, launch overhead: %s\n",
            format_time(BUFFER, overhead));
}

static const char *limit_of(struct text_buffer *buffer,
                            const struct kernel_profile *k)
{
    return k->library        ? "a library"
           : k->model.us > 0 ? format_printable(
                 buffer, ceiling_label(k->model.limiter), LIMIT_COLUMNS - 2)
                             : "";
}

void profile_print_table(FILE *out, const struct profile_report *report)
{
    const double all = total_us(report);
    const int name = name_columns(report);

    fprintf(out, "\n%-*s %8s %10s %6s%s\n", name, "kernel", "launches",
            "modeled", "share", has_limits(report) ? "  limited by" : "");
    for (size_t i = 0; i < report->count; i++) {
        const struct kernel_profile *k = &report->kernels[i];

        fprintf(out, "%-*s %8s %10s %4.0f %%", name,
                format_printable(BUFFER, k->name, name),
                format_count(BUFFER, k->launches),
                format_time(BUFFER, k->model.us),
                all > 0 ? 100 * k->model.us / all : 0);
        if (has_limits(report))
            fprintf(out, "  %s", limit_of(BUFFER, k));
        fputc('\n', out);
    }
    print_total(out, report);
}

static void print_all(FILE *out, const struct profile_report *report)
{
    profile_print_table(out, report);
    for (size_t i = 0; i < report->count; i++) {
        const struct kernel_profile *k = &report->kernels[i];

        if (k->library)
            continue;
        fprintf(out, "\n%s  (%s:%d)\n", format_printable(BUFFER, k->name, 40),
                format_printable(BUFFER, path_basename(k->file), 25), k->line);
        profile_print_advice(out, report, k, 1);
    }
    profile_print_roofline(out, report);
    profile_print_timeline(out, report->timeline, report->card,
                           profile_columns(report));
}

void profile_print_summary(FILE *out, const struct profile_report *report)
{
    profile_print_fitted(out, report, print_all);
}
