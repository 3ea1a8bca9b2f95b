/* SPDX-License-Identifier: MIT */
/* One kernel on the page. */
#include <string.h>

#include "advice.h"
#include "page_html.h"
#include "text_format.h"
#include "text_rows.h"

enum { MOST_PICTURES = 8 };

/* How it was launched, what it needs, and how far the counts can be trusted. */
static void put_facts(const struct page *page, const struct kernel_profile *k)
{
    FILE *out = page->out;

    fprintf(out, "<p>");
    page_place(page, k->file, k->line);
    fprintf(out, ": %s launch%s, grid %s, ", say_count(WORDS, k->launches),
            k->launches == 1 ? "" : "es", say_shape(WORDS, k->grid));
    fprintf(out, "block %s, %s threads in all. ", say_shape(WORDS, k->block),
            say_count(WORDS, k->threads));
    fprintf(out, "%u registers a thread (%s), ", k->registers,
            k->registers_measured ? "told by ptxas"
                                  : "assumed: ptxas was not asked");
    fprintf(out, "%s bytes of shared memory a block. ",
            say_count(WORDS, k->static_shared + k->dynamic_shared));
    fprintf(out, "Occupancy %.0f %%, limited by %s.", 100 * k->occupancy,
            say_limit(k->occupancy_limit));
    if (k->blocks_watched < k->blocks)
        fprintf(out, " <b>%s of %s blocks were watched</b>: counts are of "
                "those, the modelled time is of all.",
                say_count(WORDS, k->blocks_watched),
                say_count(WORDS, k->blocks));
    if (k->records_split)
        fprintf(out, " %s times a warp did more than the log holds before its "
                "lanes met: counts may be a little high.",
                say_count(WORDS, k->records_split));
    if (!k->instructions_known)
        fprintf(out, " Instructions are not known, as objdump is not "
                "installed.");
    fprintf(out, "</p>\n");
}

/* The ceilings as bars: the longest is the modelled time's limiter. */
static void put_ceilings(FILE *out, const struct kernel_profile *k)
{
    const struct model_time *m = &k->model;

    if (m->us <= 0)
        return;
    fprintf(out, "<h3>Modelled: %s</h3>\n", say_time(WORDS, m->us));
    for (size_t i = 0; model_ceilings[i]; i++) {
        double share = ratio(m->ceiling[i], m->us);

        if (share < 0.001)
            continue;
        fprintf(out, "<div class=\"bar%s\"><span>",
                strcmp(model_ceilings[i], m->limiter) == 0 ? " top" : "");
        html_text(out, say_ceiling(model_ceilings[i]));
        fprintf(out, "</span><i style=\"width:%.1f%%\"></i><b>%s</b></div>\n",
                share < 1 ? 100 * share : 100, say_time(WORDS, m->ceiling[i]));
    }
}

/* The sentences, each with a link to its line. */
static void put_advice(const struct page *page, const struct kernel_profile *k)
{
    struct advice advice[ADVICE_MOST];
    size_t n = advise(k, page->report->card, advice);

    fprintf(page->out, "<ol class=advice>\n");
    for (size_t i = 0; i < n; i++) {
        fprintf(page->out, "<li>");
        if (advice[i].line) {
            page_place(page, advice[i].file, advice[i].line);
            fprintf(page->out, ": ");
        }
        html_text(page->out, advice[i].text);
        fprintf(page->out, "</li>\n");
    }
    fprintf(page->out, "</ol>\n");
}

/* The cells behind the line's own. */
static void put_row(FILE *out, const struct access_row *r)
{
    fprintf(out, "<td>%s</td><td class=n>%s</td>", r->what,
            say_count(WORDS, r->requests));
    if (*r->unit)
        fprintf(out, "<td class=n>%s %s</td><td class=n>%.1f</td>"
                "<td class=n>%.1f</td><td class=\"n%s\">%.0f %%</td></tr>\n",
                say_count(WORDS, r->moved), r->unit,
                ratio((double)r->moved, (double)r->requests),
                ratio((double)r->ideal, (double)r->requests),
                is_wasteful(r) ? " low" : "", 100 * r->used);
    else
        fprintf(out, "<td><td><td><td></tr>\n");
}

/* The first row stands in the line's, the others in rows of their own. */
static void put_rows(FILE *out, const struct counters *c)
{
    struct access_row rows[ACCESS_KINDS];
    size_t n = access_rows(c, rows);

    for (size_t i = 0; i < n; i++) {
        if (i)
            fprintf(out, "<tr><td>");
        put_row(out, &rows[i]);
    }
    if (n == 0)
        fprintf(out, "<td colspan=6></tr>\n");
}

/* Folded: for who wants the numbers themselves. */
static void put_counts(const struct page *page, const struct kernel_profile *k)
{
    FILE *out = page->out;

    fprintf(out, "<details><summary>Counts by line</summary><div class=wide>"
            "<table><tr><th>Line<th>Access<th class=n>Requests<th class=n>Moved"
            "<th class=n>Each<th class=n>Ideal<th class=n>Used</tr>\n");
    for (size_t i = 0; i < k->line_count; i++) {
        fprintf(out, "<tr><td>");
        page_place(page, k->lines[i].file, k->lines[i].line);
        put_rows(out, &k->lines[i].counters);
    }
    fprintf(out, "<tr><td><b>all</b>");
    put_rows(out, &k->total);
    fprintf(out, "</table></div></details>\n");
}

/* What to do comes before what was counted. */
void page_kernel(const struct page *page, size_t number)
{
    const struct kernel_profile *k = &page->report->kernels[number];
    FILE *out = page->out;

    fprintf(out, "<h2 id=k%zu><small>%zu</small> <code>", number + 1,
            number + 1);
    html_text(out, k->name);
    fprintf(out, "</code></h2>\n");
    if (k->library) {
        fprintf(out, "<p>A library's: %s call%s, modelled at least %s, from "
                "operations and bytes. Nothing of it is counted.</p>\n",
                say_count(WORDS, k->launches), k->launches == 1 ? "" : "s",
                say_time(WORDS, k->model.us));
        return;
    }
    put_facts(page, k);
    put_advice(page, k);
    put_ceilings(out, k);
    put_counts(page, k);
    for (size_t i = 0; i < k->picture_count && i < MOST_PICTURES; i++)
        page_picture(page, &k->pictures[i]);
}
