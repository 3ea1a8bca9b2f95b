/* SPDX-License-Identifier: MIT */
/* The meaning of the counters, their names in Nsight Compute, and how exact
 * they are. */
#include <stddef.h>

#include "page.h"
#include "text_format.h"

static const struct {
    size_t at;
    const char *name, *metric, *description;
} counters[] = {
#define X(name, metric, description) \
    {offsetof(struct counters, name), #name, metric, description},
    SOFTGPU_COUNTERS(X)
#undef X
};

static void write_terms(struct html *html)
{
    html_open(html, "p");
    html_text(html, "A ");
    html_element(html, "b", "request");
    html_text(html, " is one instruction of a warp. Its ");
    html_element(html, "b", "transactions");
    html_text(html, " are sectors of 32 bytes (global memory), wavefronts "
                    "(shared memory) or passes (atomics, constant memory). "
                    "The ");
    html_element(html, "b", "ideal");
    html_text(html, " is what its bytes would need if they were packed; ");
    html_element(html, "b", "efficiency");
    html_text(html, " is the share of the transferred bytes that the lanes "
                    "use, or ideal / transactions.");
    html_close(html);
    html_newline(html);
    html_element(html, "p",
                 "Requests, sectors, wavefronts, bank conflicts and passes "
                 "follow the rules of the GPU exactly. Instructions and "
                 "operations are those of the host's compiler, which stand in "
                 "for SASS. L2 and DRAM traffic come from a model of the "
                 "caches, registers from ptxas or an assumption (each kernel "
                 "says which), times from a model.");
    html_newline(html);
}

static void write_counter(const struct page *page, size_t i, uint64_t value)
{
    struct html *html = page->html;

    html_open(html, "tr");
    html_open(html, "td");
    html_element(html, "code", counters[i].name);
    html_close(html);
    page_number_cell(page, 0, format_count(BUFFER, value));
    html_element(html, "td", counters[i].description);
    html_open(html, "td");
    html_element(html, "code", counters[i].metric);
    html_close(html);
    html_close(html);
    html_newline(html);
}

void page_legend(const struct page *page)
{
    static const char *const titles[] = {"Counter", "All kernels", "Meaning",
                                         "Nsight Compute"};
    struct html *html = page->html;
    struct counters all = {0};

    for (size_t i = 0; i < page->report->count; i++)
        counters_add(&all, &page->report->kernels[i].total);
    html_element(html, "h2", "What the numbers are");
    write_terms(html);
    html_open(html, "details");
    html_element(html, "summary",
                 "All counters, and their names in Nsight Compute");
    html_open_with(html, "div", "class=wide");
    html_open(html, "table");
    html_open(html, "tr");
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        html_element(html, "th", titles[i]);
    html_close(html);
    html_newline(html);
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        write_counter(page, i,
                      *(const uint64_t *)((const char *)&all
                                          + counters[i].at));
    for (int i = 0; i < 3; i++)
        html_close(html);
    html_newline(html);
}
