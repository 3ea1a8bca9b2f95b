/* SPDX-License-Identifier: MIT */
/* The instructor's pages: what messages of one defect have in common, what a
 * class is counted as, names of pages. */
#include <stdlib.h>
#include <string.h>

#include "common/base/tests/run_tests.h"
#include "grader/autograde/pages.h"
#include "grader/autograde/text_clean.h"

/* The part of a message that is the same for all students with one mistake. */
static void diagnoses(void)
{
    static const struct {
        const char *message, *text;
    } cases[] = {
        {"n = 257: c[256] is -2e+07, should be -3.5: 1 of 257 wrong, the very "
         "last one (block 1, thread 0 of 256); never written",
         "never written"},
        {"7 x 9: out[0][1] is nan, should be 1.8e-06: 9 of 63 wrong, all from "
         "element 54 on (block 2, thread 1)",
         "wrong, all from element \u2026 on"},
        {"n = 5: c[0] is 1, should be 2: 3 of 5 wrong",
         "wrong elements in no known pattern"},
        {"n = 1023: called exit(0) during the call", "called exit during the "
                                                     "call"},
        {"300 x 500: 600000 bytes were not freed, first by cudaMalloc, "
         "a.cu:32", "\u2026 bytes were not freed, first by cudaMalloc, "
                    "a.cu:\u2026"},
        {"64 x 64: returned 0: cudaErrorMisalignedAddress",
         "returned \u2026: cudaErrorMisalignedAddress"},
        {"96 x 80: float4 and x1: 16-byte read at 0x7f0 (unclosed",
         "float4 and x1: \u2026-byte read at \u2026 (unclosed"},
        {"", ""}};
    char text[COUNT_TEXT];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CU_ASSERT_STRING_EQUAL(diagnosis_text(text, cases[i].message),
                               cases[i].text);
}

/* A longer message than the text that is kept of it. */
static void long_diagnosis(void)
{
    char text[COUNT_TEXT], message[4 * COUNT_TEXT];

    memset(message, '1', sizeof message);
    for (size_t i = 0; i < sizeof message; i += 2)
        message[i] = ' ';
    message[sizeof message - 1] = 0;
    diagnosis_text(text, message);
    CU_ASSERT(strlen(text) < COUNT_TEXT);
    CU_ASSERT(strlen(text) > COUNT_TEXT / 2);
}

/* A result of one test and one check. */
static json_t *one_result(const char *verdict, double score,
                          const char *message)
{
    return json_pack("{s{ss s[{ss ss ss sf sf ss}] s[{ss ss sf sf s[{ss}{ss}]}"
                     "]}}", "result", "message", "", "tests", "name", "small",
                     "title", "few", "verdict", verdict, "score", score,
                     "max_score", 20., "message", message, "checks", "name",
                     "clean", "verdict", "WRONG", "score", 0., "max_score",
                     10., "findings", "kind", "leak", "kind", "leak");
}

/* A graded cell whose result was read already. */
static void set_result(struct cell *cell, json_t *result)
{
    static struct result_reader readers[3];
    static int used;

    cell->state = CELL_GRADED;
    cell->reader = &readers[used++];
    *cell->reader = (struct result_reader){.of = cell, .result = result};
}

/* Each student counts once, the commonest diagnosis comes first. */
static void counts_of_a_class(void)
{
    static struct gradebook book = {.labs = 1, .rows = 4};
    static struct row row[4];
    static struct cell cells[4];
    struct class_counts counts;

    book.row = row;
    for (int i = 0; i < 4; i++)
        row[i].cell = &cells[i];
    set_result(&cells[0], one_result("WRONG", 0, "n = 1: a is odd"));
    set_result(&cells[1], one_result("WRONG", 0, "n = 2: b is 7"));
    set_result(&cells[2], one_result("SLOW", 5, "n = 3: b is 8"));
    class_count(&book, 0, &counts);
    CU_ASSERT_EQUAL(counts.graded, 3);
    CU_ASSERT_EQUAL_FATAL(counts.tests, 2);
    CU_ASSERT(counts.test[0].is_test && !counts.test[1].is_test);
    CU_ASSERT_EQUAL(counts.test[0].none, 2);
    CU_ASSERT_EQUAL(counts.test[0].partial, 1);
    CU_ASSERT_STRING_EQUAL(counts.test[0].verdicts.item[0].text, "WRONG");
    CU_ASSERT_EQUAL_FATAL(counts.diagnoses.count, 2);
    CU_ASSERT_STRING_EQUAL(counts.diagnoses.item[0].text, "b is \u2026");
    CU_ASSERT_EQUAL(counts.diagnoses.item[0].students, 2);
    CU_ASSERT_EQUAL_FATAL(counts.findings.count, 1);
    CU_ASSERT_EQUAL(counts.findings.item[0].students, 3);
    class_counts_free(&counts);
    for (int i = 0; i < 3; i++)
        json_decref(cells[i].reader->result);
}

/* Ids that differ have different pages, in this folder. */
static void names_of_pages(void)
{
    static const char *const ids[] = {"ann", "../ann", "a/nn", "a nn", "ANN",
                                      "", "\xff", "a&nn"};
    char name[PAGE_NAME], other[PAGE_NAME];

    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        page_name(name, "01_vector_add", ids[i]);
        CU_ASSERT_EQUAL(strspn(name, "abcdefghijklmnopqrstuvwxyzAN0123456789_-"
                                     "."), strlen(name));
        CU_ASSERT_EQUAL(strncmp(name, "01_vector_add-", 14), 0);
        for (size_t k = 0; k < i; k++)
            CU_ASSERT_NOT_EQUAL(strcmp(name, page_name(other, "01_vector_add",
                                                       ids[k])), 0);
    }
}

/* Names are shown in terminals and spreadsheets, too. */
static void names_keep_their_order(void)
{
    char text[32];

    CU_ASSERT_STRING_EQUAL(clean_copy(text, sizeof text, "a\u202egnp.exe"),
                           "a???gnp.exe");
    CU_ASSERT_STRING_EQUAL(clean_copy(text, sizeof text, "a\u2069\u2026"),
                           "a???\u2026");
}

int main(void)
{
    CU_TestInfo tests[] = {{"diagnoses", diagnoses},
                           {"a long diagnosis", long_diagnosis},
                           {"counts of a class", counts_of_a_class},
                           {"names of pages", names_of_pages},
                           {"names keep their order", names_keep_their_order},
                           CU_TEST_INFO_NULL};

    return run_tests("pages", tests);
}
