/* SPDX-License-Identifier: MIT */
/* Warp calls: masks, lanes that returned, warps that are not full. */
#include <stdlib.h>
#include <string.h>

#include "core_tests.h"

/* Seven times the value of the next lane. */
static void shuffle_one(const void *closure)
{
    int *out = *(int *const *)closure;
    const unsigned lane = threadIdx.x % 32;
    uint64_t v = threadIdx.x;
    for (int i = 0; i < 7; i++)
        v = softgpu_warp_shuffle(~0u, v, (int)((lane + 1) % 32));
    out[threadIdx.x] = (int)v;
}

/* After seven shuffles each lane has the value of the seventh lane after it. */
static void rotate_by_shuffles(void)
{
    int out[128], *p = out, wrong = 0;
    CU_ASSERT_EQUAL(run_1d(shuffle_one, &p, 1, 128), 0);
    for (int i = 0; i < 128; i++)
        wrong += out[i] != i / 32 * 32 + (i + 7) % 32;
    CU_ASSERT_EQUAL(wrong, 0);
}

/* Both halves of a warp vote at once, in different rounds. */
static void two_masks_thread(const void *closure)
{
    unsigned *out = *(unsigned *const *)closure;
    const unsigned lane = threadIdx.x % 32, low = lane < 16;
    const unsigned mask = low ? 0xffffu : 0xffff0000u;
    for (unsigned i = 0; i < (low ? 5u : 9u); i++)
        out[threadIdx.x] = softgpu_warp_ballot(mask, lane % 3 == i % 3);
    softgpu_warp_sync(~0u);
}

/* Lanes of a mask whose number leaves a given rest by 3. */
static unsigned lanes_of(unsigned mask, unsigned rest)
{
    unsigned votes = 0;
    for (unsigned lane = 0; lane < 32; lane++)
        if (mask >> lane & 1 && lane % 3 == rest)
            votes |= 1u << lane;
    return votes;
}

/* Two halves of a warp vote independently. */
static void two_masks(void)
{
    unsigned out[64], *p = out;
    CU_ASSERT_EQUAL(run_1d(two_masks_thread, &p, 1, 64), 0);
    CU_ASSERT_EQUAL(out[35], lanes_of(0xffff, 1));
    CU_ASSERT_EQUAL(out[60], lanes_of(0xffff0000u, 2));
}

/* Lanes 20 to 31 return: the full mask then names the other lanes. */
static void exiting_lane_thread(const void *closure)
{
    unsigned *out = *(unsigned *const *)closure;
    softgpu_warp_sync(~0u);
    if (threadIdx.x % 32 >= 20)
        return;
    out[threadIdx.x] = softgpu_warp_ballot(~0u, 1);
}

/* Returned lanes, and lanes that the last warp lacks, take no part. */
static void lanes_that_returned(void)
{
    unsigned out[45], *p = out;
    /* several blocks: a worker reuses the memory of the one before */
    CU_ASSERT_EQUAL(run_1d(exiting_lane_thread, &p, 8, 45), 0);
    CU_ASSERT_EQUAL(out[3], 0xfffffu);
    CU_ASSERT_EQUAL(out[40], 0x1fffu); /* 13 lanes in the last warp */
}

/* More masks, one after the other, than there are slots. */
static void many_masks_thread(const void *closure)
{
    int *wrong = *(int *const *)closure;
    const unsigned lane = threadIdx.x;
    for (unsigned i = 1; i < 32; i++)
        for (unsigned j = i + 1; j < 32; j++) {
            const unsigned mask = 1u | 1u << i | 1u << j;
            if (mask >> lane & 1)
                *wrong += softgpu_warp_ballot(mask, 1) != mask;
        }
}

/* Votes under many masks one after another. */
static void many_masks(void)
{
    int wrong = 0, *p = &wrong;
    CU_ASSERT_EQUAL(run_1d(many_masks_thread, &p, 1, 32), 0);
    CU_ASSERT_EQUAL(wrong, 0);
}

/* A slot must not be reused while a lane waits in it or has yet to read its
 * results.  Lanes 2 to 31 return, so a mask of lane 1 and any of them completes
 * at once: lane 1 can make more warp calls than there are slots while lane 0
 * is suspended in slot 0, the first that a search for a free one finds. */
static void fill_slots(unsigned value)
{
    for (unsigned i = 0; i < 64; i++)
        for (int call = 0; call < 2; call++) /* both result buffers */
            softgpu_warp_gather(1u << 1 | i << 2, value);
}

/* Two lanes: one is still in the first gather when the other begins the
 * second. */
static void slot_reuse_thread(const void *closure)
{
    uint64_t *out = *(uint64_t *const *)closure;
    static volatile int lane_0_is_next;
    if (threadIdx.x > 1)
        return;
    for (int i = 0; i < 2; i++) {
        if (threadIdx.x == 0)
            lane_0_is_next = 1;
        else
            while (!lane_0_is_next)
                softgpu_yield();
        if (threadIdx.x == 1 && i == 0)
            fill_slots(77); /* while lane 0 waits */
        out[2 * i + threadIdx.x] =
            softgpu_warp_gather(~0u, 10 + threadIdx.x)[1 - threadIdx.x];
        if (threadIdx.x == 1) {
            lane_0_is_next = 0;
            fill_slots(88); /* before lane 0 reads its result */
        }
    }
}

/* A slot of the gather is reused only when all lanes have read it. */
static void slot_reuse(void)
{
    uint64_t out[4] = {0}, *p = out;
    CU_ASSERT_EQUAL(run_1d(slot_reuse_thread, &p, 1, 32), 0);
    for (int i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(out[i], i % 2 ? 10 : 11);
}

/* The lanes of two branches ask which lanes are active. */
static void active_one(const void *closure)
{
    unsigned *out = *(unsigned *const *)closure;
    const unsigned lane = threadIdx.x;
    if (lane % 4 == 1)
        out[lane] = softgpu_active_mask();
    else if (lane > 3)
        out[lane] = softgpu_active_mask() | 1;
}

/* Lanes of one branch form a group of their own. */
static void active_mask_groups(void)
{
    unsigned out[32], *p = out;
    memset(out, 0, sizeof out);
    CU_ASSERT_EQUAL(run_1d(active_one, &p, 1, 32), 0);
    CU_ASSERT_EQUAL(out[5], 0x22222222u);
    CU_ASSERT_EQUAL(out[6], 0xddddddd1u);
}

/* A lane that its own mask does not name. */
static void outside_one(const void *closure)
{
    (void)closure;
    softgpu_warp_gather(0xf0, 1);
}

/* That is an error, and the message has the mask. */
static void lane_outside_its_mask(void)
{
    CU_ASSERT_EQUAL(run_1d(outside_one, NULL, 1, 32), SOFTGPU_LAUNCH_FAILURE);
    CU_ASSERT(report_contains("mask 0x000000f0"));
}

/* Lanes 0 to 19 read lane 25, which has returned. */
static void absent_lane_thread(const void *closure)
{
    uint64_t *out = *(uint64_t *const *)closure;
    softgpu_warp_shuffle(~0u, 7, 25);
    if (threadIdx.x >= 20)
        return;
    out[threadIdx.x] = softgpu_warp_shuffle(~0u, threadIdx.x, 25);
}

/* Undefined in CUDA: 0, or a pattern that no result has by chance. */
static void lane_that_is_absent(void)
{
    uint64_t out[20], *p = out;
    CU_ASSERT_EQUAL(run_1d(absent_lane_thread, &p, 1, 32), 0);
    CU_ASSERT_EQUAL(out[3], 0);
    CU_ASSERT_EQUAL(setenv("SOFTGPU_POISON", "1", 1), 0);
    CU_ASSERT_EQUAL(run_1d(absent_lane_thread, &p, 1, 32), 0);
    CU_ASSERT_EQUAL(unsetenv("SOFTGPU_POISON"), 0);
    CU_ASSERT_EQUAL(out[3], 0x7ff77ff77ff77ff7u);
}

int main(void)
{
    const struct core_test tests[] = {
        {"rotate by shuffles", rotate_by_shuffles},
        {"two masks", two_masks},
        {"lanes that returned", lanes_that_returned},
        {"lane that is absent", lane_that_is_absent},
        {"many masks", many_masks},
        {"a slot in use is not reused", slot_reuse},
        {"active mask", active_mask_groups},
        {"lane outside its mask", lane_outside_its_mask},
        {NULL, NULL}};
    return run_core_tests("warp", tests);
}
