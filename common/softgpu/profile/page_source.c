/* SPDX-License-Identifier: MIT */
/* The sources: each line with its share of the modelled time, what it did, and
 * what the checks found there. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "page_html.h"
#include "text_format.h"
#include "text_rows.h"
#include "text_source.h"

enum { NEAR = 6,    /* lines shown around one that has something to say */
       WHOLE = 80 }; /* a file of so many lines is shown whole */

/* One file on the page. */
struct listing {
    const struct page *page;
    const char *file;
    int number;                 /* in page->files */
    struct source_text *source; /* NULL: cannot be read */
    double all;                 /* modelled time of all kernels */
    char *busy;                 /* 1 for each line with something to say */
    int lines;                  /* of the file, or the last that is named */
};

/* The number first: it is quicker than the name. */
static int is_at(const char *file, int line, const struct listing *l, int at)
{
    return line == at && source_same(file, l->file);
}

/* The line of a finding in this file, or 0. */
static int finding_line(const json_t *finding, const struct listing *l)
{
    const char *file = json_string_value(json_object_get(finding, "file"));
    json_int_t line = json_integer_value(json_object_get(finding, "line"));

    return file && source_same(file, l->file) && line > 0 && line < 1 << 24
               ? (int)line
               : 0;
}

/* Share of all kernels' time that this line takes. */
static double share_at(const struct listing *l, int at)
{
    const struct profile_report *r = l->page->report;
    double sum = 0;

    for (size_t i = 0; i < r->count; i++) {
        const struct kernel_profile *k = &r->kernels[i];
        double weight = l->all > 0 ? ratio(k->model.us, l->all)
                                   : 1.0 / (double)r->count;

        for (size_t n = 0; n < k->line_count; n++)
            if (is_at(k->lines[n].file, k->lines[n].line, l, at))
                sum += weight * line_share(k, &k->lines[n]);
    }
    return sum;
}

/* A kind of access in a few words. */
static void put_row(FILE *out, const struct access_row *r)
{
    fprintf(out, "<span%s>%s", is_wasteful(r) ? " class=low" : "",
            r->what);
    if (r->kind == ACCESS_BRANCH || r->kind == ACCESS_INSTRUCTION)
        fprintf(out, " %.0f %% %s", 100 * (r->kind == ACCESS_BRANCH
                                               ? 1 - r->used : r->used),
                r->kind == ACCESS_BRANCH ? "parted" : "of lanes");
    else if (*r->unit)
        fprintf(out, " %.1f of %.1f %s",
                ratio((double)r->moved, (double)r->requests),
                ratio((double)r->ideal, (double)r->requests), r->unit);
    fprintf(out, "</span>");
}

/* Of each kernel that came by here. */
static void put_accesses(const struct listing *l, int at)
{
    const struct profile_report *r = l->page->report;
    struct access_row rows[ACCESS_KINDS];

    for (size_t i = 0; i < r->count; i++)
        for (size_t n = 0; n < r->kernels[i].line_count; n++) {
            const struct line_profile *line = &r->kernels[i].lines[n];
            size_t count = is_at(line->file, line->line, l, at)
                               ? access_rows(&line->counters, rows)
                               : 0;

            if (count && r->count > 1)
                fprintf(l->page->out, " <small>%zu:</small>", i + 1);
            for (size_t row = 0; row < count; row++)
                put_row(l->page->out, &rows[row]);
        }
}

/* Under the line, as a reviewer would write it. */
static void put_findings(const struct listing *l, int at)
{
    FILE *out = l->page->out;

    for (size_t i = 0; i < json_array_size(l->page->findings); i++) {
        const json_t *f = json_array_get(l->page->findings, i);
        const char *kind = json_string_value(json_object_get(f, "kind"));
        const char *kernel = json_string_value(json_object_get(f, "kernel"));

        if (finding_line(f, l) != at)
            continue;
        fprintf(out, "<p><b>");
        html_text(out, kind ? kind : "finding");
        fprintf(out, "</b> ");
        html_text(out, json_string_value(json_object_get(f, "message")));
        if (kernel) {
            fprintf(out, " <small>in <code>");
            html_text(out, kernel);
            fprintf(out, "</code>, %lld times</small>", (long long)
                    json_integer_value(json_object_get(f, "count")));
        }
        fprintf(out, "</p>");
    }
}

/* The colour is the share: --c, from 0 to 1. */
static void put_line(const struct listing *l, int at)
{
    const char *text = source_line_at(l->source, at);
    double share = share_at(l, at);
    FILE *out = l->page->out;

    fprintf(out, "<div id=f%d-%d", l->number, at);
    if (share >= 0.005)
        fprintf(out, " style=\"--c:%.2f\"", share < 1 ? share : 1);
    fprintf(out, "><u>%d</u><s>", at);
    if (share >= 0.005)
        fprintf(out, "%.0f %%", 100 * share);
    fprintf(out, "</s><pre>");
    html_text(out, text ? text : "");
    fprintf(out, "</pre><span class=w>");
    put_accesses(l, at);
    fprintf(out, "</span>");
    put_findings(l, at);
    fprintf(out, "</div>\n");
}

/* This line is worth its place. */
static void mark(struct listing *l, int at)
{
    if (at >= 1 && at <= l->lines)
        l->busy[at] = 1;
}

/* Call for each line that is named; the last one tells how long to list. */
static void mark_all(struct listing *l, void each(struct listing *, int))
{
    const struct profile_report *r = l->page->report;

    for (size_t i = 0; i < r->count; i++) {
        const struct kernel_profile *k = &r->kernels[i];

        if (source_same(k->file, l->file))
            each(l, k->line);
        for (size_t n = 0; n < k->line_count; n++)
            if (source_same(k->lines[n].file, l->file))
                each(l, k->lines[n].line);
    }
    for (size_t i = 0; i < json_array_size(l->page->findings); i++)
        each(l, finding_line(json_array_get(l->page->findings, i), l));
}

/* Without the file, its length is the last line that anything names. */
static void stretch(struct listing *l, int at)
{
    if (!l->source && at > l->lines && at < 1 << 20)
        l->lines = at;
}

/* Short files whole; of others what is near a busy line; of missing ones the
 * busy lines alone. */
static int is_shown(const struct listing *l, int at)
{
    int first = at > NEAR ? at - NEAR : 1;
    int last = at + NEAR < l->lines ? at + NEAR : l->lines;

    if (!l->source)
        return l->busy[at];
    if (l->lines <= WHOLE)
        return 1;
    return memchr(l->busy + first, 1, (size_t)(last - first + 1)) != NULL;
}

/* Lines left out are counted, so that nobody thinks them lost. */
static void put_listing(struct listing *l)
{
    FILE *out = l->page->out;
    int gap = 0;

    fprintf(out, "<h3>");
    html_text(out, say_file(l->file));
    fprintf(out, " <small>");
    html_text(out, l->file);
    fprintf(out, "</small></h3>%s<div class=src>\n",
            l->source ? "" : "<p class=dim>The file is not there to be shown."
                             "</p>");
    for (int at = 1; at <= l->lines; at++) {
        if (is_shown(l, at)) {
            if (gap && l->source)
                fprintf(out, "<p class=gap>%d more lines</p>\n", gap);
            gap = 0;
            put_line(l, at);
        } else {
            gap++;
        }
    }
    fprintf(out, "</div>\n");
}

/* Shares are of all kernels: the hottest line of the program is the reddest. */
void page_sources(const struct page *page)
{
    const struct profile_report *r = page->report;
    double all = 0;

    for (size_t i = 0; i < r->count; i++)
        all += r->kernels[i].model.us;
    if (page->file_count)
        fprintf(page->out, "<h2 id=sources>Sources</h2>\n<p class=dim>The "
                "share is of the modelled time of all kernels%s.</p>\n",
                r->count > 1 ? "; small numbers name the kernel" : "");
    for (size_t i = 0; i < page->file_count; i++) {
        struct listing l = {page, page->files[i], (int)i, NULL, all, NULL, 0};

        l.source = source_read(l.file, r->root);
        l.lines = source_lines(l.source);
        mark_all(&l, stretch);
        l.busy = calloc((size_t)l.lines + 2, 1);
        if (l.busy) {
            mark_all(&l, mark);
            put_listing(&l);
        }
        free(l.busy);
        source_free(l.source);
    }
}
