/* SPDX-License-Identifier: MIT */
/* The line of the addition whose order differs from call to call. */
#include <string.h>

#include "grader/report/order_hint.h"
#include "common/base/tests/run_tests.h"

/* @return does the hint begin so?  NULL: is there none? */
static bool names(const char *text, const char *begin)
{
    char hint[1024] = "";
    const bool found = order_hint(text, hint, sizeof hint);

    return begin ? found && !strncmp(hint, begin, strlen(begin)) : !found;
}

static void additions(void)
{
    CU_ASSERT(names("x();\natomicAdd(&c[i * n + j], sum);\n",
                    "atomicAdd() of line 2 "));
    CU_ASSERT(names("atomicAdd(c, f(a, b));", "atomicAdd() of line 1 "));
    CU_ASSERT(names("atomicAdd_block(&s[t], 1.0f);",
                    "atomicAdd_block() of line 1 "));
    CU_ASSERT(names("\n\nref(c).fetch_add(v, order);",
                    "fetch_add() of line 3 "));
}

/* Tickets and bins are integers, and their sums exact. */
static void counters(void)
{
    CU_ASSERT(names("last = atomicAdd(&done, 1u) == blocks;", NULL));
    CU_ASSERT(names("n.fetch_add(1, order); atomicAdd(&x[a[0]], -1);", NULL));
    CU_ASSERT(names("atomicAdd(&done, 1);\natomicAdd(c, v);",
                    "atomicAdd() of line 2 "));
}

static void no_additions(void)
{
    CU_ASSERT(names("// atomicAdd(c, v);\nf(\"atomicAdd(c, v)\");", NULL));
    CU_ASSERT(names("my_atomicAdd(c, v); atomicAdd2(c, v);", NULL));
    CU_ASSERT(names("atomicAdd(c", NULL));
    CU_ASSERT(names("", NULL));
}

int main(void)
{
    CU_TestInfo tests[] = {{"additions of floats", additions},
                           {"counters", counters},
                           {"no addition", no_additions},
                           CU_TEST_INFO_NULL};

    return run_tests("order hints", tests);
}
