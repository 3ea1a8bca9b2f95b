/* SPDX-License-Identifier: MIT */
/* The barrier between the two lines of a race. */
#include <string.h>

#include "grader/report/barrier_hint.h"
#include "common/base/tests/run_tests.h"

/* @return does the hint begin so?  NULL: is there none? */
static bool names(const char *text, long first, long second, const char *begin)
{
    char hint[512] = "";
    const bool found = barrier_hint(text, strstr(text, "warp"), first, second, hint, sizeof hint);

    return begin ? found && !strncmp(hint, begin, strlen(begin)) : !found;
}

static void barriers_of_loops(void)
{
    static const char loop[] = "for (;;) {\n    s[t] = a[i];\n"
                               "    __syncthreads();\n    x += s[u];\n}\n";

    CU_ASSERT(names(loop, 4, 2, "The __syncthreads() of line 3 "));
    CU_ASSERT(names(loop, 2, 4, "The __syncthreads() of line 3 "));
    CU_ASSERT(names("s[t] = 1;\nblock.sync();\nx = s[u];\n", 1, 3,
                    "The sync() of line 2 "));
}

/* The accesses are in functions of which each is called once. */
static void called_functions(void)
{
    static const char calls[] =
        "void load(float *s)\n{\n    s[t] = a[i];\n}\n"
        "template <int N> void add(const float *s)\n{\n    x += s[u];\n}\n"
        "void kernel(void)\n{\n    for (;;) {\n        load(s);\n"
        "        __syncthreads();\n        add<4>(s);\n    }\n}\n";
    static const char warp[] =
        "void kernel(void)\n{\n    for (;;) {\n        s[t] = 1; // a warp\n"
        "        __syncwarp();\n        x += s[u];\n    }\n}\n";

    CU_ASSERT(names(calls, 3, 7, "The __syncthreads() of line 13 "));
    CU_ASSERT(names(calls, 12, 7, "The __syncthreads() of line 13 "));
    CU_ASSERT(names(warp, 4, 6, "The __syncwarp() of line 5 separates them "
                                "within one iteration of a loop: is another "));
    /* two calls before the other access */
    CU_ASSERT(names("void load(void) { s[t] = 1; }\nvoid kernel(void)\n{\n"
                    "for (;;) {\nload();\nload();\n__syncthreads();\n"
                    "x = s[u];\n}\n}\n", 1, 8,
                    "The __syncthreads() of line 7 "));
    /* one before and one behind it: which one is not known */
    CU_ASSERT(names("void load(void) { s[t] = 1; }\nvoid kernel(void)\n{\n"
                    "for (;;) {\nload();\n__syncthreads();\nx = s[u];\n"
                    "load();\n}\n}\n", 1, 7, NULL));
}

/* Beside the lines, on one of them, in a comment, or part of another word. */
static void no_barriers(void)
{
    CU_ASSERT(names("s[t] = 1;\nx = s[u];\n__syncthreads();\n", 1, 2, NULL));
    CU_ASSERT(names("__syncthreads();\ns[t] = 1;\nx = s[u];\n", 2, 3, NULL));
    CU_ASSERT(names("s[t]++; __syncthreads();\n", 1, 1, NULL));
    CU_ASSERT(names("s[t] = 1;\n// __syncthreads();\nx = s[u];\n", 1, 3,
                    NULL));
    CU_ASSERT(names("s[t] = 1;\nmy__syncthreads();\nx = s[u];\n", 1, 3, NULL));
    CU_ASSERT(names("s[t] = 1;\n__syncthreads();\nfor (;;) {\n"
                    "    x += s[u];\n    s[t] = x;\n}\n", 1, 4, NULL));
    CU_ASSERT(names("s[t] = 1;\n__syncthreads(); /* warp */\nx = s[u];\n", 1,
                    3, NULL));
}

int main(void)
{
    static CU_TestInfo tests[] = {{"barriers of loops", barriers_of_loops},
                                  {"no barriers", no_barriers},
                                  {"called functions", called_functions},
                                  CU_TEST_INFO_NULL};

    return run_tests("barrier hint", tests);
}
