/* SPDX-License-Identifier: MIT */
/* The text report: its rows for a known kernel, and its width. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/tests/run_tests.h"
#include "advice_fixture.h"
#include "common/softgpu/profile/report.h"

#define HAS(text, words) CU_ASSERT_PTR_NOT_NULL(strstr(text, words))
#define HAS_NOT(text, words) CU_ASSERT_PTR_NULL(strstr(text, words))

/* The text in lines of some columns; valid until the next call. */
static const char *narrow_text_of(const struct kernel_profile *k, size_t count,
                                  int columns)
{
    struct profile_report report = {softgpu_find_card("h200"),
                                    (struct kernel_profile *)k, count, NULL,
                                    NULL, columns};
    static char *text;
    size_t length;
    FILE *out;

    free(text);
    text = NULL;
    out = open_memstream(&text, &length);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    if (columns)
        profile_print(out, &report);
    else
        profile_print_kernels(out, k, count, report.card);
    fclose(out);
    return text;
}

/* The text of `count` kernels; valid until the next call. */
static const char *text_of(const struct kernel_profile *k, size_t count)
{
    return narrow_text_of(k, count, 0);
}

static void expect_columns(const char *text, int columns)
{
    for (const char *end; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        if (end - text > columns)
            fprintf(stderr, "%.*s\n", (int)(end - text), text);
        CU_ASSERT(end - text <= columns);
    }
}

static void text_rows(void)
{
    FIXTURE(m);
    const char *text;

    fixture_loads(&m, 0, 4);
    fixture_stores(&m, 1, 32);
    fixture_line(&m, 2)->barriers = 1024;
    m.k.blocks_watched = 512;
    fixture_finish(&m);
    text = text_of(&m.k, 1);
    HAS(text, "k  (k.cu:5)\n");
    HAS(text, "  1 launch, grid 1024, block 256: 262,144 threads\n");
    HAS(text, "  32 registers per thread (assumed), 0 bytes");
    HAS(text, "  512 of 1,024 blocks sampled");
    HAS(text, "    10  global load           8,192        32,768      4.0     "
              "4.0   100 %\n");
    HAS(text, "    11  global store          8,192       262,144     32.0     "
              "4.0    12 %\n");
    HAS(text, "    12  barrier               1,024\n");
    HAS(text, "   all  global load  ");
    HAS(text, "  1. k.cu:11: a warp stores 32.0 sectors");
    HAS(text, "\ncolumns: PROFILE in softcc(1); in Nsight Compute: "
              "docs/pages/profile.md\n");
    HAS_NOT(text, "l1tex"); /* seventeen lines under each table */
    HAS_NOT(text, "shared_load"); /* no such access */
}

/* Files whose lines have no rows are not listed. */
static void text_names_files_with_rows(void)
{
    FIXTURE(m);
    const char *text;

    fixture_loads(&m, 0, 4);
    fixture_stores(&m, 2, 4);
    m.line[0].file = "a.h";
    fixture_line(&m, 1)->warp_instructions = 0;
    m.line[1].file = "empty.h";
    m.line[2].file = "z.h";
    fixture_finish(&m);
    text = text_of(&m.k, 1);
    HAS(text, "in a.h\n");
    HAS(text, "in z.h\n");
    HAS_NOT(text, "empty.h");
}

/* For any name: at most 80 columns, and no control characters. */
static void text_has_no_control_characters(void)
{
    FIXTURE(m);
    const char *text;
    char name[400], file[400];

    memset(name, 'n', sizeof name);
    memcpy(name, "\033[2J\t\r\xc2\x9b", 9);
    name[sizeof name - 1] = 0;
    snprintf(file, sizeof file, "/%s.cu", name);
    m.k.name = name;
    m.k.file = file;
    m.line[0].file = m.line[1].file = file;
    fixture_loads(&m, 0, 32);
    fixture_stores(&m, 1, 32);
    fixture_finish(&m);
#define X(name, metric, description) m.k.total.name += 1;
    SOFTGPU_COUNTERS(X) /* the legend names those that are not 0 */
#undef X
    text = text_of(&m.k, 1);
    HAS_NOT(text, "\033");
    HAS_NOT(text, "\r");
    HAS_NOT(text, "\xc2\x9b");
    expect_columns(text, 80);
}

/* Half a window: fewer columns in a row, a narrower plot, wrapped words. */
static void text_fits_narrow_terminals(void)
{
    FIXTURE(m);
    struct access_pattern pattern = {
        .kind = PATTERN_GLOBAL_STORE, .file = "k.cu", .line = 11, .bytes = 4};
    const char *text;

    for (int lane = 0; lane < 32; lane++)
        pattern.lanes[lane] = 8 * lane;
    m.k.patterns = &pattern;
    m.k.pattern_count = 1;
    fixture_loads(&m, 0, 4);
    fixture_stores(&m, 1, 32);
    fixture_finish(&m);
    m.k.total.flop_float = 1 << 20;
    m.k.total.dram_read_bytes = 1 << 20;
    m.k.blocks_watched = m.k.blocks;
    m.k.model.us = 1;
    text = narrow_text_of(&m.k, 1, 60);
    expect_columns(text, 60);
    HAS(text, "\nline  access           requests transactions per req effic.\n");
    HAS(text, "  11  global store        8,192      262,144    32.0   12 %\n");
    HAS(text, "  32 registers per thread (assumed), 0 bytes of shared\n"
              "  memory per block\n");
    HAS(text, "\n             +----------------------------------------\n");
    HAS(text_of(&m.k, 1), "---------------------------------------------\n");
    for (int columns = 44; columns < 80; columns++)
        expect_columns(narrow_text_of(&m.k, 1, columns), columns);
    expect_columns(narrow_text_of(&m.k, 1, 4), 44);
}

/* A third of a window: no transactions, sectors without brackets. */
static void text_fits_very_narrow_terminals(void)
{
    FIXTURE(m);
    struct access_pattern patterns[] = {
        {.kind = PATTERN_GLOBAL_STORE, .file = "k.cu", .line = 11, .bytes = 4},
        {.kind = PATTERN_SHARED_LOAD, .file = "k.cu", .line = 12, .bytes = 4}};
    const char *text;

    for (int lane = 0; lane < 32; lane++) {
        patterns[0].lanes[lane] = lane < 31 ? 4 * lane : 250000000;
        patterns[1].lanes[lane] = lane < 31 ? 4 * lane : 4 * 32 * 33;
    }
    m.k.patterns = patterns;
    m.k.pattern_count = 2;
    fixture_loads(&m, 0, 4);
    m.line[0].counters.global_load_requests = 123456789012;
    fixture_finish(&m);
    text = narrow_text_of(&m.k, 1, 44);
    expect_columns(text, 44);
    HAS(text, "\nline  access         requests per req effic.\n");
    HAS(text, "global load       123 G");
    HAS(text, "    byte sectors of 32 bytes\n"
              "       0 01234567 89abcdef ghijklmn opqrstu.\n");
    HAS(text, "\n  250 MB ");
    HAS(text, "    byte bank    8       16      24\n"
              "       0 0123456789abcdefghijklmnopqrstu\n");
}

/* The table of a program's kernels. */
static void table_fits_narrow_terminals(void)
{
    FIXTURE(m);
    struct profile_report report = {softgpu_find_card("h200"), &m.k, 1, NULL,
                                    NULL, 0};
    char *text = NULL;
    size_t length;

    m.k.name = "a_kernel_with_a_long_name";
    m.k.model.us = 1;
    m.k.model.limiter = "dram";
    fixture_loads(&m, 0, 4);
    fixture_finish(&m);
    for (report.columns = 44; report.columns <= 80; report.columns++) {
        FILE *out = open_memstream(&text, &length);

        CU_ASSERT_PTR_NOT_NULL_FATAL(out);
        profile_print_table(out, &report);
        fclose(out);
        expect_columns(text, report.columns);
        HAS(text, "launch overhead: ");
        CU_ASSERT((strstr(text, "limited by") != NULL)
                  == (report.columns >= 60));
        free(text);
    }
}

static void text_without_kernels(void)
{
    CU_ASSERT_STRING_EQUAL(text_of(NULL, 0), "softgpu: no kernel ran\n");
}

/* Of a launch that failed there are no counts, and no advice; an empty kernel
 * has no instructions, which is not objdump's fault. */
static void text_without_counts(void)
{
    FIXTURE(m);
    const char *text;

    m.k.line_count = 0;
    m.k.total = (struct counters){0};
    m.k.blocks_watched = 0;
    m.k.instructions_known = 0;
    m.k.model.us = 2;
    text = text_of(&m.k, 1);
    HAS(text, "  nothing was counted: no block ran to its end\n");
    HAS_NOT(text, "  1. ");
    HAS_NOT(text, "objdump");
    HAS_NOT(text, "Roofline");
    m.k.blocks_watched = m.k.blocks;
    text = text_of(&m.k, 1);
    HAS_NOT(text, "nothing was counted");
    HAS(text, "objdump is not installed");
    m.k.instructions_known = 1;
    HAS_NOT(text_of(&m.k, 1), "objdump");
}

/* One warp: a strided store, and a column of a tile of 32 x 32 floats. */
static void text_draws_patterns(void)
{
    FIXTURE(m);
    struct access_pattern patterns[] = {
        {.kind = PATTERN_GLOBAL_STORE, .file = "k.cu", .line = 11, .bytes = 4},
        {.kind = PATTERN_SHARED_LOAD, .file = "k.cu", .line = 12, .bytes = 4}};
    const char *text;

    for (int lane = 0; lane < 32; lane++) {
        patterns[0].lanes[lane] = lane < 30 ? 8 * lane : -1;
        patterns[1].lanes[lane] = 128 * lane;
    }
    patterns[0].lanes[1] = 0;
    fixture_loads(&m, 0, 4);
    m.k.patterns = patterns;
    m.k.pattern_count = 2;
    fixture_finish(&m);
    text = text_of(&m.k, 1);
    HAS(text, "global store in line 11: 8 sectors for 116 bytes, ideal 4\n");
    HAS(text, "             0  [*...2.3.][4.5.6.7.][8.9.a.b.][c.d.e.f.]\n");
    HAS(text, "           128  [g.h.i.j.][k.l.m.n.][o.p.q.r.][s.t.....]\n");
    HAS(text, "shared load in line 12: 32 wavefronts, ideal 1\n");
    HAS(text, "           128  1\n");
    HAS(text, "...  26 more lines of 128 bytes\n");
    /* the ideal one is not drawn beside one that is not */
    for (int lane = 0; lane < 32; lane++)
        patterns[0].lanes[lane] = 4 * lane;
    text = text_of(&m.k, 1);
    HAS_NOT(text, "in line 11:");
    HAS(text, "in line 12:");
}

/* A kernel's digit stands below the roof, at its intensity. */
static void text_draws_roofline(void)
{
    FIXTURE(m);
    const char *text;

    fixture_loads(&m, 0, 4);
    fixture_finish(&m);
    m.k.total.flop_float = 1 << 20;
    m.k.total.dram_read_bytes = 1 << 20;
    m.k.total.dram_write_bytes = 0;
    m.k.blocks_watched = m.k.blocks;
    m.k.model.us = 1;
    text = text_of(&m.k, 1);
    HAS(text, "\n66.9 TFLOP/s |");
    HAS(text, "  1 k: 1.05 TFLOP/s, 22 % of the roof above it\n");
    m.k.total.flop_float = 0;
    text = text_of(&m.k, 1);
    HAS_NOT(text, "TFLOP/s |");
    HAS(text, "  1 k: no operations; 1.05 TB/s, 22 % of DRAM's\n");
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"rows of the text", text_rows},
        {"files with rows are named", text_names_files_with_rows},
        {"width and control characters", text_has_no_control_characters},
        {"narrow terminals", text_fits_narrow_terminals},
        {"very narrow terminals", text_fits_very_narrow_terminals},
        {"a narrow table", table_fits_narrow_terminals},
        {"no kernel", text_without_kernels},
        {"nothing was counted", text_without_counts},
        {"access patterns", text_draws_patterns},
        {"roofline", text_draws_roofline},
        CU_TEST_INFO_NULL,
    };

    return run_tests("text", tests);
}
