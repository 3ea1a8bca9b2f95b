/* SPDX-License-Identifier: MIT */
/* Messages about the loop in which a submission's time ran out. */
#include <stdio.h>
#include <string.h>

#include "grader/report/loop_hint.h"
#include "common/base/tests/run_tests.h"

/* A source, the line that was running, and parts of the hint; no head: the
 * line is in no loop. */
struct example {
    const char *text;
    int line;
    const char *head, *reason;
};

static void check(const struct example *e)
{
    char hint[1024] = "";
    const bool found = loop_hint(e->text, e->line, hint, sizeof hint);

    CU_ASSERT_EQUAL(found, e->head != NULL);
    if (found && e->head
        && (!strstr(hint, e->head) || !strstr(hint, e->reason))) {
        printf("\n    %s\n", hint);
        CU_FAIL("another hint");
    }
}

static void check_all(const struct example *examples, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check(&examples[i]);
}

/* Loops over a grid whose step lacks a factor. */
static void steps_of_a_grid(void)
{
    static const struct example examples[] = {
        {"size_t step = gridDim.x;\nfor (; i < n; i += step)\n x();\n", 3,
         "`for (; i < n; i += step)` of line 2", "by the number of blocks"},
        {"for (; i < n; i += gridDim.x)\n x();\n", 2,
         "`for (; i < n; i += gridDim.x)` of line 1",
         "by the number of blocks"},
        {"for (size_t k = 0; k < n; k++)\n x(k);\n", 2,
         "`for (size_t k = 0; k < n; k++)` of line 1", "work of many"},
        {"for (short k = 0; k < n; k++)\n x(k);\n", 2,
         "`for (short k = 0; k < n; k++)` of line 1", "overflow"},
        {"int step = blockDim.x;\nfor (; i < n; i += step)\n x();\n", 3,
         "`for (; i < n; i += step)` of line 2", "of one block"},
        {"int i = threadIdx.x;\nfor (; i < n; i += blockDim.x)\n x();\n", 3,
         "`for (; i < n; i += blockDim.x)` of line 2", "sometimes 0"},
        {"int step = gridDim.x * T;\nfor (; i < n; i += step)\n x();\n", 3,
         "`for (; i < n; i += step)` of line 2", "sometimes 0"},
        {"for (; i < n; i += gridDim.x * T)\n x();\n", 2,
         "`for (; i < n; i += gridDim.x * T)` of line 1", "sometimes 0"},
        {"int steps = gridDim.x;\nfor (; i < n; i += step)\n x();\n", 3,
         "`for (; i < n; i += step)` of line 2", "sometimes 0"}};

    check_all(examples, sizeof examples / sizeof *examples);
}

/* The innermost loop around the line, in spite of comments and literals. */
static void innermost(void)
{
    static const struct example examples[] = {
        {"for (;;) {\n for (int i = 0; i < n; i += s)\n  a[i] = 0;\n}\n", 3,
         "`for (int i = 0; i < n; i += s)` of line 2", "sometimes 0"},
        {"for (;;) {\n for (int i = 0; i < n; i++) a[i] = 0;\n x();\n}\n", 3,
         "`for (;;)` of line 1", "no condition"},
        {"for (short k = 0; k < n; k += T) {\n for (int p = 0; p < T; p++)\n"
         "  x(p);\n}\n", 3, "`for (short k = 0; k < n; k += T)` of line 1",
         "overflow"},
        {"for (short k = 0; k < n; k += T) {\n for (int p = 0; p < T; p++)\n"
         "  p--;\n}\n", 3, "`for (int p = 0; p < T; p++)` of line 2", "undo"},
        {"for (; i < n; i += blockDim.x)\n x();\n", 2,
         "`for (; i < n; i += blockDim.x)` of line 1", "of one block"},
        {"for (int i = threadIdx.x; i < n; i += blockDim.x)\n x();\n", 2,
         "`for (int i = threadIdx.x; i < n; i += blockDim.x)`", "sometimes 0"},
        {"// for (;;)\nx(\"while (1) {\");\n", 2, NULL, NULL},
        {"for (int i = 0; i < n; i++) x();\ny();\n", 2, NULL, NULL},
        {"while (i < n)\n  i += f(\")\");\n", 2, "`while (i < n)` of line 1",
         "sometimes 0"},
        {"format(1); forward(); do_it();\n", 1, NULL, NULL},
    };

    check_all(examples, sizeof examples / sizeof *examples);
}

/* The reason why a loop does not end. */
static void reasons(void)
{
    static const struct example examples[] = {
        {"for (int b = t; b > 0;) {\n  s = *(volatile int *)&w[b];\n"
         "  if (!s) continue;\n  b--;\n}\n", 3, "for (int b = t; b > 0;)",
         "it waits for a value in memory"},
        {"if (t)\n  do s = *(volatile int *)&w[t]; while (s == 0);\n", 2,
         "while (s == 0)", "it waits for a value in memory"},
        {"x();\ny(); while (*p);\n", 2, "while (*p)", "it waits"},
        {"for (int b = t; b > 0;) {\n  s = w[b];\n"
         "  if (!s) continue;\n  b--;\n}\n", 3, "for (int b = t; b > 0;)",
         "sometimes 0"},
        {"while (i < n) {\n  c[i] = 0; // i++\n}\n", 2, "while (i < n)",
         "nothing in the loop changes"},
        {"while (i < n) {\n  next(&i);\n}\n", 2, "while (i < n)",
         "sometimes 0"},
        {"do {\n  x();\n} while (i < n);\n", 2, "while (i < n)",
         "nothing in the loop changes"},
        {"do {\n  ++i;\n} while (i < n);\n", 3, "while (i < n)",
         "sometimes 0"},
        {"while (*flag == 0)\n  ;\n", 1, "while (*flag == 0)",
         "Which thread stores that"},
        {"while (atomicAdd(p, 0) != 3)\n  ;\n", 1, "atomicAdd(p, 0)",
         "Which thread stores that"},
        {"while (2 * i < n) i++;\n", 1, "while (2 * i < n)", "sometimes 0"},
        {"for (int h = 128; h >= 0; h /= 2) {\n  x();\n}\n", 2, "h >= 0",
         "0 >= 0 is true"},
        {"for (unsigned i = n; i >= 0; i--) x();\n", 1, "i >= 0",
         "never below 0"},
        {"for (unsigned d = 0; d < n; d *= 2) x();\n", 1, "d *= 2",
         "0 times 2 is 0"},
    };

    check_all(examples, sizeof examples / sizeof *examples);
}

/* Text that ends anywhere is read, and no byte behind it. */
static void cut_off(void)
{
    static const char text[] =
        "do { for (int i = 0; x(\"a\\\"\", '\\'') /* c */; i++) { while (1) "
        "y(); } } while (z); // end";
    char part[sizeof text], hint[64];

    for (size_t length = 0; length < sizeof text; length++) {
        memcpy(part, text, length);
        part[length] = 0;
        loop_hint(part, 1, hint, sizeof hint);
    }
    CU_ASSERT_TRUE(loop_hint(text, 1, hint, sizeof hint));
}

int main(void)
{
    CU_TestInfo tests[] = {{"steps of a grid", steps_of_a_grid},
                           {"the innermost loop", innermost},
                           {"what keeps it from ending", reasons},
                           {"text that is cut off", cut_off},
                           CU_TEST_INFO_NULL};

    return run_tests("loop hints", tests);
}
