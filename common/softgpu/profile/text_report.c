/* SPDX-License-Identifier: MIT */
/* The profile as text.  For each kernel: its launch, a row for each line and
 * kind of access, totals, advice; Nsight Compute's metric names at the end. */
#include <stdlib.h>
#include <string.h>

#include "advice.h"
#include "common/base/text.h"
#include "report.h"
#include "text_format.h"
#include "access_rows.h"
#include "source_file.h"
#include "text_wrap.h"

enum { WIDE = 80, BEHIND_PLACE = 10, SHOWN_GROUPS = 4 };

/* Library calls: launches and their least time. */
static void print_library(FILE *out, const struct kernel_profile *k,
                          const struct softgpu_card *card)
{
    fprintf(out, "\n%s  (library function: no counters)\n",
            format_printable(BUFFER, k->name, 40));
    fprintf(out, "  %s call%s, modeled at least %s on %s,\n  from operations "
            "and bytes\n", format_count(BUFFER, k->launches),
            k->launches == 1 ? "" : "s", format_time(BUFFER, k->model.us),
            card->name);
}

/* Name, place, launch configuration and resources per block. */
static void print_launch(FILE *out, const struct kernel_profile *k)
{
    uint32_t shared = k->static_shared + k->dynamic_shared;

    fprintf(out, "\n%s", format_printable(BUFFER, k->name, 40));
    fprintf(out, "  (%s:%d)\n",
            format_printable(BUFFER, path_basename(k->file), 25), k->line);
    fprintf(out, "  %s launch%s, ", format_count(BUFFER, k->launches),
            k->launches == 1 ? "" : "es");
    fprintf(out, "grid %s, block %s: %s thread%s\n",
            format_dim3(BUFFER, k->grid), format_dim3(BUFFER, k->block),
            format_count(BUFFER, k->threads), k->threads == 1 ? "" : "s");
    fprintf(out, "  %u registers per thread (%s), %s bytes of shared memory "
            "per block\n", k->registers,
            k->registers_measured ? "by ptxas" : "assumed",
            format_count(BUFFER, shared));
}

/* Occupancy, modeled time, and limits of the counts. */
static void print_model(FILE *out, const struct kernel_profile *k,
                        const struct softgpu_card *card)
{
    fprintf(out, "  occupancy %.0f %%, limited by %s\n", 100 * k->occupancy,
            occupancy_limit_label(k->occupancy_limit));
    if (k->model.us > 0)
        fprintf(out, "  modeled %s on %s, limited by %s\n",
                format_time(BUFFER, k->model.us), card->name,
                format_printable(BUFFER, ceiling_label(k->model.limiter), 20));
    if (k->blocks && !k->blocks_watched)
        fprintf(out, "  nothing was counted: no block ran to its end\n");
    else if (k->blocks_watched < k->blocks)
        fprintf(out, "  %s of %s blocks sampled:\n  counters are of these, "
                "the modeled time is of all\n",
                format_count(BUFFER, k->blocks_watched),
                format_count(BUFFER, k->blocks));
    if (k->records_split)
        fprintf(out, "  %s times the log of a warp was full before its lanes "
                "reconverged:\n  counters may be a little high\n",
                format_count(BUFFER, k->records_split));
}

/* The launches of each group, the longest first. */
static void print_groups(FILE *out, const struct kernel_profile *k)
{
    const struct launch_group *list[MAX_LAUNCH_GROUPS];
    const size_t n = longest_launch_groups(k, list);

    for (size_t i = 0; k->group_count > 1 && i < n && i < SHOWN_GROUPS; i++)
        fprintf(out, "  %12s  %s\n", format_time(BUFFER, list[i]->us),
                format_group(BUFFER, k, list[i]));
    if (n > SHOWN_GROUPS)
        fprintf(out, "  %12s  %zu more group%s of launches\n", "",
                n - SHOWN_GROUPS, n - SHOWN_GROUPS == 1 ? "" : "s");
}

/* Source without indentation, cut to the line's width. */
static const char *printable_source(struct text_buffer *w, const char *line,
                                    int columns)
{
    while (line && (*line == ' ' || *line == '\t'))
        line++;
    return line ? format_printable(w, line, columns - BEHIND_PLACE) : "";
}

/* The widths of a row's columns, 0 for those that a narrow terminal lacks. */
struct row_widths {
    int place, requests, transactions, per_request, ideal, efficiency;
};

static struct row_widths row_widths(int columns)
{
    return columns < PROFILE_NARROW
               ? (struct row_widths){4, 9, 0, 7, 0, 6}
           : columns < WIDE ? (struct row_widths){4, 11, 12, 7, 0, 6}
                            : (struct row_widths){6, 13, 13, 8, 7, 7};
}

static void print_heading(FILE *out, int columns)
{
    const struct row_widths w = row_widths(columns);

    fprintf(out, "\n%*s  %-13s %*s", w.place, "line", "access", w.requests,
            "requests");
    if (w.transactions)
        fprintf(out, " %*s", w.transactions, "transactions");
    fprintf(out, " %*s", w.per_request, "per req");
    if (w.ideal)
        fprintf(out, " %*s", w.ideal, "ideal");
    fprintf(out, " %*s\n", w.efficiency, "effic.");
}

/* Columns that are empty are left out. */
static void print_row(FILE *out, const char *place, const struct access_row *r,
                      int columns)
{
    const struct row_widths w = row_widths(columns);

    fprintf(out, "%*s  %-13s %*s", w.place, place, r->what, w.requests,
            format_fitted(BUFFER, r->requests, "", w.requests));
    if (*r->unit) {
        if (w.transactions)
            fprintf(out, " %*s", w.transactions,
                    format_fitted(BUFFER, r->transactions, "", w.transactions));
        fprintf(out, " %*.1f", w.per_request,
                ratio((double)r->transactions, (double)r->requests));
        if (w.ideal)
            fprintf(out, " %*.1f", w.ideal,
                    ratio((double)r->ideal, (double)r->requests));
        fprintf(out, " %*.0f %%", w.efficiency - 2, 100 * r->efficiency);
    }
    fputc('\n', out);
}

/* The line's text, then its rows. */
static void print_line(FILE *out, const struct line_profile *l,
                       const char *source, int columns)
{
    struct access_row rows[ACCESS_KINDS];
    size_t n = build_access_rows(&l->counters, rows);
    char place[16];

    snprintf(place, sizeof place, "%d", l->line);
    if (n && source)
        fprintf(out, "%*s  %s\n", row_widths(columns).place, place,
                printable_source(BUFFER, source, columns));
    for (size_t i = 0; i < n; i++)
        print_row(out, i || source ? "" : place, &rows[i], columns);
}

/* Lines are sorted by file: each file is read once. */
static void print_lines(FILE *out, const struct kernel_profile *k,
                        const char *const *roots, int columns)
{
    struct source_text *source = NULL;
    const char *file = NULL;

    print_heading(out, columns);
    for (size_t i = 0; i < k->line_count; i++) {
        const struct line_profile *l = &k->lines[i];
        struct access_row rows[ACCESS_KINDS];

        if (!build_access_rows(&l->counters, rows))
            continue; /* no heading for a file without rows */
        if (!file || strcmp(file, l->file) != 0) {
            source_free(source);
            source = source_read(l->file, roots);
            if (file || !source_paths_match(l->file, k->file))
                fprintf(out, "in %s\n", format_printable(BUFFER, l->file, 76));
            file = l->file;
        }
        print_line(out, l, source_line_at(source, l->line), columns);
    }
    source_free(source);
}

/* Totals per kind of access, unless one line has them all. */
static void print_line_totals(FILE *out, const struct kernel_profile *k,
                              int columns)
{
    struct access_row rows[ACCESS_KINDS];
    size_t n = build_access_rows(&k->total, rows), busy = 0;

    for (size_t i = 0; i < k->line_count; i++)
        busy += build_access_rows(&k->lines[i].counters,
                                  (struct access_row[ACCESS_KINDS]){{0}})
                > 0;
    for (size_t i = 0; busy > 1 && i < n; i++)
        print_row(out, i ? "" : "all", &rows[i], columns);
}

/* Totals that belong to no single line. */
static void print_totals(FILE *out, const struct kernel_profile *k)
{
    const struct counters *c = &k->total;

    fputc('\n', out);
    if (c->warp_instructions) {
        fprintf(out, "  %s warp instructions of %.1f lanes\n  ",
                format_count(BUFFER, c->warp_instructions),
                average_active_lanes(c));
        fprintf(out, "%s branches (%s divergent), %s warp calls\n",
                format_count(BUFFER, c->branches),
                format_count(BUFFER, c->branches_divergent),
                format_count(BUFFER, c->warp_calls));
    } else if (!k->instructions_known && k->blocks_watched) {
        fprintf(out, "  instructions are not known: objdump is not "
                     "installed\n");
    }
    fprintf(out, "  L2: %s sectors read, %s written\n  ",
            format_count(BUFFER, c->l2_read_sectors),
            format_count(BUFFER, c->l2_write_sectors));
    fprintf(out, "DRAM: %s read, %s written\n",
            format_si(BUFFER, (double)c->dram_read_bytes, "B"),
            format_si(BUFFER, (double)c->dram_write_bytes, "B"));
    if (total_flop(c) > 0)
        fprintf(out, "  %s, arithmetic intensity %.3g FLOP per byte of DRAM\n",
                format_si(BUFFER, total_flop(c), "FLOP"),
                ratio(total_flop(c),
                      (double)(c->dram_read_bytes + c->dram_write_bytes)));
}

void profile_print_advice(FILE *out, const struct profile_report *report,
                          const struct kernel_profile *k, size_t most)
{
    struct advice advice[MAX_ADVICE];
    const size_t n = advise(k, report->card, advice);

    for (size_t i = 0; i < n && i < most; i++) {
        char mark[8], text[ADVICE_BYTES + 160];

        snprintf(mark, sizeof mark, "  %zu. ", i + 1);
        if (advice[i].line)
            snprintf(
                text, sizeof text, "%s:%d: %s",
                format_printable(BUFFER, path_basename(advice[i].file), 60),
                advice[i].line, advice[i].text);
        else
            snprintf(text, sizeof text, "%s", advice[i].text);
        profile_print_wrapped(out, mark, text, profile_columns(report));
    }
}

static void print_kernel(FILE *out, const struct profile_report *report,
                         const struct kernel_profile *k)
{
    const int columns = profile_columns(report);

    if (k->library) {
        print_library(out, k, report->card);
        return;
    }
    print_launch(out, k);
    print_model(out, k, report->card);
    print_groups(out, k);
    print_lines(out, k, report->roots, columns);
    print_line_totals(out, k, columns);
    print_totals(out, k);
    fputc('\n', out);
    profile_print_advice(out, report, k, MAX_ADVICE);
    profile_print_patterns(out, k, columns);
}

/* A line at the end says where the columns are explained. */
static void print_all(FILE *out, const struct profile_report *report)
{
    for (size_t i = 0; i < report->count; i++)
        print_kernel(out, report, &report->kernels[i]);
    profile_print_roofline(out, report);
    if (report->count)
        fprintf(out, "\ncolumns: PROFILE in softcc(1); in Nsight Compute: "
                "docs/pages/profile.md\n");
    else
        fprintf(out, "softgpu: no kernel ran\n");
    profile_print_timeline(out, report->timeline, report->card,
                           profile_columns(report));
}

void profile_print(FILE *out, const struct profile_report *report)
{
    profile_print_fitted(out, report, print_all);
}

void profile_print_kernels(FILE *out, const struct kernel_profile *kernels,
                           size_t count, const struct softgpu_card *card)
{
    struct profile_report report = {card, (struct kernel_profile *)kernels,
                                    count, NULL, NULL, text_columns(out)};

    profile_print(out, &report);
}
