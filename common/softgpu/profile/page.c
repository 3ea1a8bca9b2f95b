/* SPDX-License-Identifier: MIT */
/* The page as a whole: its frame, its summary, and how it gets to disk. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "page_html.h"
#include "text_format.h"
#include "text_rows.h"

/* The summary's columns; the metric is the tooltip. */
static const struct {
    const char *title, *metric;
} columns[] = {
    {"Kernel", ""},
    {"Launches", ""},
    {"Modelled", "gpu__time_duration.sum on a card; here it is modelled"},
    {"Limited by", "the largest ceiling of the model"},
    {"Sectors a load", "l1tex__average_t_sectors_per_request_pipe_lsu_mem_"
                       "global_op_ld.ratio"},
    {"Sectors a store", "l1tex__average_t_sectors_per_request_pipe_lsu_mem_"
                        "global_op_st.ratio"},
    {"Bytes used", "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld"
                   ".pct and _st.pct"},
    {"Bank conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld"
                       ".sum + _st.sum"},
    {"Lanes", "smsp__thread_inst_executed_per_inst_executed.ratio"},
    {"Occupancy", "sm__maximum_warps_per_active_cycle_pct (theoretical)"},
    {"FLOP a byte", "operations by dram__bytes.sum"},
};

/* A number, red where it is low. */
static void put_cell(FILE *out, int low, const char *text)
{
    fprintf(out, "<td class=\"n%s\">%s</td>", low ? " low" : "", text);
}

/* "4.0 (4.0)": sectors a request and the ideal; "" without requests. */
static void put_each(FILE *out, const struct counters *c, enum access_kind kind)
{
    struct access_row rows[ACCESS_KINDS];
    size_t n = access_rows(c, rows);
    char text[64] = "&ndash;";
    int low = 0;

    for (size_t i = 0; i < n; i++)
        if (rows[i].kind == kind) {
            snprintf(text, sizeof text, "%.1f <small>of %.1f</small>",
                     ratio((double)rows[i].moved, (double)rows[i].requests),
                     ratio((double)rows[i].ideal, (double)rows[i].requests));
            low = is_wasteful(&rows[i]);
        }
    put_cell(out, low, text);
}

/* The four columns about memory. */
static void put_memory(FILE *out, const struct counters *c)
{
    uint64_t sectors = c->global_load_sectors + c->global_store_sectors;
    double used = ratio((double)(c->global_load_bytes + c->global_store_bytes),
                        32.0 * (double)sectors);
    uint64_t conflicts = c->shared_load_conflicts + c->shared_store_conflicts;
    char text[32] = "&ndash;";

    put_each(out, c, ACCESS_GLOBAL_LOAD);
    put_each(out, c, ACCESS_GLOBAL_STORE);
    if (sectors)
        snprintf(text, sizeof text, "%.0f %%", 100 * used);
    put_cell(out, sectors && used < 0.8, text);
    put_cell(out, conflicts > 0, say_count(WORDS, conflicts));
}

/* One row of the summary; its number is the name in the roofline. */
static void put_kernel(const struct page *page, size_t number)
{
    const struct kernel_profile *k = &page->report->kernels[number];
    const struct counters *c = &k->total;
    double bytes = (double)(c->dram_read_bytes + c->dram_write_bytes);
    char text[32];
    FILE *out = page->out;

    fprintf(out, "<tr><td><small>%zu</small> <a href=\"#k%zu\"><code>",
            number + 1, number + 1);
    html_text(out, say_plain(WORDS, k->name, 60));
    fprintf(out, "</code></a></td>");
    put_cell(out, 0, say_count(WORDS, k->launches));
    put_cell(out, 0, k->model.us > 0 ? say_time(WORDS, k->model.us) : "&ndash;");
    fprintf(out, "<td>");
    html_text(out, say_ceiling(k->model.limiter));
    fprintf(out, "</td>");
    put_memory(out, c);
    snprintf(text, sizeof text, "%.1f", lanes_an_instruction(c));
    put_cell(out, c->warp_instructions && lanes_an_instruction(c) < 26,
             c->warp_instructions ? text : "&ndash;");
    snprintf(text, sizeof text, "%.0f %%", 100 * k->occupancy);
    put_cell(out, 0, text);
    snprintf(text, sizeof text, "%.3g", ratio(all_flop(c), bytes));
    put_cell(out, 0, all_flop(c) > 0 && bytes > 0 ? text : "&ndash;");
    fprintf(out, "</tr>\n");
}

/* Wider than a phone: it scrolls by itself, the page does not. */
void page_summary(const struct page *page)
{
    FILE *out = page->out;

    fprintf(out, "<div class=wide><table><tr>");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        fprintf(out, "<th%s%s%s%s>%s</th>", i == 0 || i == 3 ? "" : " class=n",
                *columns[i].metric ? " title=\"" : "", columns[i].metric,
                *columns[i].metric ? "\"" : "", columns[i].title);
    }
    fprintf(out, "</tr>\n");
    for (size_t i = 0; i < page->report->count; i++)
        put_kernel(page, i);
    fprintf(out, "</table></div>\n");
}

/* Of two names for one file the longer is kept: it says where. */
static void name_file(struct page *page, const char *file)
{
    int known = page_file(page, file);

    if (!file || !*file || strcmp(file, "?") == 0)
        return;
    if (known >= 0 && strlen(file) > strlen(page->files[known]))
        page->files[known] = file;
    else if (known < 0 && page->file_count < PAGE_FILES)
        page->files[page->file_count++] = file;
}

/* All sources that are to be shown: of kernels, of lines, of findings. */
static void name_files(struct page *page)
{
    const struct profile_report *r = page->report;

    for (size_t i = 0; i < r->count; i++)
        name_file(page, r->kernels[i].file);
    for (size_t i = 0; i < r->count; i++)
        for (size_t l = 0; l < r->kernels[i].line_count; l++)
            name_file(page, r->kernels[i].lines[l].file);
    for (size_t i = 0; i < json_array_size(page->findings); i++)
        name_file(page, json_string_value(json_object_get(
                            json_array_get(page->findings, i), "file")));
}

/* The policy is a second lock: nothing from outside, no script, whatever a
 * report smuggled past html_text(). */
static void put_head(const struct page *page)
{
    FILE *out = page->out;

    fprintf(out,
            "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>\n"
            "<meta name=viewport content=\"width=device-width,"
            "initial-scale=1\">\n"
            "<meta http-equiv=Content-Security-Policy content=\"default-src "
            "'none'; style-src 'unsafe-inline'\">\n"
            "<title>Profile: what the kernels cost</title>\n");
    html_style(out);
    fprintf(out, "</head><body>\n<h1>What the kernels cost</h1>\n"
            "<p class=dim>Counted by the software GPU, warp by warp. Times are "
            "<em>modelled</em> for %s; no card was asked.</p>\n",
            page->report->card->name);
}

/* From the whole to the single line. */
static void put_page(struct page *page)
{
    name_files(page);
    put_head(page);
    page_findings(page);
    if (page->report->count) {
        page_summary(page);
        page_roofline(page);
        page_timeline(page);
    } else {
        fprintf(page->out, "<p>No kernel ran.</p>\n");
    }
    for (size_t i = 0; i < page->report->count; i++)
        page_kernel(page, i);
    page_sources(page);
    page_legend(page);
    fprintf(page->out, "</body></html>\n");
}

/* Close and rename; on any trouble nothing stays. */
static int finish(FILE *out, const char *temporary, const char *path)
{
    int failed = ferror(out), error = errno;

    if (fclose(out) != 0 || failed || rename(temporary, path) != 0) {
        error = failed ? error : errno;
        unlink(temporary);
        errno = error;
        return -1;
    }
    return 0;
}

int profile_page_within(const char *path, const struct json_t *json,
                        const char *root)
{
    struct profile_report report;
    struct page page = {.report = &report};
    size_t n = strlen(path) + 8;
    char *temporary = malloc(n);
    int status = -1;

    if (!temporary)
        return -1;
    if (profile_read(json, &report) != 0)
        errno = EINVAL;
    report.root = root;
    page.findings = json_object_get(json, "findings");
    page.timeline = json_object_get(json, "timeline");
    snprintf(temporary, n, "%s.part", path);
    page.out = report.card ? fopen(temporary, "w") : NULL;
    if (page.out) {
        put_page(&page);
        status = finish(page.out, temporary, path);
    }
    profile_forget(&report);
    free(temporary);
    return status;
}

int profile_page(const char *path, const struct json_t *json)
{
    return profile_page_within(path, json, NULL);
}
