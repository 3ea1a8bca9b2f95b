/* SPDX-License-Identifier: MIT */
/* Barriers of a block and of a grid. */
#include <string.h>

#include "core_tests.h"

/* 16 of 32 threads count and return before the others' three barriers: the
 * answer is 16, whatever they wait for. */
static void early_one(const void *closure)
{
    int *count = *(int *const *)closure;
    if (threadIdx.x >= 16) {
        __atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST);
        return;
    }
    for (int i = 0; i < 3; i++)
        softgpu_barrier();
}

static void early_return(void)
{
    int count = 0, *p = &count;
    CU_ASSERT_EQUAL(run_1d(early_one, &p, 1, 32), 0);
    CU_ASSERT_EQUAL(count, 16);
}

/* Each thread hands its number to the next one, `rounds` times. */
struct ring {
    int *out;
    int rounds;
};

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

static void ring_of(unsigned blocks, unsigned n)
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

static void hand_round(void)
{
    ring_of(8, 1024);
    ring_of(100, 33);
    ring_of(100, 2);
    ring_of(10, 1);
}

/* Votes; the last threads have returned and have no say. */
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

/* Halves of the block wait in two places: allowed, as on a card. */
static void apart_one(const void *closure)
{
    int *count = *(int *const *)closure;
    if (threadIdx.x % 2)
        softgpu_barrier();
    else
        softgpu_barrier();
    __atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST);
}

static void two_places(void)
{
    int count = 0, *p = &count;
    CU_ASSERT_EQUAL(run_1d(apart_one, &p, 3, 64), 0);
    CU_ASSERT_EQUAL(count, 3 * 64);
}

/* Every block adds, all wait, every block sees all that was added. */
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

static void grid_barrier(void)
{
    int sums[5] = {0}, *p = sums;
    CU_ASSERT_EQUAL(run_cooperative(grid_one, &p, 50, 40), 0);
    CU_ASSERT_EQUAL(sums[3], 50 * 40);
    CU_ASSERT_EQUAL(sums[4], 0);
}

int main(void)
{
    const struct core_test tests[] = {{"early return", early_return},
                                      {"hand round", hand_round},
                                      {"votes", votes},
                                      {"two places", two_places},
                                      {"grid barrier", grid_barrier},
                                      {NULL, NULL}};
    return run_core_tests("barrier", tests);
}
