/* SPDX-License-Identifier: MIT */
/* Barriers of a block and of a grid. */
#include <string.h>

#include "common/softgpu/core/block.h"
#include "core_tests.h"

/* 16 of 32 threads count and return before the three barriers of the others,
 * which must not wait for them. */
static void early_return_thread(const void *closure)
{
    int *count = *(int *const *)closure;
    if (threadIdx.x >= 16) {
        __atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST);
        return;
    }
    for (int i = 0; i < 3; i++)
        softgpu_barrier();
}

/* Threads that have returned no longer count for the barrier. */
static void early_return(void)
{
    int count = 0, *p = &count;
    CU_ASSERT_EQUAL(run_1d(early_return_thread, &p, 1, 32), 0);
    CU_ASSERT_EQUAL(count, 16);
}

/* One thread waits while all others return. */
static void last_waiter_thread(const void *closure)
{
    int *passed = *(int *const *)closure;
    if (threadIdx.x == 0) {
        softgpu_barrier();
        ++*passed;
    }
}

/* The last thread of a block passes alone. */
static void all_but_one_return(void)
{
    int passed = 0, *p = &passed;
    CU_ASSERT_EQUAL(run_1d(last_waiter_thread, &p, 1, 40), 0);
    CU_ASSERT_EQUAL(passed, 1);
}

/* Each thread passes its number to the next one, `rounds` times. */
struct ring {
    int *out;
    int rounds;
};

/* Each round passes a number on to the next thread, between barriers. */
static void ring_one(const void *closure)
{
    const struct ring *c = closure;
    int *s = (int *)softgpu_tls.dynamic;
    const unsigned n = blockDim.x, t = threadIdx.x;
    int mine = (int)t;
    for (int i = 0; i < c->rounds; i++) {
        s[t] = mine;
        softgpu_barrier();
        mine = s[(t + n - 1) % n];
        softgpu_barrier();
    }
    c->out[blockIdx.x * n + t] = mine;
}

/* After five rounds each thread has the number of the fifth before it. */
static void run_ring(unsigned blocks, unsigned n)
{
    static int out[8192];
    const struct ring c = {out, 5};
    memset(out, -1, sizeof out);
    CU_ASSERT_EQUAL(run_1d(ring_one, &c, blocks, n), 0);
    unsigned wrong = 0;
    for (unsigned i = 0; i < blocks * n; i++)
        wrong += out[i] != (int)((i % n + 5 * n - 5) % n);
    CU_ASSERT_EQUAL(wrong, 0);
}

/* Full blocks, odd sizes, two threads, and one. */
static void ring_exchange(void)
{
    run_ring(8, 1024);
    run_ring(100, 33);
    run_ring(100, 2);
    run_ring(10, 1);
}

/* Votes; threads that have returned do not vote. */
static void vote_one(const void *closure)
{
    int(*out)[3] = *(int(*const *)[3])closure;
    const unsigned t = threadIdx.x;
    if (t >= 40)
        return;
    out[t][0] = softgpu_barrier_vote(SOFTGPU_COUNT, t % 4 == 0 ? 7 : 0);
    out[t][1] = softgpu_barrier_vote(SOFTGPU_AND, t < 40);
    out[t][2] = softgpu_barrier_vote(SOFTGPU_OR, t == 39);
    out[t][1] += 2 * softgpu_barrier_vote(SOFTGPU_AND, t != 7);
    out[t][2] += 2 * softgpu_barrier_vote(SOFTGPU_OR, t > 39);
}

/* __syncthreads_count(), _and() and _or() of the threads that are left. */
static void votes(void)
{
    int out[40][3], (*p)[3] = out;
    CU_ASSERT_EQUAL(run_1d(vote_one, &p, 1, 64), 0);
    for (int i = 0; i < 40; i++) {
        CU_ASSERT_EQUAL(out[i][0], 10);
        CU_ASSERT_EQUAL(out[i][1], 1);
        CU_ASSERT_EQUAL(out[i][2], 1);
    }
}

/* Halves of the block wait at two barrier calls: allowed, as on a GPU. */
static void divergent_thread(const void *closure)
{
    int *count = *(int *const *)closure;
    if (threadIdx.x % 2)
        softgpu_barrier();
    else
        softgpu_barrier();
    __atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST);
}

/* Barriers in two branches complete each other. */
static void two_barrier_sites(void)
{
    int count = 0, *p = &count;
    CU_ASSERT_EQUAL(run_1d(divergent_thread, &p, 3, 64), 0);
    CU_ASSERT_EQUAL(count, 3 * 64);
}

/* SOFTGPU_SEED permutes the order in which threads start; they pass each
 * barrier in the same order, from the last to arrive on. */
enum { ORDERED_THREADS = 70 };

struct order {
    unsigned started[ORDERED_THREADS], passed[ORDERED_THREADS];
    unsigned starts, passes;
};

/* Notes the order in which threads start, and pass the barrier. */
static void order_thread(const void *closure)
{
    struct order *order = *(struct order *const *)closure;
    order->started[order->starts++] = threadIdx.x;
    softgpu_barrier();
    order->passed[order->passes++] = threadIdx.x;
    softgpu_barrier();
}

/* Threads pass in the order of a ring: none is passed over. */
static void barrier_order(void)
{
    struct order order = {.starts = 0}, *p = &order;
    unsigned wrong = 0, first = 0;
    CU_ASSERT_EQUAL(run_1d(order_thread, &p, 1, ORDERED_THREADS), 0);
    CU_ASSERT_EQUAL(order.passes, ORDERED_THREADS);
    while (order.started[first] != order.passed[0])
        first++;
    for (unsigned i = 0; i < ORDERED_THREADS; i++)
        wrong += order.passed[i]
                 != order.started[(first + i) % ORDERED_THREADS];
    CU_ASSERT_EQUAL(wrong, 0);
}

/* Every block adds, all wait, every block reads the full sum. */
static void grid_one(const void *closure)
{
    int *sums = *(int *const *)closure;
    for (int round = 0; round < 4; round++) {
        __atomic_fetch_add(&sums[round], 1, __ATOMIC_SEQ_CST);
        softgpu_grid_barrier();
        const int all = (int)(gridDim.x * blockDim.x);
        if (__atomic_load_n(&sums[round], __ATOMIC_SEQ_CST) != all)
            __atomic_fetch_add(&sums[4], 1, __ATOMIC_SEQ_CST);
    }
}

/* All blocks of a cooperative launch have arrived before one goes on. */
static void grid_barrier(void)
{
    int sums[5] = {0}, *p = sums;
    CU_ASSERT_EQUAL(run_cooperative(grid_one, &p, 50, 40), 0);
    CU_ASSERT_EQUAL(sums[3], 50 * 40);
    CU_ASSERT_EQUAL(sums[4], 0);
}

/* Some threads of each block return; the others wait for the grid. */
static void grid_exit_thread(const void *closure)
{
    int *sum = *(int *const *)closure;
    if (threadIdx.x % 3 == 0)
        return;
    __atomic_fetch_add(sum, 1, __ATOMIC_SEQ_CST);
    softgpu_grid_barrier();
    if (__atomic_load_n(sum, __ATOMIC_SEQ_CST) < 20 * 26)
        __atomic_store_n(sum, -1000, __ATOMIC_SEQ_CST);
}

/* Threads that have returned do not hold up the grid. */
static void grid_barrier_after_returns(void)
{
    int sum = 0, *p = &sum;
    CU_ASSERT_EQUAL(run_cooperative(grid_exit_thread, &p, 20, 40), 0);
    CU_ASSERT_EQUAL(sum, 20 * 26);
}

/* Two OS threads read that one block waits at the grid barrier, and that the
 * other one has ended: only one of them may complete the barrier. */
static void grid_barrier_completes_once(void)
{
    static struct run run = {.blocks = 2};
    run.finished = run.grid_arrived = 1;
    run.grid_epoch = 0;
    softgpu_complete_grid_barrier(&run, 1);
    softgpu_complete_grid_barrier(&run, 1);
    CU_ASSERT_EQUAL(run.grid_epoch, 1);
    CU_ASSERT_EQUAL(run.grid_arrived, 0);
    run.grid_arrived = 1; /* the block arrives again */
    softgpu_complete_grid_barrier(&run, 1);
    CU_ASSERT_EQUAL(run.grid_epoch, 2);
}

int main(void)
{
    const struct core_test tests[] = {{"early return", early_return},
                                      {"all but one return",
                                       all_but_one_return},
                                      {"ring exchange", ring_exchange},
                                      {"votes", votes},
                                      {"two barrier calls", two_barrier_sites},
                                      {"order under a seed", barrier_order},
                                      {"grid barrier", grid_barrier},
                                      {"grid barrier after returns",
                                       grid_barrier_after_returns},
                                      {"grid barrier completes once",
                                       grid_barrier_completes_once},
                                      {NULL, NULL}};
    return run_core_tests("barrier", tests);
}
