/* SPDX-License-Identifier: MIT */
/* The hint about a budget: what the kernels are like decides. */
#include <string.h>

#include "common/base/tests/run_tests.h"
#include "grader/report/cost_hint.h"

static const struct lab_budget sectors = {.metric = METRIC_SECTORS,
                                          .hint = "share loads",
                                          .staged_hint = "a wider tile"};

/* Has the hint of a case this text in it? */
static bool has(const struct lab_budget *budget,
                const struct watched_case *watched, const char *part)
{
    char text[MESSAGE_SIZE];

    cost_hint(budget, watched, text);
    return strstr(text, part) != NULL;
}

/* Blocks smaller than a warp are named before anything else. */
static void small_blocks(void)
{
    const struct lab_budget launches = {.metric = METRIC_LAUNCHES,
                                        .hint = "one launch"};
    struct watched_case watched = {.block_threads = 1};

    CU_ASSERT_TRUE(has(&sectors, &watched, "1 thread, so 31 of the 32"));
    CU_ASSERT_TRUE(has(&launches, &watched, "one launch"));
    watched.counter[METRIC_WAVEFRONTS].value = 5;
    watched.block_threads = 31;
    CU_ASSERT_TRUE(has(&sectors, &watched, "31 threads, so 1 of the 32"));
    watched.block_threads = 32;
    CU_ASSERT_TRUE(has(&sectors, &watched, "a wider tile"));
    CU_ASSERT_FALSE(has(&sectors, &watched, "no multiple of 32"));
    watched.block_threads = 105;
    CU_ASSERT_TRUE(has(&sectors, &watched, "a wider tile (A block has 105 "
                                           "threads, no multiple of 32"));
    CU_ASSERT_TRUE(has(&launches, &watched, "one launch"));
    CU_ASSERT_FALSE(has(&launches, &watched, "no multiple of 32"));
    watched.block_threads = 0; /* not known */
    CU_ASSERT_TRUE(has(&sectors, &watched, "a wider tile"));
    watched.counter[METRIC_WAVEFRONTS].value = 0;
    CU_ASSERT_TRUE(has(&sectors, &watched, "share loads"));
}

/* Lanes that are far apart come before shared memory, used or not. */
static void lanes_far_apart(void)
{
    struct lab_budget budget = sectors;
    struct watched_case watched = {.block_threads = 256};

    strcpy(budget.strided_hint, "consecutive lanes");
    watched.counter[METRIC_REQUESTS].value = 10;
    watched.counter[METRIC_SECTORS].value = 160; /* as of float4 */
    CU_ASSERT_TRUE(has(&budget, &watched, "share loads"));
    watched.counter[METRIC_SECTORS].value = 165;
    CU_ASSERT_TRUE(has(&budget, &watched, "consecutive lanes"));
    CU_ASSERT_TRUE(has(&sectors, &watched, "share loads"));
    watched.counter[METRIC_WAVEFRONTS].value = 5;
    CU_ASSERT_TRUE(has(&budget, &watched, "consecutive lanes"));
    watched.counter[METRIC_SECTORS].value = 40;
    CU_ASSERT_TRUE(has(&budget, &watched, "a wider tile"));
}

/* A timeline within its first limit overlaps already. */
static void overlapping(void)
{
    const struct lab_budget timeline = {.metric = METRIC_TIMELINE,
                                        .limit = {2.5, 1.5}, .tiers = 2,
                                        .hint = "use streams",
                                        .staged_hint = "load ahead"};
    struct watched_case watched = {.block_threads = 256};

    watched.counter[METRIC_WAVEFRONTS].value = 5; /* says nothing of it */
    watched.counter[METRIC_TIMELINE].unit = 10;
    watched.counter[METRIC_TIMELINE].value = 26;
    CU_ASSERT_TRUE(has(&timeline, &watched, "use streams"));
    watched.counter[METRIC_TIMELINE].value = 25;
    CU_ASSERT_TRUE(has(&timeline, &watched, "load ahead"));
}

/* Rows that are padded already have few conflicts. */
static void few_conflicts(void)
{
    const struct lab_budget conflicts = {.metric = METRIC_CONFLICTS,
                                         .limit = {16, 4, 0}, .tiers = 3,
                                         .hint = "pad the rows",
                                         .staged_hint = "a wider tile"};
    const struct lab_budget none = {.metric = METRIC_CONFLICTS, .tiers = 1,
                                    .hint = "pad", .staged_hint = "no"};
    struct watched_case watched = {.block_threads = 256};

    watched.counter[METRIC_WAVEFRONTS].value = 5; /* says nothing of it */
    watched.counter[METRIC_CONFLICTS].unit = 10;
    watched.counter[METRIC_CONFLICTS].value = 41;
    CU_ASSERT_TRUE(has(&conflicts, &watched, "pad the rows"));
    watched.counter[METRIC_CONFLICTS].value = 40;
    CU_ASSERT_TRUE(has(&conflicts, &watched, "a wider tile"));
    CU_ASSERT_TRUE(has(&none, &watched, "pad"));
}

/* Threads of a block, of these kernels. */
static unsigned threads(const char *kernels)
{
    json_t *list = json_loads(kernels, 0, NULL);
    const unsigned found = metric_block_threads(list);

    json_decref(list);
    return found;
}

/* The kernel with most requests counts, sampled blocks for all of theirs. */
static void busiest_kernel(void)
{
    CU_ASSERT_EQUAL(threads("[{\"block\": [8, 2, 1], \"blocks\": 10, "
                            "\"blocks_watched\": 1, "
                            "\"global_load_requests\": 2}, "
                            "{\"block\": [256, 1, 1], \"blocks\": 1, "
                            "\"blocks_watched\": 1, "
                            "\"global_store_requests\": 19}]"), 16);
    CU_ASSERT_EQUAL(threads("[{\"block\": [1, 1, 1], \"library\": true, "
                            "\"global_load_requests\": 2}]"), 0);
    CU_ASSERT_EQUAL(threads("[]"), 0);
}

/* The budget whose hint is shown: the first that is not met, but none that
 * waits for one that could not be measured. */
static void first_cost(void)
{
    static const struct lab lab = {
        .budgets = 3, .budget = {{.watched = 0}, {.watched = 0},
                                 {.watched = 1}}};
    static struct report report;

    CU_ASSERT_PTR_NULL(next_cost(&lab, &report));
    report.budget[1].verdict = report.budget[2].verdict = SLOW;
    CU_ASSERT_PTR_EQUAL(next_cost(&lab, &report), &lab.budget[1]);
    report.budget[0].verdict = UNMEASURED;
    CU_ASSERT_PTR_EQUAL(next_cost(&lab, &report), &lab.budget[2]);
    report.budget[2].verdict = PASS;
    CU_ASSERT_PTR_NULL(next_cost(&lab, &report));
}

/* The report is untrusted. */
static void malformed(void)
{
    CU_ASSERT_EQUAL(threads("[{\"block\": [1, 1], "
                            "\"global_load_requests\": 2}]"), 0);
    CU_ASSERT_EQUAL(threads("[{\"block\": [1024, 1024, 1024], "
                            "\"global_load_requests\": 2}]"), 0);
    CU_ASSERT_EQUAL(threads("[{\"block\": [-4, 1, 1], "
                            "\"global_load_requests\": 2}]"), 0);
    CU_ASSERT_EQUAL(threads("{\"block\": 3}"), 0);
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"blocks smaller than a warp", small_blocks},
        {"lanes that are far apart", lanes_far_apart},
        {"timelines that overlap", overlapping},
        {"few conflicts", few_conflicts},
        {"the busiest kernel's blocks", busiest_kernel},
        {"the budget that comes next", first_cost},
        {"malformed reports", malformed},
        CU_TEST_INFO_NULL};

    return run_tests("hints about budgets", tests);
}
