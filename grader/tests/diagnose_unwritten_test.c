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

int main(void)
{
    CU_TestInfo tests[] = {{"unwritten row", unwritten_row},
                           {"unwritten tail", unwritten_tail},
                           {"a subnormal that was there", unwritten_subnormal},
                           CU_TEST_INFO_NULL};

    return run_tests("unwritten elements", tests);
}
