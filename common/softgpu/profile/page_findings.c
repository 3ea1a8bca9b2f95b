/* SPDX-License-Identifier: MIT */
/* What the checks found, in their own order: most telling first. */
#include <jansson.h>

#include "page_html.h"

enum { MOST_FINDINGS = 64 };

static const char *text_of(const json_t *finding, const char *key)
{
    const char *text = json_string_value(json_object_get(finding, key));

    return text ? text : "";
}

/* A line in the file; 0: the finding has none, as a leak of the host's. */
static int line_of(const json_t *finding)
{
    json_int_t line = json_integer_value(json_object_get(finding, "line"));

    return line > 0 && line < 1 << 24 ? (int)line : 0;
}

static void put_finding(const struct page *page, const json_t *finding)
{
    FILE *out = page->out;

    fprintf(out, "<li><b class=low>");
    html_text(out, text_of(finding, "kind"));
    fprintf(out, "</b> ");
    if (line_of(finding)) {
        page_place(page, text_of(finding, "file"), line_of(finding));
        fprintf(out, ": ");
    }
    html_text(out, text_of(finding, "message"));
    if (*text_of(finding, "kernel")) {
        fprintf(out, " <small>in <code>");
        html_text(out, text_of(finding, "kernel"));
        fprintf(out, "</code></small>");
    }
    fprintf(out, "</li>\n");
}

void page_findings(const struct page *page)
{
    size_t n = json_array_size(page->findings);

    if (n == 0)
        return;
    fprintf(page->out, "<h3>%zu finding%s of the checks: mend %s first</h3>\n"
            "<ul>\n", n, n == 1 ? "" : "s", n == 1 ? "it" : "them");
    for (size_t i = 0; i < n && i < MOST_FINDINGS; i++)
        put_finding(page, json_array_get(page->findings, i));
    if (n > MOST_FINDINGS)
        fprintf(page->out, "<li>and %zu more</li>\n", n - MOST_FINDINGS);
    fprintf(page->out, "</ul>\n");
}
