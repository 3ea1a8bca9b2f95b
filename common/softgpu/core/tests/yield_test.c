/* SPDX-License-Identifier: MIT */
/* Threads that wait for another block give it time to run.  Here, unlike in
 * blocks_test, they give up: without progress the test fails soon. */
#include <time.h>

#include "core_tests.h"

enum { PATIENCE = 10 /* seconds; a few milliseconds are enough */ };

struct wait {
    int last_has_run, gave_up;
    time_t begin;
};

/* All blocks but the last wait for it: more than there are workers. */
static void wait_for_last_block(const void *closure)
{
    struct wait *w = *(struct wait *const *)closure;
    if (blockIdx.x == gridDim.x - 1)
        __atomic_store_n(&w->last_has_run, 1, __ATOMIC_SEQ_CST);
    while (!__atomic_load_n(&w->last_has_run, __ATOMIC_SEQ_CST)
           && !__atomic_load_n(&w->gave_up, __ATOMIC_SEQ_CST)) {
        if (time(NULL) > w->begin + PATIENCE)
            __atomic_store_n(&w->gave_up, 1, __ATOMIC_SEQ_CST);
        softgpu_spin();
    }
}

/* 400 blocks, each in turn, within the time that the kernel allows. */
static void blocks_wait_for_the_last(void)
{
    struct wait wait = {.begin = time(NULL)}, *p = &wait;
    CU_ASSERT_EQUAL(run_1d(wait_for_last_block, &p, 400, 3), 0);
    CU_ASSERT_FALSE(wait.gave_up);
}

int main(void)
{
    const struct core_test tests[] = {
        {"blocks wait for the last", blocks_wait_for_the_last},
        {NULL, NULL}};
    return run_core_tests("yield", tests);
}
