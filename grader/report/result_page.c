/* SPDX-License-Identifier: MIT */
/* Tests and findings of a result as HTML. */
#include "result_page.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/json_member.h"
#include "common/base/text.h"
#include "common/softgpu/profile/text_format.h"
#include "barrier_hint.h"

enum { AROUND = 3 }; /* lines before and after a finding */

/* --- the source ----------------------------------------------------------- */

/* The line of "scan.cu:79:24", or 0. */
static long line_of_place(const char *place)
{
    const char *colon = strchr(place, ':');

    return colon ? strtol(colon + 1, NULL, 10) : 0;
}

void page_lines(struct html *h, const char *text, long first, long last,
                long marked)
{
    long number = 1;

    html_open(h, "pre");
    for (; *text && number <= last; number++) {
        size_t length = strcspn(text, "\n");
        char *line = number >= first ? strndup(text, length) : NULL;

        if (line) {
            html_open(h, "s");
            html_textf(h, "%5ld  ", number);
            html_close(h);
            html_element(h, number == marked ? "b" : "span", line);
            html_newline(h);
        }
        free(line);
        text += length + (text[length] == '\n');
    }
    html_close(h);
}

/* A finding with the lines around its place, and around the other one. */
static void write_finding(struct html *h, const json_t *finding,
                          const char *source)
{
    long line = line_of_place(member_text(finding, "place", ""));
    long other = line_of_place(member_text(finding, "other_place", ""));
    unsigned block[3], thread[3];
    const char *kind = member_text(finding, "kind", "");
    const bool is_warp = !strcmp(kind, "lockstep");
    char hint[256];

    member_index(finding, "block", block);
    member_index(finding, "thread", thread);
    html_element(h, "h3", member_text(finding, "kind", "?"));
    html_open(h, "p");
    html_textf(h, "%s: %s. Kernel %s, block (%u, %u, %u), thread (%u, %u, %u); "
               "%g times.", member_text(finding, "place", "?"),
               member_text(finding, "message", ""),
               *member_text(finding, "kernel", "")
               ? member_text(finding, "kernel", "") : "none (host code)",
               block[0], block[1], block[2], thread[0], thread[1], thread[2],
               member_number(finding, "count"));
    if (source && (is_warp || !strncmp(kind, "race_", 5))
        && barrier_hint(source, is_warp, line, other, hint, sizeof hint))
        html_textf(h, " %s", hint);
    html_close(h);
    if (source && line > 0)
        page_lines(h, source, line - AROUND, line + AROUND, line);
    if (source && other > 0 && other != line) {
        html_open(h, "p");
        html_textf(h, "See also %s:",
                   member_text(finding, "other_place", ""));
        html_close(h);
        page_lines(h, source, other - AROUND, other + AROUND, other);
    }
}

/* --- tests ---------------------------------------------------------------- */

/* A count: whole, with commas; a small one may be a mean. */
static const char *count_text(struct text_buffer *buffer, double value)
{
    if (value >= 100)
        return format_count(buffer, (uint64_t)value);
    return text_format(buffer->text, sizeof buffer->text, "%.4g", value);
}

/* A new line, unless the cell is still empty. */
static void begin_line(struct html *h, const json_t *test)
{
    if (*member_text(test, "message", "") || *member_text(test, "values", ""))
        html_empty(h, "br", "class=x");
}

/* The measured count, and a budget's tiers: "at most 8,192 for 2 points, 0 for
 * 8". */
static void write_tiers(struct html *h, const json_t *test)
{
    const double unit = member_number(test, "unit");
    const json_t *tier;
    size_t k;

    if (unit <= 0)
        return; /* no budget, or not counted */
    begin_line(h, test);
    html_open(h, "small");
    html_textf(h, "counted %s in case %s, the minimum %s",
               count_text(BUFFER, member_number(test, "value")),
               member_text(test, "case", "?"),
               count_text(BUFFER, member_number(test, "least")));
    json_array_foreach(json_object_get(test, "tiers"), k, tier) {
        const double points = member_number(tier, "points");

        html_textf(h, "%s %s for %g%s", k ? "," : "; at most",
                   count_text(BUFFER, member_number(tier, "most") * unit),
                   points, k ? "" : points == 1 ? " point" : " points");
    }
    html_close(h);
}

/* Measurements, for timed runs alone. */
static void write_speed(struct html *h, const json_t *test)
{
    if (member_number(test, "ratio") <= 0)
        return;
    begin_line(h, test);
    html_open(h, "small");
    html_textf(h, "%.3g x the baseline (%.3g to %.3g), target %.3g; %g rounds, "
               "measured %g times", member_number(test, "ratio"),
               member_number(test, "low"), member_number(test, "high"),
               member_number(test, "target"), member_number(test, "rounds"),
               member_number(test, "attempts"));
    html_close(h);
}

/* A check or a cost that is kept, and has no points as a test failed, is not
 * passed; a cost that is kept, and has none as an earlier one is not, waits. */
static const char *shown_verdict(const json_t *test)
{
    const char *verdict = member_text(test, "verdict", "?");

    if (json_is_true(json_object_get(test, "waits")))
        return "WAITS";
    return strcmp(verdict, "PASS") == 0 && member_number(test, "score") <= 0
                   && member_number(test, "max_score") > 0
               ? "-"
               : verdict;
}

/* A row of the table of tests. */
static void write_test(struct html *h, const json_t *test)
{
    const char *review = member_text(test, "review", "");

    html_open(h, "tr");
    html_open_with(h, "td", "class=t");
    html_element(h, "b", member_text(test, "name", "?"));
    if (json_is_true(json_object_get(test, "hidden")))
        html_element(h, "small", " (hidden)");
    html_empty(h, "br", "class=x");
    html_element(h, "small", member_text(test, "title", ""));
    html_close(h);
    html_open(h, "td");
    page_verdict(h, shown_verdict(test));
    html_close(h);
    html_open_with(h, "td", "class=n");
    html_textf(h, "%g/%g", member_number(test, "score"),
               member_number(test, "max_score"));
    html_close(h);
    html_open_with(h, "td", "class=m");
    html_text(h, member_text(test, "message", ""));
    if (*member_text(test, "values", "")) {
        html_open_with(h, "pre", "class=wide");
        html_text(h, member_text(test, "values", ""));
        html_close(h);
    }
    if (*member_text(test, "stored", "")) {
        html_open_with(h, "div", "class=note");
        html_text(h, member_text(test, "stored", ""));
        html_close(h);
    }
    write_tiers(h, test);
    write_speed(h, test);
    if (*review) {
        html_open_with(h, "div", "class=note");
        html_textf(h, "Review: %s", review);
        html_close(h);
    }
    html_close(h);
    html_close(h);
    html_newline(h);
}

/* Why a check that passed may have no points. */
static void write_order(struct html *h, const json_t *result)
{
    const json_t *test;
    size_t k, failed = 0;

    json_array_foreach(json_object_get(result, "tests"), k, test)
        failed += strcmp(member_text(test, "verdict", "PASS"), "PASS") != 0;
    if (failed && json_array_size(json_object_get(result, "checks")))
        html_element(h, "p", "Checks and costs earn their points once all "
                     "tests pass.");
}

void page_tests(struct html *h, const json_t *result)
{
    static const char *const head[] = {"test", "verdict", "points", "message",
                                       NULL};
    static const char *const lists[] = {"tests", "checks", "costs", "speed",
                                        NULL};
    const json_t *test;
    size_t k;

    html_element(h, "h2", "Tests, checks and costs");
    write_order(h, result);
    html_open_with(h, "div", "class=wide");
    html_open_with(h, "table", "class=s");
    page_head_row(h, head);
    for (size_t i = 0; lists[i]; i++)
        json_array_foreach(json_object_get(result, lists[i]), k, test)
            write_test(h, test);
    html_close(h);
    html_close(h);
}

void page_findings(struct html *h, const json_t *result,
                         const char *source)
{
    const json_t *check, *finding;
    size_t i, k, count = 0;

    json_array_foreach(json_object_get(result, "checks"), i, check)
        json_array_foreach(json_object_get(check, "findings"), k, finding) {
            if (!count++)
                html_element(h, "h2", "Findings");
            write_finding(h, finding, source);
        }
}
