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

/* One thread of each block waits for the last block; a call tells the others
 * what it has read: a barrier with a vote in even blocks, a warp vote in odd
 * ones. */
static void one_thread_polls(const void *closure)
{
    struct wait *w = *(struct wait *const *)closure;
    int done = 0;
    if (blockIdx.x == gridDim.x - 1)
        __atomic_store_n(&w->last_has_run, 1, __ATOMIC_SEQ_CST);
    while (!done) {
        if (threadIdx.x == 0) {
            softgpu_spin();
            if (time(NULL) > w->begin + PATIENCE)
                __atomic_store_n(&w->gave_up, 1, __ATOMIC_SEQ_CST);
            done = __atomic_load_n(&w->last_has_run, __ATOMIC_SEQ_CST)
                   || __atomic_load_n(&w->gave_up, __ATOMIC_SEQ_CST);
        }
        if (blockIdx.x % 2 == 0)
            done = softgpu_barrier_vote(SOFTGPU_OR, done);
        else
            done = *softgpu_warp_vote(~0u, done) != 0;
    }
}

/* A call of all threads between two polls is no progress. */
static void one_thread_waits_for_the_last(void)
{
    struct wait wait = {.begin = time(NULL)}, *p = &wait;
    CU_ASSERT_EQUAL(run_1d(one_thread_polls, &p, 60, 32), 0);
    CU_ASSERT_FALSE(wait.gave_up);
}

int main(void)
{
    const struct core_test tests[] = {
        {"blocks wait for the last", blocks_wait_for_the_last},
        {"one thread waits for the last", one_thread_waits_for_the_last},
        {NULL, NULL}};
    return run_core_tests("yield", tests);
}
