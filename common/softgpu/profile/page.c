/* SPDX-License-Identifier: MIT */
/* The page as a whole: head, table of kernels, and how it is written. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "access_rows.h"
#include "common/base/files.h"
#include "page.h"
#include "text_format.h"

#define NONE "\u2013" /* an en dash in cells without a value */

enum column { KERNEL, LAUNCHES, MODELED, LIMITED_BY, LOAD_SECTORS,
              STORE_SECTORS, EFFICIENCY, CONFLICTS, LANES, OCCUPANCY,
              INTENSITY };

/* Columns of the table of kernels; the metric is the tooltip. */
static const struct {
    const char *title, *metric;
} columns[] = {
    {"Kernel", ""},
    {"Launches", ""},
    {"Modeled", "gpu__time_duration.sum on a GPU; here it is modeled"},
    {"Limited by", "the largest ceiling of the model"},
    {"Sectors per load", "l1tex__average_t_sectors_per_request_pipe_lsu_mem_"
                         "global_op_ld.ratio"},
    {"Sectors per store", "l1tex__average_t_sectors_per_request_pipe_lsu_mem_"
                          "global_op_st.ratio"},
    {"Efficiency", "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld"
                   ".pct and _st.pct"},
    {"Bank conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld"
                       ".sum + _st.sum"},
    {"Active lanes", "smsp__thread_inst_executed_per_inst_executed.ratio"},
    {"Occupancy", "sm__maximum_warps_per_active_cycle_pct (theoretical)"},
    {"FLOP per byte", "arithmetic intensity: operations / dram__bytes.sum"},
};

/* Open a cell.  A narrow window has no columns: it shows the title beside the
 * value. */
static void open_cell(const struct page *page, enum column column, bool is_low)
{
    html_open_with(page->html, "td", "class=%s data-title='%s'",
                   column == LIMITED_BY ? "" : is_low ? "n low" : "n",
                   columns[column].title);
}

static void write_cell(const struct page *page, enum column column,
                       bool is_low, const char *text)
{
    open_cell(page, column, is_low);
    html_text(page->html, text);
    html_close(page->html);
}

/* "4.0 of 4.0": sectors per request and the ideal. */
static void write_sectors_per_request(const struct page *page,
                                      const struct counters *c,
                                      enum column column,
                                      enum access_kind kind)
{
    struct access_row rows[ACCESS_KINDS];
    size_t n = build_access_rows(c, rows), i = 0;

    while (i < n && rows[i].kind != kind)
        i++;
    if (i == n) {
        write_cell(page, column, false, NONE);
        return;
    }
    open_cell(page, column, is_inefficient(&rows[i]));
    html_textf(page->html, "%.1f ",
               ratio((double)rows[i].transactions, (double)rows[i].requests));
    html_open(page->html, "small");
    html_textf(page->html, "of %.1f",
               ratio((double)rows[i].ideal, (double)rows[i].requests));
    html_close(page->html);
    html_close(page->html);
}

/* The four columns about memory. */
static void write_memory_cells(const struct page *page,
                               const struct counters *c)
{
    uint64_t sectors = c->global_load_sectors + c->global_store_sectors;
    double used = ratio((double)(c->global_load_bytes + c->global_store_bytes),
                        32.0 * (double)sectors);
    uint64_t conflicts = c->shared_load_conflicts + c->shared_store_conflicts;
    char text[32] = NONE;

    write_sectors_per_request(page, c, LOAD_SECTORS, ACCESS_GLOBAL_LOAD);
    write_sectors_per_request(page, c, STORE_SECTORS, ACCESS_GLOBAL_STORE);
    if (sectors)
        snprintf(text, sizeof text, "%.0f %%", 100 * used);
    write_cell(page, EFFICIENCY, sectors && used < 0.8, text);
    write_cell(page, CONFLICTS, conflicts > 0,
               format_count(BUFFER, conflicts));
}

/* The columns about arithmetic. */
static void write_compute_cells(const struct page *page,
                                const struct kernel_profile *k)
{
    const struct counters *c = &k->total;
    const double lanes = average_active_lanes(c);
    const double bytes = (double)(c->dram_read_bytes + c->dram_write_bytes);
    char text[32];

    snprintf(text, sizeof text, "%.1f", lanes);
    write_cell(page, LANES, c->warp_instructions && lanes < 26,
               c->warp_instructions ? text : NONE);
    snprintf(text, sizeof text, "%.0f %%", 100 * k->occupancy);
    write_cell(page, OCCUPANCY, false, text);
    snprintf(text, sizeof text, "%.3g", ratio(total_flop(c), bytes));
    write_cell(page, INTENSITY, false,
               total_flop(c) > 0 && bytes > 0 ? text : NONE);
}

/* One row of the table; its number is the label in the roofline plot. */
static void write_kernel_row(const struct page *page, size_t number)
{
    const struct kernel_profile *k = &page->report->kernels[number];
    struct html *html = page->html;

    html_open(html, "tr");
    html_open(html, "td");
    html_open(html, "small");
    html_textf(html, "%zu ", number + 1);
    html_close(html);
    if (!k->library) /* else it has no section */
        html_open_with(html, "a", "href=#k%zu", number + 1);
    html_element(html, "code", format_printable(BUFFER, k->name, 60));
    if (!k->library)
        html_close(html);
    html_close(html);
    write_cell(page, LAUNCHES, false, format_count(BUFFER, k->launches));
    write_cell(page, MODELED, false,
               k->model.us > 0 ? format_time(BUFFER, k->model.us) : NONE);
    write_cell(page, LIMITED_BY, false, ceiling_label(k->model.limiter));
    write_memory_cells(page, &k->total);
    write_compute_cells(page, k);
    html_close(html);
    html_newline(html);
}

/* What the table shows of functions of libraries, if there are any. */
static void write_library_note(const struct page *page)
{
    bool any = false;

    for (size_t i = 0; i < page->report->count; i++)
        any |= page->report->kernels[i].library;
    if (!any)
        return;
    html_open_with(page->html, "p", "class=dim");
    html_text(page->html, "Library functions have no counters. Their times "
                          "follow from their operations and bytes: the least "
                          "that they can take.");
    html_close(page->html);
    html_newline(page->html);
}

/* The table may be wider than the window: it scrolls, not the page.  A phone
 * shows the cells of a kernel one behind the other. */
void page_summary(const struct page *page)
{
    struct html *html = page->html;

    html_open_with(html, "div", "class=wide");
    html_open_with(html, "table", "class=kernels");
    html_open(html, "tr");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        const char *class = i == KERNEL || i == LIMITED_BY ? "" : "n";

        if (*columns[i].metric)
            html_open_with(html, "th", "class=%s title=%s", class,
                           columns[i].metric);
        else
            html_open_with(html, "th", "class=%s", class);
        html_text(html, columns[i].title);
        html_close(html);
    }
    html_close(html);
    html_newline(html);
    for (size_t i = 0; i < page->report->count; i++)
        write_kernel_row(page, i);
    html_close(html);
    html_close(html);
    html_newline(html);
    write_library_note(page);
}

/* Of two paths of one file the longer is kept: it names the folder. */
static void add_file(struct page *page, const char *file)
{
    int known = page_file_index(page, file);

    if (!file || !*file || strcmp(file, "?") == 0)
        return;
    if (known >= 0 && strlen(file) > strlen(page->files[known]))
        page->files[known] = file;
    else if (known < 0 && page->file_count < MAX_PAGE_FILES)
        page->files[page->file_count++] = file;
}

/* All sources that kernels, lines and findings name; a library's kernels have
 * none. */
static void add_files(struct page *page)
{
    const struct profile_report *r = page->report;

    for (size_t i = 0; i < r->count; i++)
        if (!r->kernels[i].library)
            add_file(page, r->kernels[i].file);
    for (size_t i = 0; i < r->count; i++)
        for (size_t l = 0; l < r->kernels[i].line_count; l++)
            add_file(page, r->kernels[i].lines[l].file);
    for (size_t i = 0; i < json_array_size(page->findings); i++)
        add_file(page, json_string_value(json_object_get(
                           json_array_get(page->findings, i), "file")));
}

static void write_head(const struct page *page)
{
    struct html *html = page->html;

    html_begin(html, "Profile: what the kernels cost", page_style);
    html_element(html, "h1", "What the kernels cost");
    html_open_with(html, "p", "class=dim");
    html_text(html, "Counted by the software GPU, warp by warp. Times are ");
    html_element(html, "em", "modeled");
    html_textf(html, " for %s, not measured.", page->report->card->name);
    html_close(html);
    html_newline(html);
}

/* From the whole program to the single line. */
static void write_page(struct page *page)
{
    add_files(page);
    write_head(page);
    page_findings(page);
    if (page->report->count) {
        page_summary(page);
        page_roofline(page);
        page_timeline(page);
    } else {
        html_element(page->html, "p", "No kernel ran.");
    }
    for (size_t i = 0; i < page->report->count; i++)
        if (!page->report->kernels[i].library)
            page_kernel(page, i);
    page_sources(page);
    page_legend(page);
    html_end(page->html);
}

/* The page is made in memory, then written at once. */
int profile_page_write_below(const char *path, const struct json_t *json,
                             const char *const *roots)
{
    struct profile_report report;
    char *text = NULL;
    size_t length = 0;
    struct html html = {.out = NULL};
    struct page page = {.html = &html,
                        .report = &report,
                        .findings = json_object_get(json, "findings"),
                        .timeline = json_object_get(json, "timeline")};
    bool ok;

    if (profile_report_read(json, &report) != 0) {
        errno = EINVAL;
        return -1;
    }
    report.roots = roots;
    html.out = open_memstream(&text, &length);
    if (html.out)
        write_page(&page);
    ok = html.out && !ferror(html.out);
    if (html.out && fclose(html.out) != 0)
        ok = false;
    ok = ok && write_file(path, text, length);
    free(text);
    profile_report_free(&report);
    return ok ? 0 : -1;
}

int profile_page_write(const char *path, const struct json_t *json)
{
    return profile_page_write_below(path, json, NULL);
}
