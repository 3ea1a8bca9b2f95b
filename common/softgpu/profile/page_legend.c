/* SPDX-License-Identifier: MIT */
/* What the numbers are: in words, in Nsight Compute's names, and how far they
 * can be trusted. */
#include <stddef.h>

#include "page_html.h"
#include "text_format.h"

static const struct {
    size_t at;
    const char *name, *metric, *words;
} counters[] = {
#define X(name, metric, words) \
    {offsetof(struct counters, name), #name, metric, words},
    SOFTGPU_COUNTERS(X)
#undef X
};

void page_legend(const struct page *page)
{
    FILE *out = page->out;
    struct counters all = {0};

    for (size_t i = 0; i < page->report->count; i++)
        counters_add(&all, &page->report->kernels[i].total);
    fprintf(out,
            "<h2>What the numbers are</h2>\n<p>A <b>request</b> is one "
            "instruction of a warp. It <b>moves</b> sectors of 32 bytes (global "
            "memory), wavefronts (shared memory) or passes (atomics, "
            "constants). The <b>ideal</b> is what its bytes would need, packed; "
            "<b>used</b> is the share of moved bytes that the lanes wanted.</p>"
            "\n<p>Requests, sectors, wavefronts, conflicts and passes follow "
            "the card's rules exactly. Instructions and operations are those of "
            "this computer's compiler, a stand-in for the card's. L2 and DRAM "
            "come from a small model of the caches, registers from ptxas or an "
            "assumption (each kernel says which), times from a model.</p>\n"
            "<details><summary>All counters, and their names in Nsight Compute"
            "</summary><div class=wide><table><tr><th>Counter<th class=n>All "
            "kernels<th>Meaning<th>Nsight Compute</tr>\n");
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
        uint64_t value = *(const uint64_t *)((const char *)&all
                                             + counters[i].at);

        fprintf(out, "<tr><td><code>%s</code><td class=n>%s<td>%s<td><code>%s"
                "</code></tr>\n", counters[i].name, say_count(WORDS, value),
                counters[i].words, counters[i].metric);
    }
    fprintf(out, "</table></div></details>\n");
}
