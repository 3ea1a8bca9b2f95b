/* SPDX-License-Identifier: MIT */
/* Blocks: each runs once, with its index; blocks that wait for other blocks,
 * threads that spin on plain loads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core_tests.h"
#include "common/softgpu/core/fiber.h"

/* Count each thread of the grid at its own index. */
static void count_thread(const void *closure)
{
    int *seen = *(int *const *)closure;
    const unsigned block =
        (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned thread =
        (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    __atomic_fetch_add(&seen[block * 24 + thread], 1, __ATOMIC_RELAXED);
}

/* A 3-D grid of 3-D blocks: no thread is missing or run twice. */
static void every_thread_once(void)
{
    static int seen[7 * 5 * 3 * 24];
    int *p = seen, wrong = 0;
    memset(seen, 0, sizeof seen);
    CU_ASSERT_EQUAL(
        run_3d(count_thread, &p, (dim3){7, 5, 3}, (dim3){4, 3, 2}, 0), 0);
    for (int i = 0; i < 7 * 5 * 3 * 24; i++)
        wrong += seen[i] != 1;
    CU_ASSERT_EQUAL(wrong, 0);
}

/* Each block counts itself in the row and the column of its grid. */
struct ran {
    int row[8], column[8], most;
};

static void count_block(const void *closure)
{
    struct ran *ran = *(struct ran *const *)closure;
    static int seen[64];
    int *mine = &seen[blockIdx.y * gridDim.x + blockIdx.x];
    if (blockIdx.x == 0 && blockIdx.y == 0)
        memset(seen, 0, sizeof seen);
    ran->row[blockIdx.y]++;
    ran->column[blockIdx.x]++;
    if (++*mine > ran->most)
        ran->most = *mine;
}

/* Of a grid with one column or one row too many, the rest runs at its far end,
 * too; and no block runs twice. */
static void ends_of_larger_grids(void)
{
    struct ran tall = {{0}, {0}, 0}, wide = tall, *p = &tall;
    setenv("SOFTGPU_SPARSE", "1", 1);
    CU_ASSERT(!run_3d(count_block, &p, (dim3){2, 8, 1}, (dim3){1, 1, 1}, 0));
    p = &wide;
    CU_ASSERT(!run_3d(count_block, &p, (dim3){8, 2, 1}, (dim3){1, 1, 1}, 0));
    unsetenv("SOFTGPU_SPARSE");
    CU_ASSERT(tall.row[6] > 0 && tall.column[0] >= 3);
    CU_ASSERT(wide.column[6] > 0 && wide.row[0] >= 3);
    CU_ASSERT(tall.most == 1 && wide.most == 1);
}

/* Of a grid 1, 2, 4, 8 times too large a block near that part's end runs, and
 * the last three do. */
static void mark_block(const void *closure)
{
    (*(unsigned char *const *)closure)[blockIdx.x] = 1;
}

static void ends_of_grids_for_vectors(void)
{
    enum { BLOCKS = 4096 };
    static unsigned char ran[BLOCKS], *p = ran;
    setenv("SOFTGPU_SPARSE", "1", 1);
    CU_ASSERT_EQUAL(run_1d(mark_block, &p, BLOCKS, 1), 0);
    unsetenv("SOFTGPU_SPARSE");
    for (int times = 1; times <= 8; times *= 2) {
        int found = 0;
        for (int i = BLOCKS / times * 15 / 16; i < BLOCKS / times; i++)
            found += ran[i];
        CU_ASSERT(found > 0);
    }
    CU_ASSERT(ran[BLOCKS - 3] && ran[BLOCKS - 2] && ran[BLOCKS - 1]);
}

/* The first block waits for the last: on atomics, which yield ... */
static void spin_on_atomic(const void *closure)
{
    int *flag = *(int *const *)closure;
    if (blockIdx.x == gridDim.x - 1)
        __atomic_store_n(flag, 1, __ATOMIC_SEQ_CST);
    if (blockIdx.x == 0)
        while (!__atomic_load_n(flag, __ATOMIC_SEQ_CST))
            softgpu_spin();
}

/* Blocks that wait for others by atomics let them run. */
static void blocks_spin_on_atomics(void)
{
    int flag = 0, *p = &flag;
    CU_ASSERT_EQUAL(run_1d(spin_on_atomic, &p, 40, 3), 0);
}

/* All blocks but the last wait for it: more than there are workers. */
static void wait_for_last_block(const void *closure)
{
    int *flag = *(int *const *)closure;
    if (blockIdx.x == gridDim.x - 1)
        __atomic_store_n(flag, 1, __ATOMIC_SEQ_CST);
    while (!__atomic_load_n(flag, __ATOMIC_SEQ_CST))
        softgpu_spin();
}

/* More blocks wait than are resident at first. */
static void all_blocks_wait_for_the_last(void)
{
    int flag = 0, *p = &flag;
    CU_ASSERT_EQUAL(run_1d(wait_for_last_block, &p, 400, 3), 0);
}

/* ... or on a plain load, which only the monitor can preempt. */
static void spin_on_load(const void *closure)
{
    volatile int *flag = *(volatile int *const *)closure;
    if (blockIdx.x == gridDim.x - 1)
        *flag = 1;
    if (blockIdx.x == 0)
        while (!*flag)
            ;
}

/* A loop of plain loads has no call of the runtime: it is preempted. */
static void blocks_spin_on_loads(void)
{
    int flag = 0, *p = &flag;
    CU_ASSERT_EQUAL(run_1d(spin_on_load, &p, 40, 1), 0);
}

/* The same, as the loop that runs the threads of a block without fibers. */
static void spin_loop(const void *closure)
{
    for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)
        spin_on_load(closure);
}

/* The same in batches, like the loops of softcc. */
static void spin_batches(const void *closure)
{
    do
        spin_loop(closure);
    while (softgpu_next_in_batch() && ++blockIdx.x);
}

/* A worker takes blocks in batches; one that waits gives the rest back. */
static void batches_spin_on_loads(void)
{
    int flag = 0, *p = &flag;
    CU_ASSERT_EQUAL(run_thread_loop(spin_batches, spin_on_load, &p, 40000, 1),
                    0);
    flag = 0;
    CU_ASSERT_EQUAL(run_thread_loop(spin_loop, spin_on_load, &p, 40000, 1), 0);
}

/* Block 0 is preempted in its batch by the monitor: the batch's other blocks go
 * back to the worker, and each block still runs once. */
static void preempted_batch_thread(const void *closure)
{
    int *seen = *(int *const *)closure;
    volatile int *last = &seen[gridDim.x - 1];
    __atomic_fetch_add(&seen[blockIdx.x], 1, __ATOMIC_RELAXED);
    if (blockIdx.x == 0)
        while (!*last)
            ;
}

/* Runs its blocks in a batch, some of which are preempted. */
static void preempted_batches(const void *closure)
{
    do
        for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)
            preempted_batch_thread(closure);
    while (softgpu_next_in_batch() && ++blockIdx.x);
}

/* No block of a batch is lost or run twice by a preemption. */
static void preempted_batch_returns_its_blocks(void)
{
    enum { BLOCKS = 5000 };
    static int seen[BLOCKS];
    int *p = seen, wrong = 0;
    memset(seen, 0, sizeof seen);
    CU_ASSERT_EQUAL(run_thread_loop(preempted_batches, preempted_batch_thread,
                                    &p, BLOCKS, 1),
                    0);
    for (int i = 0; i < BLOCKS; i++)
        wrong += seen[i] != 1;
    CU_ASSERT_EQUAL(wrong, 0);
}

/* Each thread of each block counts itself; batches end at the grid's edge. */
static void count_one(const void *closure)
{
    int *const *seen = closure;
    const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x
                           + blockIdx.x;
    if (blockIdx.x < gridDim.x)
        __atomic_fetch_add(&(*seen)[block], 1, __ATOMIC_RELAXED);
}

/* Counts each thread of the batch's blocks. */
static void count_batches(const void *closure)
{
    do
        for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)
            count_one(closure);
    while (softgpu_next_in_batch() && ++blockIdx.x);
}

/* An odd grid, whose last batch is smaller. */
static void batches_run_each_block_once(void)
{
    enum { BLOCKS = 37 * 29 * 11 };
    int *seen = calloc(BLOCKS, sizeof *seen), wrong = 0;
    CU_ASSERT_EQUAL(
        run_thread_loop_3d(count_batches, count_one, &seen,
                           (dim3){37, 29, 11}, 3),
        0);
    for (int i = 0; i < BLOCKS; i++)
        wrong += seen[i] != 3;
    CU_ASSERT_EQUAL(wrong, 0);
    free(seen);
}

/* A block that runs without fibers can be preempted, too. */
static void loop_blocks_spin_on_loads(void)
{
    int flag = 0, *p = &flag;
    CU_ASSERT_EQUAL(run_thread_loop(spin_loop, spin_on_load, &p, 40, 1), 0);
}

/* A thread loop is preempted in its sixth thread; the indices of the next
 * kernel's first thread must still be right. */
static void busy_one(const void *closure)
{
    (void)closure;
    __asm__ volatile("" ::: "memory"); /* threadIdx has been stored */
    for (volatile int i = 0; i < 20000000; i++) /* some ticks of the monitor */
        ;
}

/* One thread of the block computes until it is preempted. */
static void busy_loop(const void *closure)
{
    for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)
        if (threadIdx.x == 5)
            busy_one(closure);
}

/* A kernel that follows a preempted one gets workers in their first state. */
static void threads_after_preemption(void)
{
    enum { BLOCKS = 105, THREADS = 24 };
    static int seen[BLOCKS * THREADS];
    int *p = seen, wrong = 0;
    CU_ASSERT_EQUAL(run_thread_loop(busy_loop, busy_one, NULL, 4, THREADS), 0);
    memset(seen, 0, sizeof seen);
    CU_ASSERT_EQUAL(run_1d(count_thread, &p, BLOCKS, THREADS), 0);
    for (int i = 0; i < BLOCKS * THREADS; i++)
        wrong += seen[i] != 1;
    CU_ASSERT_EQUAL(wrong, 0);
}

/* Within a block: thread 0 waits for the last thread, which starts later. */
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

/* Threads of one block that wait for each other by plain loads. */
static void threads_spin_on_loads(void)
{
    int flags[4] = {0}, *p = flags;
    CU_ASSERT_EQUAL(run_1d(inside_one, &p, 4, 50), 0);
}

/* A spin lock that every thread of every block acquires. */
struct locked {
    int lock, count;
};

/* A spin lock, whose holder yields. */
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
    softgpu_yield(); /* while it holds the lock */
    c->count = seen + 1;
    __atomic_store_n(&c->lock, 0, __ATOMIC_SEQ_CST);
}

/* No increment is lost under the lock. */
static void spin_lock(void)
{
    struct locked c = {0, 0}, *p = &c;
    CU_ASSERT_EQUAL(run_1d(lock_one, &p, 6, 40), 0);
    CU_ASSERT_EQUAL(c.count, 240);
}

/* Are all bytes of shared memory poisoned at the start of a block? */
static void poison_one(const void *closure)
{
    const char low = (char)0xf5, high = 0x7f; /* SOFTGPU_SHARED_POISON */
    const uint32_t last = softgpu_tls.shared_bytes - 1;
    *(int *)closure |= softgpu_tls.dynamic[threadIdx.x]
                       != (threadIdx.x % 2 ? high : low);
    *(int *)closure |= softgpu_tls.shared[last] != (last % 2 ? high : low);
}

/* Each block gets poisoned shared memory, not that of the block before. */
static void fresh_shared_memory(void)
{
    int stale = 0;
    setenv("SOFTGPU_POISON", "1", 1);
    CU_ASSERT_EQUAL(run_1d(poison_one, &stale, 20, 64), 0);
    unsetenv("SOFTGPU_POISON");
    CU_ASSERT_EQUAL(stale, 0);
}

#ifndef SOFTGPU_ASAN /* it writes shadow memory for each stack */
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

/* A cooperative grid needs one stack per thread on every worker, and must leave
 * the program some of the 65530 mappings that it may have. */
static void stacks_for_all_threads(void)
{
    enum { SETS = 8, EACH = 132 * 2048 / SETS };
    int missing = 0;
    for (int i = 0; i < SETS; i++) {
        struct stacks *set = softgpu_stack_pool_new(THREAD_STACKS);
        for (int k = 0; k < EACH; k++)
            missing += softgpu_stack_acquire(set) == NULL;
    }
    CU_ASSERT_EQUAL(missing, 0);
    CU_ASSERT(mappings() < 60000);
}
#endif

int main(void)
{
    const struct core_test tests[] = {
        {"every thread once", every_thread_once},
        {"ends of larger grids", ends_of_larger_grids},
        {"ends of grids for vectors", ends_of_grids_for_vectors},
        {"blocks spin on atomics", blocks_spin_on_atomics},
        {"all blocks wait for the last", all_blocks_wait_for_the_last},
        {"blocks spin on plain loads", blocks_spin_on_loads},
        {"thread loops spin on plain loads", loop_blocks_spin_on_loads},
        {"indices after a preemption", threads_after_preemption},
        {"batches wait for later blocks", batches_spin_on_loads},
        {"batches run each block once", batches_run_each_block_once},
        {"a preempted batch returns its blocks",
         preempted_batch_returns_its_blocks},
        {"threads spin on plain loads", threads_spin_on_loads},
        {"spin lock", spin_lock},
        {"fresh shared memory", fresh_shared_memory},
#ifndef SOFTGPU_ASAN
        {"stacks for all threads of a GPU", stacks_for_all_threads},
#endif
        {NULL, NULL}};
    return run_core_tests("blocks", tests);
}
