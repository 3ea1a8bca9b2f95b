/* SPDX-License-Identifier: MIT */
/* Waits for groups of cp.async that may be too short, and those that are
 * not. */
#include <string.h>

#include "grader/report/async_hint.h"
#include "common/base/tests/run_tests.h"

/* @return does the hint contain this?  NULL: is there none? */
static bool says(const char *text, const char *part)
{
    char hint[1024] = "";
    const bool found = async_hint(text, hint, sizeof hint);

    return part ? found && strstr(hint, part) : !found;
}

static void commits_in_a_branch(void)
{
    static const char text[] = "Line 2 commits a group of copies in a branch, "
                               "and line 4 waits until at most 1 are";

    CU_ASSERT(says("for (;;) { if (k + T < n) {\nptx_cp_async_commit();\n}\n"
                   "ptx_cp_async_wait<1>(); }", text));
    CU_ASSERT(says("if (f(k) < n)\n  __pipeline_commit();\n\n"
                   "__pipeline_wait_prior(1);", text));
    CU_ASSERT(says("if (a) { x(); } else\n{ __pipeline_commit(); }\n\n"
                   "__pipeline_wait_prior(1);", text));
}

static void commits_always(void)
{
    static const char text[] = "Line 2 waits until at most STAGES - 1 groups";

    CU_ASSERT(says("if (k < n) next();\nptx_cp_async_commit();"
                   "ptx_cp_async_wait<STAGES - 1>();", text));
    CU_ASSERT(says("if constexpr (V) { ptx_cp_async_commit();\n"
                   "ptx_cp_async_wait<STAGES - 1>(); }", text));
    CU_ASSERT(says("for (;;) { if (k) { f(); } ptx_cp_async_commit();\n"
                   "ptx_cp_async_wait<STAGES - 1>(); }", text));
}

/* Where the last group has a wait of its own, and where none is copied so. */
static void waits_for_all(void)
{
    CU_ASSERT(says("if (m) { ptx_cp_async_commit(); ptx_cp_async_wait<1>(); }"
                   "else ptx_cp_async_wait<0>();", NULL));
    CU_ASSERT(says("__pipeline_commit(); __pipeline_wait_prior(0);", NULL));
    CU_ASSERT(says("// ptx_cp_async_wait<1>();\nmy_ptx_cp_async_wait<1>();",
                   NULL));
    CU_ASSERT(says("", NULL));
    CU_ASSERT(says("} ) ptx_cp_async_wait", NULL));
}

int main(void)
{
    CU_TestInfo tests[] = {{"commits in a branch", commits_in_a_branch},
                           {"commits always", commits_always},
                           {"waits for all", waits_for_all},
                           CU_TEST_INFO_NULL};

    return run_tests("hints on asynchronous copies", tests);
}
