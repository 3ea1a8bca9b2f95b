/* SPDX-License-Identifier: MIT */
/* The profile as text: for each kernel its head, a row for each line and kind
 * of access, its sums, and the advice; Nsight's names at the end. */
#include <stdlib.h>
#include <string.h>

#include "advice.h"
#include "report.h"
#include "text_format.h"
#include "text_rows.h"
#include "text_source.h"

enum { COLUMNS = 100, SOURCE_COLUMNS = 27 };

/* All that is known of a library's calls. */
static void put_library(FILE *out, const struct kernel_profile *k,
                        const struct softgpu_card *card)
{
    fprintf(out, "\n%s  (of a library: not counted)\n",
            say_plain(WORDS, k->name, 60));
    fprintf(out, "  %s call%s, modelled at least %s on %s, from operations and "
            "bytes\n", say_count(WORDS, k->launches),
            k->launches == 1 ? "" : "s", say_time(WORDS, k->model.us),
            card->name);
}

/* Who it is, how it was launched, what it needs. */
static void put_head(FILE *out, const struct kernel_profile *k)
{
    uint32_t shared = k->static_shared + k->dynamic_shared;

    fprintf(out, "\n%s", say_plain(WORDS, k->name, 60));
    fprintf(out, "  (%s:%d)\n", say_plain(WORDS, say_file(k->file), 30),
            k->line);
    fprintf(out, "  %s launch%s, ", say_count(WORDS, k->launches),
            k->launches == 1 ? "" : "es");
    fprintf(out, "grid %s, block %s: %s threads\n", say_shape(WORDS, k->grid),
            say_shape(WORDS, k->block), say_count(WORDS, k->threads));
    fprintf(out, "  %u registers a thread (%s), %s bytes of shared memory a "
            "block\n", k->registers,
            k->registers_measured ? "by ptxas" : "assumed",
            say_count(WORDS, shared));
}

/* What follows from that for the card; and how far counts go. */
static void put_time(FILE *out, const struct kernel_profile *k,
                     const struct softgpu_card *card)
{
    fprintf(out, "  occupancy %.0f %%, limited by %s\n", 100 * k->occupancy,
            say_limit(k->occupancy_limit));
    if (k->model.us > 0)
        fprintf(out, "  modelled %s on %s, limited by %s\n",
                say_time(WORDS, k->model.us), card->name,
                say_plain(WORDS, say_ceiling(k->model.limiter), 40));
    if (k->blocks_watched < k->blocks)
        fprintf(out, "  %s of %s blocks watched: counts are of those, the "
                "modelled time is of all\n",
                say_count(WORDS, k->blocks_watched),
                say_count(WORDS, k->blocks));
    if (k->records_split)
        fprintf(out, "  %s times a warp did more than the log holds before its "
                "lanes met:\n  counts may be a little high\n",
                say_count(WORDS, k->records_split));
}

/* Without indentation, and no wider than its column. */
static const char *source_words(struct words *w, const char *line)
{
    while (line && (*line == ' ' || *line == '\t'))
        line++;
    return line ? say_plain(w, line, SOURCE_COLUMNS) : "";
}

/* Empty columns are left out at the end of a row. */
static void put_row(FILE *out, const char *place, const struct access_row *r,
                    const char *source)
{
    fprintf(out, "%6s  %-13s %13s", place, r->what, say_count(WORDS,
                                                              r->requests));
    if (*r->unit)
        fprintf(out, " %13s %6.1f %6.1f %4.0f %%", say_count(WORDS, r->moved),
                ratio((double)r->moved, (double)r->requests),
                ratio((double)r->ideal, (double)r->requests), 100 * r->used);
    else if (*source)
        fprintf(out, "%35s", "");
    if (*source)
        fprintf(out, "  %s", source);
    fputc('\n', out);
}

/* The line's number and text stand in its first row only. */
static void put_line(FILE *out, const struct line_profile *l,
                     const char *source)
{
    struct access_row rows[ACCESS_KINDS];
    size_t n = access_rows(&l->counters, rows);
    char place[16];

    snprintf(place, sizeof place, "%d", l->line);
    for (size_t i = 0; i < n; i++)
        put_row(out, i ? "" : place, &rows[i],
                i ? "" : source_words(WORDS, source));
}

/* Lines come sorted by file: each file is read once. */
static void put_lines(FILE *out, const struct kernel_profile *k,
                      const char *root)
{
    struct source_text *source = NULL;
    const char *file = NULL;

    fprintf(out, "\n%6s  %-13s %13s %13s %6s %6s %6s  %s\n", "line", "access",
            "requests", "moved", "each", "ideal", "used", "source");
    for (size_t i = 0; i < k->line_count; i++) {
        const struct line_profile *l = &k->lines[i];
        struct access_row rows[ACCESS_KINDS];

        if (!access_rows(&l->counters, rows))
            continue; /* a file is named for its rows */
        if (!file || strcmp(file, l->file) != 0) {
            source_free(source);
            source = source_read(l->file, root);
            if (file || !source_same(l->file, k->file))
                fprintf(out, "in %s\n", say_plain(WORDS, l->file, 90));
            file = l->file;
        }
        put_line(out, l, source_line_at(source, l->line));
    }
    source_free(source);
}

/* The sums, where they say more than the one line that has rows. */
static void put_sums(FILE *out, const struct kernel_profile *k)
{
    struct access_row rows[ACCESS_KINDS];
    size_t n = access_rows(&k->total, rows), busy = 0;

    for (size_t i = 0; i < k->line_count; i++)
        busy += access_rows(&k->lines[i].counters,
                            (struct access_row[ACCESS_KINDS]){{0}}) > 0;
    for (size_t i = 0; busy > 1 && i < n; i++)
        put_row(out, i ? "" : "all", &rows[i], "");
}

/* Sums that no single line tells. */
static void put_totals(FILE *out, const struct counters *c)
{
    fputc('\n', out);
    if (c->warp_instructions) {
        fprintf(out, "  %s warp instructions of %.1f lanes, ",
                say_count(WORDS, c->warp_instructions), lanes_an_instruction(c));
        fprintf(out, "%s branches (%s parted), %s warp calls\n",
                say_count(WORDS, c->branches),
                say_count(WORDS, c->branches_divergent),
                say_count(WORDS, c->warp_calls));
    } else {
        fprintf(out, "  instructions are not known: objdump is not installed\n");
    }
    fprintf(out, "  L2: %s sectors read, %s written; ",
            say_count(WORDS, c->l2_read_sectors),
            say_count(WORDS, c->l2_write_sectors));
    fprintf(out, "DRAM: %s read, %s written\n",
            say_scaled(WORDS, (double)c->dram_read_bytes, "B"),
            say_scaled(WORDS, (double)c->dram_write_bytes, "B"));
    if (all_flop(c) > 0)
        fprintf(out, "  %s, %.3g for each byte of DRAM\n",
                say_scaled(WORDS, all_flop(c), "FLOP"),
                ratio(all_flop(c),
                      (double)(c->dram_read_bytes + c->dram_write_bytes)));
}

/* Bytes up to where a line may end; a number stays with its unit. */
static int word_length(const char *text)
{
    int n = (int)strcspn(text, " ");

    return strncmp(text + n, " %", 2) == 0
               ? n + 1 + (int)strcspn(text + n + 1, " ")
               : n;
}

/* A paragraph with its first line's mark, broken between words. */
static void put_wrapped(FILE *out, const char *mark, const char *text)
{
    int column = fprintf(out, "%s", mark), indent = column;

    while (*text) {
        int word = word_length(text);

        if (column > indent && column + 1 + word > COLUMNS)
            column = fprintf(out, "\n%*s", indent, "") - 1;
        column += fprintf(out, "%s%.*s", column > indent ? " " : "", word, text);
        text += word + (text[word] == ' ');
    }
    fputc('\n', out);
}

/* Numbered, as in "do the first, then look again". */
static void put_advice(FILE *out, const struct kernel_profile *k,
                       const struct softgpu_card *card)
{
    struct advice advice[ADVICE_MOST];
    size_t n = advise(k, card, advice);

    fputc('\n', out);
    for (size_t i = 0; i < n; i++) {
        char mark[8], text[ADVICE_BYTES + 160];

        snprintf(mark, sizeof mark, "  %zu. ", i + 1);
        if (advice[i].line)
            snprintf(text, sizeof text, "%s:%d: %s",
                     say_plain(WORDS, say_file(advice[i].file), 60),
                     advice[i].line, advice[i].text);
        else
            snprintf(text, sizeof text, "%s", advice[i].text);
        put_wrapped(out, mark, text);
    }
}

/* Nsight's name of each counter that counted anything. */
static void put_legend(FILE *out, const struct profile_report *report)
{
    static const struct {
        size_t at;
        const char *name, *metric;
    } counters[] = {
#define X(name, metric, words) {offsetof(struct counters, name), #name, metric},
        SOFTGPU_COUNTERS(X)
#undef X
    };
    struct counters all = {0};

    for (size_t i = 0; i < report->count; i++)
        counters_add(&all, &report->kernels[i].total);
    fprintf(out, "\nmoved: sectors of 32 bytes (global), wavefronts (shared), "
            "passes (atomics, constant), branches\nthat parted, active lanes.  "
            "each: moved by one request.  ideal: what would have done.\n"
            "used: share of the moved bytes that the lanes wanted, or ideal by "
            "moved.\nIn Nsight Compute:\n");
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        if (*counters[i].metric
            && *(const uint64_t *)((const char *)&all + counters[i].at))
            fprintf(out, "  %-24s %s\n", counters[i].name, counters[i].metric);
}

/* The legend stands once, behind all kernels. */
void profile_report_text(FILE *out, const struct profile_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct kernel_profile *k = &report->kernels[i];

        if (k->library) {
            put_library(out, k, report->card);
            continue;
        }
        put_head(out, k);
        put_time(out, k, report->card);
        put_lines(out, k, report->root);
        put_sums(out, k);
        put_totals(out, &k->total);
        put_advice(out, k, report->card);
    }
    if (report->count)
        put_legend(out, report);
    else
        fprintf(out, "softgpu: no kernel ran\n");
    profile_timeline_text(out, report->timeline, report->card);
}

void profile_text(FILE *out, const struct kernel_profile *kernels, size_t count,
                  const struct softgpu_card *card)
{
    struct profile_report report = {card, (struct kernel_profile *)kernels,
                                    count, NULL, NULL};

    profile_report_text(out, &report);
}
