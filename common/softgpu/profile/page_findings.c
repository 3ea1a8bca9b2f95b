/* SPDX-License-Identifier: MIT */
/* The findings of the checks, first on the page: counters of a kernel with a
 * data race mean little. */
#include "common/base/json_member.h"
#include "page.h"

enum { MAX_FINDINGS = 40, MAX_LINE = 1 << 24 };

static void write_kernel_name(struct html *html, const char *kernel)
{
    if (!*kernel)
        return;
    html_text(html, " ");
    html_open(html, "small");
    html_text(html, "in ");
    html_element(html, "code", kernel);
    html_close(html);
}

/* A leak in host code has no line. */
static void write_finding(const struct page *page, const json_t *finding)
{
    struct html *html = page->html;
    const int line = member_int(finding, "line", MAX_LINE);

    html_open(html, "li");
    html_open_with(html, "b", "class=low");
    html_text(html, member_text(finding, "kind", ""));
    html_close(html);
    html_text(html, " ");
    if (line) {
        page_source_link(page, member_text(finding, "file", ""), line);
        html_text(html, ": ");
    }
    html_text(html, member_text(finding, "message", ""));
    write_kernel_name(html, member_text(finding, "kernel", ""));
    html_close(html);
    html_newline(html);
}

void page_findings(const struct page *page)
{
    struct html *html = page->html;
    size_t n = json_array_size(page->findings);

    if (n == 0)
        return;
    html_open(html, "h3");
    html_textf(html, "%zu finding%s of the checks: fix %s first", n,
               n == 1 ? "" : "s", n == 1 ? "it" : "them");
    html_close(html);
    html_open(html, "ul");
    for (size_t i = 0; i < n && i < MAX_FINDINGS; i++)
        write_finding(page, json_array_get(page->findings, i));
    if (n > MAX_FINDINGS) {
        html_open(html, "li");
        html_textf(html, "and %zu more", n - MAX_FINDINGS);
        html_close(html);
    }
    html_close(html);
    html_newline(html);
}
