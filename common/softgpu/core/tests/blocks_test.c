/* SPDX-License-Identifier: MIT */
/* Blocks: each runs once, with its coordinates; blocks that wait for blocks,
 * threads that spin on plain loads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core_tests.h"
#include "common/softgpu/core/fiber.h"

static void place_one(const void *closure)
{
    int *seen = *(int *const *)closure;
    const unsigned block =
        (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned thread =
        (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    __atomic_fetch_add(&seen[block * 24 + thread], 1, __ATOMIC_RELAXED);
}

static void every_thread_once(void)
{
    static int seen[7 * 5 * 3 * 24];
    int *p = seen, wrong = 0;
    memset(seen, 0, sizeof seen);
    CU_ASSERT_EQUAL(run_3d(place_one, &p, (dim3){7, 5, 3}, (dim3){4, 3, 2}, 0),
                    0);
    for (int i = 0; i < 7 * 5 * 3 * 24; i++)
        wrong += seen[i] != 1;
    CU_ASSERT_EQUAL(wrong, 0);
}

/* The first block waits for the last: on atomics that give way ... */
static void polite_one(const void *closure)
{
    int *flag = *(int *const *)closure;
    if (blockIdx.x == gridDim.x - 1)
        __atomic_store_n(flag, 1, __ATOMIC_SEQ_CST);
    if (blockIdx.x == 0)
        while (!__atomic_load_n(flag, __ATOMIC_SEQ_CST))
            softgpu_spin();
}

static void blocks_wait_politely(void)
{
    int flag = 0, *p = &flag;
    CU_ASSERT_EQUAL(run_1d(polite_one, &p, 40, 3), 0);
}

/* ... or on a plain load, which only the monitor can stop. */
static void rude_one(const void *closure)
{
    volatile int *flag = *(volatile int *const *)closure;
    if (blockIdx.x == gridDim.x - 1)
        *flag = 1;
    if (blockIdx.x == 0)
        while (!*flag)
            ;
}

static void blocks_wait_rudely(void)
{
    int flag = 0, *p = &flag;
    CU_ASSERT_EQUAL(run_1d(rude_one, &p, 40, 1), 0);
}

static void rude_loop(const void *closure)
{
    for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)
        rude_one(closure);
}

/* The same in rows, as softcc's loops are. */
static void rude_rows(const void *closure)
{
    do
        rude_loop(closure);
    while (softgpu_next_in_row() && ++blockIdx.x);
}

static void rows_wait(void)
{
    int flag = 0, *p = &flag;
    CU_ASSERT_EQUAL(run_whole(rude_rows, rude_one, &p, 40000, 1), 0);
    flag = 0;
    CU_ASSERT_EQUAL(run_whole(rude_loop, rude_one, &p, 40000, 1), 0);
}

/* Each thread of each block counts itself; rows end at the grid's edge. */
static void count_one(const void *closure)
{
    int *const *seen = closure;
    const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x
                           + blockIdx.x;
    __atomic_fetch_add(&(*seen)[block], 1, __ATOMIC_RELAXED);
}

static void count_rows(const void *closure)
{
    do
        for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)
            count_one(closure);
    while (softgpu_next_in_row() && ++blockIdx.x);
}

static void rows_are_whole(void)
{
    enum { BLOCKS = 37 * 29 * 11 };
    int *seen = calloc(BLOCKS, sizeof *seen), wrong = 0;
    CU_ASSERT_EQUAL(run_whole_3d(count_rows, count_one, &seen,
                                 (dim3){37, 29, 11}, 3), 0);
    for (int i = 0; i < BLOCKS; i++)
        wrong += seen[i] != 3;
    CU_ASSERT_EQUAL(wrong, 0);
    free(seen);
}

static void whole_blocks_wait(void)
{
    int flag = 0, *p = &flag;
    CU_ASSERT_EQUAL(run_whole(rude_loop, rude_one, &p, 40, 1), 0);
}

/* A loop is stopped in its sixth thread: the next kernel's first thread is
 * none the worse. */
static void busy_one(const void *closure)
{
    (void)closure;
    __asm__ volatile("" ::: "memory"); /* threadIdx is written by now */
    for (volatile int i = 0; i < 20000000; i++) /* some ticks of the monitor */
        ;
}

static void busy_loop(const void *closure)
{
    for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)
        if (threadIdx.x == 5)
            busy_one(closure);
}

static void threads_after_a_stop(void)
{
    enum { BLOCKS = 105, THREADS = 24 };
    static int seen[BLOCKS * THREADS];
    int *p = seen, wrong = 0;
    CU_ASSERT_EQUAL(run_whole(busy_loop, busy_one, NULL, 4, THREADS), 0);
    memset(seen, 0, sizeof seen);
    CU_ASSERT_EQUAL(run_1d(place_one, &p, BLOCKS, THREADS), 0);
    for (int i = 0; i < BLOCKS * THREADS; i++)
        wrong += seen[i] != 1;
    CU_ASSERT_EQUAL(wrong, 0);
}

/* Within a block: thread 0 waits for the last, which starts after it. */
static void inside_one(const void *closure)
{
    volatile int *flag = *(volatile int *const *)closure;
    if (threadIdx.x == blockDim.x - 1)
        flag[blockIdx.x] = 1;
    if (threadIdx.x == 0)
        while (!flag[blockIdx.x])
            ;
    softgpu_barrier();
}

static void threads_wait_rudely(void)
{
    int flags[4] = {0}, *p = flags;
    CU_ASSERT_EQUAL(run_1d(inside_one, &p, 4, 50), 0);
}

/* A lock taken by every thread of every block. */
struct locked {
    int lock, count;
};

static void lock_one(const void *closure)
{
    struct locked *c = *(struct locked *const *)closure;
    int free = 0;
    while (!__atomic_compare_exchange_n(&c->lock, &free, 1, 0,
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        free = 0;
        softgpu_spin();
    }
    const int seen = c->count;
    softgpu_yield(); /* with the lock held */
    c->count = seen + 1;
    __atomic_store_n(&c->lock, 0, __ATOMIC_SEQ_CST);
}

static void a_lock(void)
{
    struct locked c = {0, 0}, *p = &c;
    CU_ASSERT_EQUAL(run_1d(lock_one, &p, 6, 40), 0);
    CU_ASSERT_EQUAL(c.count, 240);
}

static void poison_one(const void *closure)
{
    *(int *)closure |= softgpu_tls.dynamic[threadIdx.x] != (char)0xCB;
}

static void fresh_shared_memory(void)
{
    int stale = 0;
    setenv("SOFTGPU_POISON", "1", 1);
    CU_ASSERT_EQUAL(run_1d(poison_one, &stale, 20, 64), 0);
    unsetenv("SOFTGPU_POISON");
    CU_ASSERT_EQUAL(stale, 0);
}

#ifndef SOFTGPU_ASAN /* which marks each byte of each stack */
static int mappings(void)
{
    int lines = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    for (int c; maps && (c = getc(maps)) != EOF;)
        lines += c == '\n';
    if (maps)
        fclose(maps);
    return lines;
}

/* A grid that waits for itself needs a stack a thread, on every worker, and
 * leaves the program some of the 65530 mappings it may have. */
static void stacks_for_a_whole_card(void)
{
    enum { SETS = 8, EACH = 132 * 2048 / SETS };
    int missing = 0;
    for (int i = 0; i < SETS; i++) {
        struct stacks *set = softgpu_stacks_new();
        for (int k = 0; k < EACH; k++)
            missing += softgpu_stack_take(set) == NULL;
    }
    CU_ASSERT_EQUAL(missing, 0);
    CU_ASSERT(mappings() < 60000);
}
#endif

int main(void)
{
    const struct core_test tests[] = {
        {"every thread once", every_thread_once},
        {"blocks wait politely", blocks_wait_politely},
        {"blocks wait rudely", blocks_wait_rudely},
        {"whole blocks wait", whole_blocks_wait},
        {"threads after a stop", threads_after_a_stop},
        {"rows of blocks wait for later ones", rows_wait},
        {"rows hold each block once", rows_are_whole},
        {"threads wait rudely", threads_wait_rudely},
        {"a lock", a_lock},
        {"fresh shared memory", fresh_shared_memory},
#ifndef SOFTGPU_ASAN
        {"stacks for a whole card", stacks_for_a_whole_card},
#endif
        {NULL, NULL}};
    return run_core_tests("blocks", tests);
}
