/* SPDX-License-Identifier: MIT */
/* The sources: each line with its share of the modeled time, its accesses,
 * and the findings of the checks (source counters, as Nsight Compute's source
 * view). */
#include <stdlib.h>
#include <string.h>

#include "access_rows.h"
#include "common/base/json_member.h"
#include "page.h"
#include "source_file.h"
#include "text_format.h"

enum {
    CONTEXT_LINES = 6,    /* shown around a line with counters or findings */
    MAX_WHOLE_LINES = 80, /* longest file that is shown whole */
    MAX_LINE = 1 << 24,   /* of a finding */
    MAX_UNREAD_LINES = 1 << 20, /* of a source that cannot be read */
};
#define MIN_SHARE 0.005 /* smaller shares are left out */

/* One source. */
struct listing {
    const struct page *page;
    const char *file;
    int number;                 /* in page->files */
    struct source_text *source; /* NULL: cannot be read */
    double all;                 /* modeled time of all kernels */
    char *marked;               /* 1 for lines with counters or findings */
    int lines;                  /* of the file, or the last marked one */
};

/* The line is compared first: paths are slow to compare. */
static int is_same_line(const char *file, int line, const struct listing *l,
                        int at)
{
    return line == at && source_paths_match(file, l->file);
}

/* The line of a finding in this file, or 0. */
static int finding_line(const json_t *finding, const struct listing *l)
{
    const char *file = member_text(finding, "file", NULL);

    return file && source_paths_match(file, l->file)
               ? member_int(finding, "line", MAX_LINE)
               : 0;
}

/* Share of the time of all kernels that this line takes. */
static double line_time_share(const struct listing *l, int at)
{
    const struct profile_report *r = l->page->report;
    double sum = 0;

    for (size_t i = 0; i < r->count; i++) {
        const struct kernel_profile *k = &r->kernels[i];
        double weight = l->all > 0 ? ratio(k->model.us, l->all)
                                   : 1.0 / (double)r->count;

        for (size_t n = 0; n < k->line_count; n++)
            if (is_same_line(k->lines[n].file, k->lines[n].line, l, at))
                sum += weight * line_cost_share(k, &k->lines[n]);
    }
    return sum;
}

/* "global load 4.0 of 4.0 sectors": per request, and the ideal. */
static void write_row(struct html *html, const struct access_row *r)
{
    if (is_inefficient(r))
        html_open_with(html, "span", "class=low");
    else
        html_open(html, "span");
    html_text(html, r->what);
    if (r->kind == ACCESS_BRANCH)
        html_textf(html, " %.0f %% divergent", 100 * (1 - r->efficiency));
    else if (r->kind == ACCESS_INSTRUCTION)
        html_textf(html, " %.0f %% of lanes", 100 * r->efficiency);
    else if (*r->unit)
        html_textf(html, " %.1f of %.1f %s",
                   ratio((double)r->transactions, (double)r->requests),
                   ratio((double)r->ideal, (double)r->requests), r->unit);
    html_close(html);
}

/* The accesses of each kernel that executes the line. */
static void write_accesses(const struct listing *l, int at)
{
    const struct profile_report *r = l->page->report;
    struct html *html = l->page->html;
    struct access_row rows[ACCESS_KINDS];

    for (size_t i = 0; i < r->count; i++)
        for (size_t n = 0; n < r->kernels[i].line_count; n++) {
            const struct line_profile *line = &r->kernels[i].lines[n];
            size_t count = is_same_line(line->file, line->line, l, at)
                               ? build_access_rows(&line->counters, rows)
                               : 0;

            if (count && r->count > 1) {
                html_open(html, "small");
                html_textf(html, "%zu:", i + 1);
                html_close(html);
            }
            for (size_t row = 0; row < count; row++)
                write_row(html, &rows[row]);
        }
}

static void write_finding(struct html *html, const json_t *finding)
{
    const char *kernel = member_text(finding, "kernel", NULL);

    html_open(html, "p");
    html_element(html, "b", member_text(finding, "kind", "finding"));
    html_textf(html, " %s ", member_text(finding, "message", ""));
    if (kernel) {
        html_open(html, "small");
        html_text(html, "in ");
        html_element(html, "code", kernel);
        html_textf(html, ", %llu times",
                   (unsigned long long)member_count(finding, "count"));
        html_close(html);
    }
    html_close(html);
}

/* The findings of a line are listed below it. */
static void write_findings(const struct listing *l, int at)
{
    const json_t *findings = l->page->findings;

    for (size_t i = 0; i < json_array_size(findings); i++)
        if (finding_line(json_array_get(findings, i), l) == at)
            write_finding(l->page->html, json_array_get(findings, i));
}

/* The background is the share: --c, from 0 to 1. */
static void write_line(const struct listing *l, int at)
{
    const double share = line_time_share(l, at);
    struct html *html = l->page->html;

    if (share >= MIN_SHARE)
        html_open_with(html, "div", "id=f%d-%d style=--c:%.2f", l->number, at,
                       share < 1 ? share : 1);
    else
        html_open_with(html, "div", "id=f%d-%d", l->number, at);
    html_open(html, "u");
    html_textf(html, "%d", at);
    html_close(html);
    html_open(html, "s");
    if (share >= MIN_SHARE)
        html_textf(html, "%.0f %%", 100 * share);
    html_close(html);
    html_element(html, "pre", source_line_at(l->source, at));
    html_open_with(html, "span", "class=w");
    write_accesses(l, at);
    html_close(html);
    write_findings(l, at);
    html_close(html);
    html_newline(html);
}

static void mark_line(struct listing *l, int at)
{
    if (at >= 1 && at <= l->lines)
        l->marked[at] = 1;
}

/* Without the file, its length is that of the last line with counters. */
static void extend_to_line(struct listing *l, int at)
{
    if (!l->source && at > l->lines && at < MAX_UNREAD_LINES)
        l->lines = at;
}

/* Call a function for each line with counters or findings. */
static void for_each_line(struct listing *l,
                          void function(struct listing *, int))
{
    const struct profile_report *r = l->page->report;

    for (size_t i = 0; i < r->count; i++) {
        const struct kernel_profile *k = &r->kernels[i];

        if (source_paths_match(k->file, l->file))
            function(l, k->line);
        for (size_t n = 0; n < k->line_count; n++)
            if (source_paths_match(k->lines[n].file, l->file))
                function(l, k->lines[n].line);
    }
    for (size_t i = 0; i < json_array_size(l->page->findings); i++)
        function(l, finding_line(json_array_get(l->page->findings, i), l));
}

/* Short files are shown whole; of others, what is near a marked line; of files
 * that cannot be read, the marked lines. */
static int is_shown(const struct listing *l, int at)
{
    int first = at > CONTEXT_LINES ? at - CONTEXT_LINES : 1;
    int last = at + CONTEXT_LINES < l->lines ? at + CONTEXT_LINES : l->lines;

    if (!l->source)
        return l->marked[at];
    if (l->lines <= MAX_WHOLE_LINES)
        return 1;
    return memchr(l->marked + first, 1, (size_t)(last - first + 1)) != NULL;
}

static void write_heading(const struct listing *l)
{
    struct html *html = l->page->html;

    html_open(html, "h3");
    html_textf(html, "%s ", path_basename(l->file));
    html_element(html, "small", l->file);
    html_close(html);
    html_newline(html);
    if (l->source)
        return;
    html_open_with(html, "p", "class=dim");
    html_text(html, "The file cannot be read.");
    html_close(html);
}

/* The number of lines that were left out. */
static void write_gap(struct html *html, int lines)
{
    html_open_with(html, "p", "class=gap");
    html_textf(html, "%d more lines", lines);
    html_close(html);
    html_newline(html);
}

static void write_listing(const struct listing *l)
{
    int gap = 0;

    write_heading(l);
    html_open_with(l->page->html, "div", "class=src");
    for (int at = 1; at <= l->lines; at++) {
        if (!is_shown(l, at)) {
            gap++;
            continue;
        }
        if (gap && l->source)
            write_gap(l->page->html, gap);
        gap = 0;
        write_line(l, at);
    }
    html_close(l->page->html);
    html_newline(l->page->html);
}

static void write_source(const struct page *page, size_t number, double all)
{
    struct listing l = {.page = page, .file = page->files[number],
                        .number = (int)number, .all = all};

    l.source = source_read(l.file, page->report->roots);
    l.lines = source_line_count(l.source);
    for_each_line(&l, extend_to_line);
    l.marked = calloc((size_t)l.lines + 2, 1);
    if (l.marked) {
        for_each_line(&l, mark_line);
        write_listing(&l);
    }
    free(l.marked);
    source_free(l.source);
}

/* Shares are of all kernels: the costliest line of the program is the most
 * saturated. */
void page_sources(const struct page *page)
{
    const struct profile_report *r = page->report;
    double all = 0;

    if (!page->file_count)
        return;
    for (size_t i = 0; i < r->count; i++)
        all += r->kernels[i].model.us;
    html_open_with(page->html, "h2", "id=sources");
    html_text(page->html, "Sources");
    html_close(page->html);
    html_newline(page->html);
    html_open_with(page->html, "p", "class=dim");
    html_textf(page->html, "The share is of the modeled time of all "
                           "kernels%s.",
               r->count > 1 ? "; small numbers name the kernel" : "");
    html_close(page->html);
    html_newline(page->html);
    for (size_t i = 0; i < page->file_count; i++)
        write_source(page, i, all);
}
