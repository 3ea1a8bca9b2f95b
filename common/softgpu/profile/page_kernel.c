/* SPDX-License-Identifier: MIT */
/* The section of one kernel. */
#include <string.h>

#include "access_rows.h"
#include "advice.h"
#include "page.h"
#include "text_format.h"

enum { MAX_PATTERNS = 8 };

/* Limits of the counters. */
static void write_limits(struct html *html, const struct kernel_profile *k)
{
    if (k->blocks && !k->blocks_watched) {
        html_text(html, " ");
        html_open(html, "b");
        html_text(html, "Nothing was counted");
        html_close(html);
        html_text(html, ": no block ran to its end.");
    } else if (k->blocks_watched < k->blocks) {
        html_text(html, " ");
        html_open(html, "b");
        html_textf(html, "%s of %s blocks were sampled",
                   format_count(BUFFER, k->blocks_watched),
                   format_count(BUFFER, k->blocks));
        html_close(html);
        html_text(html, ": counters are of these, the modeled time is of "
                        "all.");
    }
    if (k->records_split)
        html_textf(html, " %s times the log of a warp was full before its "
                         "lanes reconverged: counters may be a little high.",
                   format_count(BUFFER, k->records_split));
    if (!k->instructions_known && k->blocks_watched)
        html_text(html, " Instructions are not known, as objdump is not "
                        "installed.");
}

/* Launch configuration and resources. */
static void write_launch_facts(const struct page *page,
                               const struct kernel_profile *k)
{
    struct html *html = page->html;

    html_open(html, "p");
    page_source_link(page, k->file, k->line);
    html_textf(html, ": %s launch%s, grid %s, block %s, %s thread%s in all. ",
               format_count(BUFFER, k->launches), k->launches == 1 ? "" : "es",
               format_dim3(BUFFER, k->grid), format_dim3(BUFFER, k->block),
               format_count(BUFFER, k->threads), k->threads == 1 ? "" : "s");
    html_textf(html, "%u registers per thread (%s), %s bytes of shared memory "
                     "per block. ", k->registers,
               k->registers_measured ? "by ptxas" : "assumed, without ptxas",
               format_count(BUFFER, k->static_shared + k->dynamic_shared));
    html_textf(html, "Occupancy %.0f %%, limited by %s.", 100 * k->occupancy,
               occupancy_limit_label(k->occupancy_limit));
    write_limits(html, k);
    html_close(html);
    html_newline(html);
}

/* The ceilings as bars; that of the limiter is highlighted. */
static void write_ceilings(const struct page *page,
                           const struct kernel_profile *k)
{
    const struct model_time *m = &k->model;
    struct html *html = page->html;

    if (m->us <= 0)
        return;
    html_open(html, "h3");
    html_textf(html, "Modeled: %s", format_time(BUFFER, m->us));
    html_close(html);
    for (size_t i = 0; model_ceilings[i]; i++) {
        double share = ratio(m->ceiling[i], m->us);

        if (share < 0.001)
            continue;
        html_open_with(html, "div", "class=%s",
                       strcmp(model_ceilings[i], m->limiter) ? "bar"
                                                             : "bar top");
        html_element(html, "span", ceiling_label(model_ceilings[i]));
        page_bar(page, share, format_time(BUFFER, m->ceiling[i]));
        html_close(html);
        html_newline(html);
    }
}

/* The time of each group of launches, the longest first. */
static void write_groups(const struct page *page,
                         const struct kernel_profile *k)
{
    const struct launch_group *list[MAX_LAUNCH_GROUPS];
    const size_t n = longest_launch_groups(k, list);
    struct html *html = page->html;

    if (n < 2)
        return;
    html_open(html, "ul");
    for (size_t i = 0; i < n; i++) {
        html_open(html, "li");
        html_textf(html, "%s: %s", format_group(BUFFER, k, list[i]),
                   format_time(BUFFER, list[i]->us));
        html_close(html);
    }
    html_close(html);
    html_newline(html);
}

/* The advice, each with a link to its line. */
static void write_advice(const struct page *page,
                         const struct kernel_profile *k)
{
    struct advice advice[MAX_ADVICE];
    size_t n = advise(k, page->report->card, advice);
    struct html *html = page->html;

    html_open_with(html, "ol", "class=advice");
    for (size_t i = 0; i < n; i++) {
        html_open(html, "li");
        if (advice[i].line) {
            page_source_link(page, advice[i].file, advice[i].line);
            html_text(html, ": ");
        }
        html_text(html, advice[i].text);
        html_close(html);
        html_newline(html);
    }
    html_close(html);
}

/* The cells after that of the line. */
static void write_row(const struct page *page, const struct access_row *r)
{
    char text[64];

    html_element(page->html, "td", r->what);
    page_number_cell(page, 0, format_count(BUFFER, r->requests));
    if (!*r->unit) {
        for (int i = 0; i < 4; i++)
            html_element(page->html, "td", "");
        return;
    }
    snprintf(text, sizeof text, "%s %s", format_count(BUFFER, r->transactions),
             r->unit);
    page_number_cell(page, 0, text);
    snprintf(text, sizeof text, "%.1f",
             ratio((double)r->transactions, (double)r->requests));
    page_number_cell(page, 0, text);
    snprintf(text, sizeof text, "%.1f",
             ratio((double)r->ideal, (double)r->requests));
    page_number_cell(page, 0, text);
    snprintf(text, sizeof text, "%.0f %%", 100 * r->efficiency);
    page_number_cell(page, is_inefficient(r), text);
}

/* One row of the table for each kind of access; the first one has the name of
 * the line: "all" for a line of 0. */
static void write_rows(const struct page *page, const char *file, int line,
                       const struct counters *c)
{
    struct access_row rows[ACCESS_KINDS];
    size_t n = build_access_rows(c, rows);
    struct html *html = page->html;

    for (size_t i = 0; i < n || i == 0; i++) {
        html_open(html, "tr");
        html_open(html, "td");
        if (i == 0 && line)
            page_source_link(page, file, line);
        else if (i == 0)
            html_element(html, "b", "all");
        html_close(html);
        if (i < n)
            write_row(page, &rows[i]);
        html_close(html);
        html_newline(html);
    }
}

/* All counters, folded. */
static void write_counts(const struct page *page,
                         const struct kernel_profile *k)
{
    static const char *const titles[] = {"Line", "Access", "Requests",
                                         "Transactions", "Per request",
                                         "Ideal", "Efficiency"};
    struct html *html = page->html;

    html_open(html, "details");
    html_element(html, "summary", "Counters by line");
    html_open_with(html, "div", "class=wide");
    html_open(html, "table");
    html_open(html, "tr");
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        html_open_with(html, "th", "class=%s", i < 2 ? "" : "n");
        html_text(html, titles[i]);
        html_close(html);
    }
    html_close(html);
    html_newline(html);
    for (size_t i = 0; i < k->line_count; i++)
        write_rows(page, k->lines[i].file, k->lines[i].line,
                   &k->lines[i].counters);
    write_rows(page, NULL, 0, &k->total);
    for (int i = 0; i < 3; i++)
        html_close(html);
    html_newline(html);
}

/* Advice comes before the counters that it follows from. */
void page_kernel(const struct page *page, size_t number)
{
    const struct kernel_profile *k = &page->report->kernels[number];
    struct html *html = page->html;

    html_open_with(html, "h2", "id=k%zu", number + 1);
    html_open(html, "small");
    html_textf(html, "%zu ", number + 1);
    html_close(html);
    html_element(html, "code", k->name);
    html_close(html);
    html_newline(html);
    write_launch_facts(page, k);
    write_advice(page, k);
    write_ceilings(page, k);
    write_groups(page, k);
    write_counts(page, k);
    for (size_t i = 0; i < k->pattern_count && i < MAX_PATTERNS; i++)
        page_access_pattern(page, &k->patterns[i]);
}
