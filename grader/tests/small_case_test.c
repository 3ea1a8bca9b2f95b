/* SPDX-License-Identifier: MIT */
/* Small wrong cases as the report draws them. */
#include <stdlib.h>
#include <string.h>

#include "grader/suite/small_case.h"
#include "grader/suite/state.h"
#include "common/base/tests/run_tests.h"

static char text[SMALL_CASE_SIZE];
static int columns = VALUES_COLUMNS;

/* Draws a wrong case with these inputs.  No line may be too long. */
static void draw(const struct expected *expected,
                 const struct small_array *inputs, size_t count)
{
    static struct facts facts;
    struct comparison comparison;
    struct evidence evidence = {expected, &comparison, NULL, NULL, 0, &facts,
                                false};

    CU_ASSERT_TRUE(compare(expected, &comparison));
    CU_ASSERT_TRUE(comparison.wrong > 0);
    small_case_draw(&evidence, inputs, count, columns, text);
    free(comparison.wrong_mask);
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        CU_ASSERT_TRUE(strcspn(line, "\n") <= (size_t)columns);
}

/* The drawing is this text. */
static void is_drawn(const char *expected)
{
    CU_ASSERT_STRING_EQUAL(text, expected);
    if (strcmp(text, expected))
        printf("\n%s", text);
}

/* Digits grow until the wrong number differs; the poison is no number. */
static void vectors(void)
{
    static const float a[3] = {1, 2, -3.5f};
    float got[3] = {2, 4.0000005f, 0};
    static const double want[3] = {2, 4, -7};
    const struct small_array input = {"a", a, FLOAT32, {0, 3}};
    const struct expected e = {.name = "c", .got = got, .want = want,
                               .type = FLOAT32, .size = {3}};

    memset(&got[2], 0xCB, 4);
    draw(&e, &input, 1);
    is_drawn("         a  c should be       c is\n"
             "   0     1            2          2\n"
             "   1     2            4  4.0000005 *\n"
             "   2  -3.5           -7          - *\n"
             "*: wrong; -: never written\n");
}

/* The longest one that is drawn, and one element more. */
static void long_vectors(void)
{
    static double want[SMALL_CASE_LENGTH + 1];
    static int32_t got[SMALL_CASE_LENGTH + 1], ones[SMALL_CASE_LENGTH + 1];
    struct expected e = {.name = "y", .got = got, .want = want, .type = INT32,
                         .size = {SMALL_CASE_LENGTH}};

    for (int i = 0; i <= SMALL_CASE_LENGTH; i++)
        want[i] = ones[i] = 1;
    draw(&e, NULL, 0); /* groups of eight, side by side */
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "   7            1     0 *"));
    e.size[0]++;
    draw(&e, NULL, 0); /* one too many */
    CU_ASSERT_STRING_EQUAL(text, "");
    memset(want, 0, sizeof want);
    got[20] = 3;
    draw(&e, NULL, 0);
    is_drawn("      y should be  y is\n"
             "  20            0     3 *\n"
             "all other elements are 0, as they should be\n"
             "*: wrong\n");
}

/* Rows of input, expected and actual values beside each other. */
static void matrices(void)
{
    static const uint8_t in[6] = {1, 2, 3, 4, 5, 6};
    static const uint8_t got[6] = {1, 4, 2, 2, 3, 6};
    static const double want[6] = {1, 4, 2, 5, 3, 6};
    const struct small_array input = {"in", in, UINT8, {2, 3}};
    struct expected e = {.name = "out", .got = got, .want = want,
                         .type = UINT8, .size = {3, 2, 1}};

    draw(&e, &input, 1);
    is_drawn("in          out should be   out is\n"
             "1  2  3     1  4            1  4\n"
             "4  5  6     2  5            2  2*\n"
             "            3  6            3  6\n"
             "*: wrong\n");
}

/* A long name is cut, with a mark, where the line has no room for it. */
static void long_names(void)
{
    static const int32_t got[2] = {1, 2};
    static const double want[2] = {1, 3};
    struct expected e = {.name = "d_gradients, dense's weight", .got = got,
                         .want = want, .type = INT32, .size = {2}};

    draw(&e, NULL, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "d_gradients, dense's weight should "
                                        "be  d_gradients, dense's weight is"));
    e.name = "d_gradients, dense2's weight";
    draw(&e, NULL, 0); /* would be wider than 78 columns */
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "d_gradients, dens... should be  "
                                        "d_gradients, dens... is\n"));
    e.name = "d_gradients of twenty";
    e.name++; /* just short enough */
    draw(&e, NULL, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "_gradients of twenty should be"));
}

/* In a narrow window blocks stand below each other, and columns of a vector
 * have no name where that is too long. */
static void narrow(void)
{
    static const float in[4] = {184500, -0.00001264f, -1777, 1554};
    static float got[4] = {184500, -0.00001264f, -1777, 1554};
    static const double want[4] = {184500, -1777, -0.00001264f, 1554};
    const struct small_array matrix = {"d_in", in, FLOAT32, {2, 2}};
    const struct small_array vector = {"d_in", in, FLOAT32, {0, 4}};
    const struct expected square = {.name = "out", .got = got, .want = want,
                                    .type = FLOAT32, .size = {2, 2}};
    const struct expected line = {.name = "inclusive_sum", .got = got,
                                  .want = want, .type = FLOAT32, .size = {4}};

    columns = NARROW_VALUES_COLUMNS;
    draw(&square, &matrix, 1);
    is_drawn("d_in\n"
             " 1.845e+05  -1.264e-05\n"
             "     -1777        1554\n"
             "out should be\n"
             " 1.845e+05       -1777\n"
             "-1.264e-05        1554\n"
             "out is\n"
             " 1.845e+05  -1.264e-05*\n"
             "     -1777*       1554\n"
             "*: wrong\n");
    draw(&line, &vector, 1);
    is_drawn("            d_in   should be          is\n"
             "   0   1.845e+05   1.845e+05   1.845e+05\n"
             "   1  -1.264e-05       -1777  -1.264e-05 *\n"
             "   2       -1777  -1.264e-05       -1777 *\n"
             "   3        1554        1554        1554\n"
             "*: wrong\n");
    columns = VALUES_COLUMNS;
}

/* Three dimensions are not drawn, nor is a matrix of nine rows. */
static void large(void)
{
    static float got[12];
    static const double want[12] = {1};
    struct expected e = {.name = "out", .got = got, .want = want,
                         .type = FLOAT32, .size = {2, 2, 3}};

    draw(&e, NULL, 0);
    CU_ASSERT_STRING_EQUAL(text, "");
    e = (struct expected){.name = "out", .got = got, .want = want,
                          .type = FLOAT32, .size = {2, 6}};
    draw(&e, NULL, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "out is"));
    e.size[0] = 1;
    e.size[1] = SMALL_CASE_SIDE + 1;
    draw(&e, NULL, 0); /* a vector */
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "   8 "));
}

/* Arguments that are noted of a call: inputs alone, small ones, of a known
 * type. */
static void calls(void)
{
    static struct outcome outcome;
    struct call_array a = {.name = "d_x", .kind = ARG_IN, .place = ON_DEVICE,
                           .element = 4, .shown_as = 1 + FLOAT32, .dims = 2,
                           .dim = (const int64_t[]){2, 4}};

    suite_state = (struct suite_state){.outcome = &outcome};
    call_begin(0);
    a.data = suite_floats(8);
    call_array(&a);
    CU_ASSERT_EQUAL(suite_state.inputs, 1);
    CU_ASSERT_EQUAL(suite_state.input[0].size[1], 4);
    a.kind = ARG_OUT;
    call_array(&a);
    CU_ASSERT_EQUAL(suite_state.inputs, 1);
    a.kind = ARG_IN;
    a.dim = (const int64_t[]){3, 4}; /* more than the suite has */
    call_array(&a);
    CU_ASSERT_EQUAL(suite_state.inputs, SIZE_MAX);
    call_begin(0);
    CU_ASSERT_EQUAL(suite_state.inputs, 0);
    a.dim = (const int64_t[]){2, 4};
    a.shown_as = 0;
    call_array(&a);
    CU_ASSERT_EQUAL(suite_state.inputs, SIZE_MAX);
    CU_ASSERT_EQUAL(CALL_SHOWN_AS((const float *)NULL), 1 + FLOAT32);
    CU_ASSERT_EQUAL(CALL_SHOWN_AS((const short *)NULL), 0);
    test_end();
}

int main(void)
{
    CU_TestInfo tests[] = {{"vectors", vectors},
                                        {"long vectors", long_vectors},
                                        {"long names", long_names},
                                        {"matrices", matrices},
                                        {"narrow", narrow},
                                        {"large", large},
                                        {"calls", calls},
                                        CU_TEST_INFO_NULL};

    return run_tests("small cases", tests);
}
