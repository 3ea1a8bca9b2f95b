/* SPDX-License-Identifier: MIT */
/* Sentences and hints about elements that were never written. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compare_fixture.h"
#include "common/base/tests/run_tests.h"

/* A row that no thread stores, or some of one column: the hint is about the
 * grid, not the test's. */
static void unwritten_row(void)
{
    static const size_t widths[] = {6, 1, 0}; /* 0: the elements of a vector */
    struct expected e;
    struct comparison c;
    unsigned char poison[sizeof got];
    struct evidence evidence = {&e, &c, poison, NULL, 0, &launch, true};
    char text[DIAGNOSIS_SIZE];
    const char *hint;

    for (int k = 0; k < 3; k++) {
        e = vector();
        e.size[1] = widths[k];
        if (widths[k])
            e.size[0] /= widths[k];
        memset(got + 18, 0x5a, 6 * sizeof *got);
        memset(poison, 0x5a, sizeof poison);
        CU_ASSERT_TRUE(compare(&e, &c));
        CU_ASSERT_EQUAL(diagnose_values(&evidence, text, &hint), VAGUE);
        CU_ASSERT_STRING_EQUAL(text, "never written");
        CU_ASSERT_EQUAL(widths[k] > 0,
                        hint && strstr(hint, "does the grid cover"));
        free(c.wrong_mask);
    }
}

/* What is behind the last whole float4: the hint is about vectors. */
static void unwritten_tail(void)
{
    struct comparison c;
    unsigned char poison[sizeof got];
    char text[DIAGNOSIS_SIZE];
    const char *hint;

    for (size_t first = 19; first <= 20; first++) { /* of 23 */
        struct expected e = vector();
        struct evidence evidence = {&e, &c, poison, NULL, 0, &launch, true};

        e.size[0] = N - 1;
        memset(got + first, 0x5a, (N - 1 - first) * sizeof *got);
        memset(poison, 0x5a, sizeof poison);
        CU_ASSERT_TRUE(compare(&e, &c));
        CU_ASSERT_EQUAL(diagnose_values(&evidence, text, &hint), VAGUE);
        CU_ASSERT_EQUAL(first == 20, hint && strstr(hint, "float4"));
        free(c.wrong_mask);
    }
}

/* What was there before the call may look like an integer. */
static void unwritten_subnormal(void)
{
    static const uint32_t before = 0x00070707;
    struct expected e = vector();
    struct comparison c;
    float poison[N];
    struct evidence evidence = {&e, &c, (unsigned char *)poison, NULL, 0,
                                &launch, true};
    char text[DIAGNOSIS_SIZE];
    const char *hint;

    for (int i = 0; i < N; i++)
        memcpy(&poison[i], &before, sizeof before);
    memcpy(got + 5, poison, sizeof *got);
    CU_ASSERT_TRUE(compare(&e, &c));
    CU_ASSERT_EQUAL(diagnose_values(&evidence, text, &hint), VAGUE);
    CU_ASSERT_STRING_EQUAL(text, "never written");
    free(c.wrong_mask);
}

/* Diagnose a comparison. */
static void explain(const struct expected *e, const void *poison,
                    bool on_device, char *text)
{
    struct comparison c;
    struct evidence evidence = {e, &c, poison, NULL, 0, &launch, on_device};
    const char *hint;

    CU_ASSERT_TRUE_FATAL(compare(e, &c));
    diagnose_values(&evidence, text, &hint);
    free(c.wrong_mask);
}

/* The results are added to numbers of all sizes: of large ones nothing is seen,
 * and the others are correct.  One number between them would show the sum. */
static void sum_with_old(void)
{
    char text[DIAGNOSIS_SIZE];

    for (int step = 0; step < 2; step++) {
        const struct expected e = vector();
        float poison[N] = {[3] = step ? 1 : 1e-30f};

        for (size_t i = 8; i < N; i += 4)
            got[i] = poison[i] = 1e30f;
        explain(&e, poison, true, text);
        CU_ASSERT_EQUAL(!step, strstr(text, "was added to it") != NULL);
        CU_ASSERT_EQUAL(step, !strcmp(text, "never written"));
    }
}

/* Rows of host memory that lack the end that a copy had no bytes for, and had
 * something else in them; with another number of bytes, or another element. */
static void short_copies(void)
{
    char text[DIAGNOSIS_SIZE];

    for (int step = 0; step < 4; step++) {
        struct expected e = vector();

        launch = (struct facts){.launches = 1, .counted = true,
                                .managed_bytes = N,
                                .d2h_bytes = step == 1 ? 60 : 48};
        e.size[0] = 4;
        e.size[1] = 6;
        for (size_t i = 0; i < N; i++)
            if (i % 6 >= 3)
                got[i] = -7;
        if (step == 2)
            got[7] = -7;
        if (step == 3)
            got[23] = (float)want[23];
        explain(&e, NULL, false, text);
        CU_ASSERT_EQUAL(step == 0, strstr(text, "had 48 bytes, and 24 elements "
                                          "have 96: is their length") != NULL);
    }
}

/* Rows of host memory have what was there, though all bytes came to the host;
 * or fewer came, or a part of a row was written. */
static void rows_in_a_buffer(void)
{
    char text[DIAGNOSIS_SIZE];

    for (int step = 0; step < 4; step++) {
        struct expected e = vector();
        unsigned char poison[sizeof got];

        launch = (struct facts){.launches = 1, .counted = true,
                                .d2h_bytes = step == 1 ? 95 : 96};
        e.size[0] = 4;
        e.size[1] = 6;
        memset(poison, 0x5a, sizeof poison);
        memset(got + (step == 3 ? 0 : 6), 0x5a,
               (step == 3 ? 24 : step == 2 ? 11 : 12) * sizeof *got);
        explain(&e, poison, false, text);
        CU_ASSERT_EQUAL(step == 0,
                        strstr(text, ": c[1], c[2] of 4; as") != NULL);
        CU_ASSERT_EQUAL(step == 3, strstr(text, "nothing of c; as") != NULL);
        CU_ASSERT_EQUAL(step == 1 || step == 2, strchr(text, ';') == NULL);
    }
    launch = (struct facts){0};
}

/* The blocks down are counted in x, and those across in y, of blocks that are
 * wider than high; or there are too few. */
static void exchanged_counts(void)
{
    char text[DIAGNOSIS_SIZE];

    for (unsigned blocks = 2; blocks > 0; blocks--) {
        struct expected e = vector();
        float poison[N];

        for (size_t i = 0; i < N; i++)
            poison[i] = 1e30f + (float)i;
        launch = (struct facts){.launches = 1, .grid = {blocks, 1, 1},
                                .block = {6, 2, 1}};
        e.size[0] = 4;
        e.size[1] = 6;
        for (size_t i = 12; i < N; i++)
            got[i] = poison[i];
        explain(&e, poison, true, text);
        CU_ASSERT_EQUAL(blocks == 2,
                        strstr(text, "the grid has 2 x 1 blocks, and tiles of "
                               "6 x 2 are 1 to the right and 2 down") != NULL);
    }
    launch = (struct facts){0};
}

/* Two blocks of four warps with tiles of 8 columns: 40 columns of 48, as blocks
 * that begin one tile behind the other store; or 39. */
static void overlapping_warps_of_blocks(void)
{
    enum { ROWS = 8, COLUMNS = 48 };
    static float all[ROWS * COLUMNS], poison[ROWS * COLUMNS];
    static double right[ROWS * COLUMNS];
    const struct expected e = {.name = "c", .got = all, .want = right,
                               .type = FLOAT32, .size = {ROWS, COLUMNS}};
    char text[DIAGNOSIS_SIZE];

    for (size_t stored = 39; stored <= 40; stored++) {
        launch = (struct facts){.launches = 1, .grid = {2, 1, 1},
                                .block = {32, 4, 1}};
        for (size_t i = 0; i < ROWS * COLUMNS; i++) {
            right[i] = 1 + (double)i;
            poison[i] = 1e30f + (float)i;
            all[i] = i % COLUMNS < stored ? (float)right[i] : poison[i];
        }
        explain(&e, poison, true, text);
        CU_ASSERT_EQUAL(stored == 40,
                        strstr(text, "columns from 40 on, where 2 blocks of 4 "
                               "warps end if a block begins one tile of 8 "
                               "behind") != NULL);
    }
    launch = (struct facts){0};
}

/* The last element alone, in a block that stored its neighbor, or the first
 * one of a block that may not exist. */
static void last_left_out(void)
{
    char text[DIAGNOSIS_SIZE];

    for (unsigned threads = 8; threads <= 23; threads += 15) {
        const struct expected e = vector();
        float poison[N];

        launch = (struct facts){.launches = 1, .grid = {3, 1, 1},
                                .block = {threads, 1, 1}};
        for (size_t i = 0; i < N; i++)
            poison[i] = -7 - (float)i;
        got[N - 1] = poison[N - 1];
        explain(&e, poison, true, text);
        CU_ASSERT_EQUAL(threads == 8,
                        strstr(text, "leave out the last one?") != NULL);
    }
    launch = (struct facts){0};
}

int main(void)
{
    CU_TestInfo tests[] = {{"unwritten row", unwritten_row},
                           {"unwritten tail", unwritten_tail},
                           {"a subnormal that was there", unwritten_subnormal},
                           {"a sum with what was there", sum_with_old},
                           {"copies that are short", short_copies},
                           {"rows left in a buffer", rows_in_a_buffer},
                           {"counts of blocks exchanged", exchanged_counts},
                           {"warps of blocks that overlap",
                            overlapping_warps_of_blocks},
                           {"the last one left out", last_left_out},
                           CU_TEST_INFO_NULL};

    return run_tests("unwritten elements", tests);
}
