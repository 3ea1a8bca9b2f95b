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

/* The text of `count` kernels; valid until the next call. */
static const char *text_of(const struct kernel_profile *k, size_t count)
{
    static char *text;
    size_t length;
    FILE *out;

    free(text);
    text = NULL;
    out = open_memstream(&text, &length);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    profile_print_kernels(out, k, count, softgpu_find_card("h200"));
    fclose(out);
    return text;
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
    HAS(text, "    10  global load           8,192        32,768     4.0    4.0"
              "  100 %\n");
    HAS(text, "    11  global store          8,192       262,144    32.0    4.0"
              "   12 %\n");
    HAS(text, "    12  barrier               1,024\n");
    HAS(text, "   all  global load  ");
    HAS(text, "  1. k.cu:11: a warp stores 32.0 sectors");
    HAS(text, "global_store_sectors     "
              "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum\n");
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

/* For any name: at most 100 columns, and no control characters. */
static void text_has_no_control_characters(void)
{
    FIXTURE(m);
    const char *text, *end;
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
    text = text_of(&m.k, 1);
    HAS_NOT(text, "\033");
    HAS_NOT(text, "\r");
    HAS_NOT(text, "\xc2\x9b");
    for (; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        if (end - text > 100)
            fprintf(stderr, "%.*s\n", (int)(end - text), text);
        CU_ASSERT(end - text <= 100);
    }
}

static void text_without_kernels(void)
{
    CU_ASSERT_STRING_EQUAL(text_of(NULL, 0), "softgpu: no kernel ran\n");
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"rows of the text", text_rows},
        {"files with rows are named", text_names_files_with_rows},
        {"width and control characters", text_has_no_control_characters},
        {"no kernel", text_without_kernels},
        CU_TEST_INFO_NULL,
    };

    return run_tests("text", tests);
}
