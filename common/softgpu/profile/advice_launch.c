/* SPDX-License-Identifier: MIT */
/* Advice about launch configuration, divergence, barriers and arithmetic. */
#include <string.h>

#include "advice_rules.h"
#include "text_format.h"

enum { LOOP_LOADS = 64 }; /* of a thread that loops over the input */

/* Threads per block of the largest launch. */
static uint32_t block_threads(const struct kernel_profile *k)
{
    return k->block.x * k->block.y * k->block.z;
}

/* Warps of a block; the last one may be incomplete. */
static uint32_t block_warps(const struct kernel_profile *k)
{
    return (block_threads(k) + 31) / 32;
}

/* Average number of blocks per launch. */
static double blocks_per_launch(const struct kernel_profile *k)
{
    return ratio((double)k->blocks, (double)k->launches);
}

/* Remove what limits the occupancy: the same work in blocks of four times the
 * threads, or blocks with few registers and no shared memory. */
static void raise_occupancy(struct kernel_profile *improved)
{
    if (improved->occupancy_limit == BY_BLOCKS) {
        improved->block.x *= 4;
        improved->blocks /= 4;
        improved->blocks_watched /= 4;
    } else {
        improved->registers = 32;
        improved->static_shared = improved->dynamic_shared = 0;
    }
}

/* Occupancy below one half, in a grid of at least two waves, and only if the
 * model predicts a gain: many fast kernels run with few warps. */
static void advise_occupancy(struct advisor *a)
{
    const struct kernel_profile *k = a->k;
    struct kernel_profile improved = *k;
    double gain;

    if (k->occupancy >= 0.5 || blocks_per_launch(k) < 2.0 * a->card->sms)
        return;
    raise_occupancy(&improved);
    gain = advice_gain(a, &improved);
    if (gain < 0.02 * advice_work(a))
        return; /* enough warps to hide the latency */
    if (k->occupancy_limit == BY_REGISTERS)
        advice_add(a, NULL, gain,
                   "Occupancy is %.0f %%, limited by %u registers per thread: "
                   "keep fewer values live, or cap them with __launch_bounds__",
                   100 * k->occupancy, k->registers);
    else if (k->occupancy_limit == BY_SHARED)
        advice_add(a, NULL, gain,
                   "Occupancy is %.0f %%, limited by %s bytes of shared memory "
                   "per block: make the tile smaller, or give its block more "
                   "threads",
                   100 * k->occupancy,
                   format_count(BUFFER, k->static_shared + k->dynamic_shared));
    else
        advice_add(a, NULL, gain,
                   "Occupancy is %.0f %%, limited by the blocks per SM, of %u "
                   "threads each: make the blocks %s",
                   100 * k->occupancy, block_threads(k),
                   block_threads(k) > 512 ? "smaller" : "larger");
}

/* Is each sector that is loaded read from DRAM: is none loaded again? */
static int loads_once(const struct kernel_profile *k)
{
    return 2 * k->total.dram_read_bytes >= 32 * k->total.global_load_sectors;
}

/* Threads that loop: the same work in one block of this size per SM. */
static void advise_looping_grid(struct advisor *a, double blocks, double loads)
{
    struct kernel_profile improved = *a->k;

    improved.grid = (dim3){(unsigned)a->card->sms, 1, 1};
    improved.blocks = (uint64_t)a->card->sms * a->k->launches;
    improved.blocks_watched = (uint64_t)((double)improved.blocks
                                      * ratio((double)a->k->blocks_watched,
                                              (double)a->k->blocks));
    advice_add(a, NULL, advice_gain(a, &improved),
               "A launch has %.0f block%s for %d SMs, and a thread makes %.0f "
               "loads: launch at least one block per SM, and let the loop step "
               "by the number of threads of the grid",
               blocks, blocks == 1 ? "" : "s", a->card->sms, loads);
    a->list[a->count - 1].order = 1; /* after what names a line */
}

/* The same work in one block per SM, or in one-warp blocks when it is less. */
static void advise_grid(struct advisor *a)
{
    const struct kernel_profile *k = a->k;
    struct kernel_profile improved = *k;
    double blocks = blocks_per_launch(k),
           threads = ratio((double)k->threads, (double)k->launches);
    double grid = a->card->sms, gain;
    const double loads = ratio((double)k->total.global_load_requests,
                               (double)k->blocks_watched * block_warps(k));
    size_t before = a->count;

    if (blocks >= a->card->sms || blocks <= 0)
        return;
    if (loads >= LOOP_LOADS && loads_once(k)) {
        advise_looping_grid(a, blocks, loads);
        return;
    }
    if (threads < 32 * grid)
        grid = threads / 32 < 1 ? 1 : threads / 32;
    if (grid <= blocks) {
        advice_add(a, NULL, -1,
                   "A launch has %s threads, which fill %.0f of %d SMs: give "
                   "it more work",
                   format_count(BUFFER, (uint64_t)threads), blocks,
                   a->card->sms);
        return;
    }
    improved.grid = (dim3){(unsigned)grid, 1, 1};
    improved.block = (dim3){(unsigned)(threads / grid + 31) / 32 * 32, 1, 1};
    improved.blocks = (uint64_t)grid * k->launches;
    improved.blocks_watched = (uint64_t)((double)improved.blocks
                                      * ratio((double)k->blocks_watched,
                                              (double)k->blocks));
    gain = advice_gain(a, &improved);
    if (gain > 0.02 * advice_work(a))
        advice_add(a, NULL, gain,
                   "A launch has %.0f block%s for %d SMs: at this size use "
                   "more and smaller blocks",
                   blocks, blocks == 1 ? "" : "s", a->card->sms);
    if (a->count > before) /* most likely a small test run, not a fault */
        a->list[a->count - 1].order = 1;
}

/* From four launches on: short programs launch a kernel two or three times. */
static void advise_launches(struct advisor *a)
{
    const struct kernel_profile *k = a->k;
    double start = ceiling_us(k, "launch");
    struct kernel_profile improved = *k;

    if (k->launches < 4 || start < 0.5 * k->model.us || start <= 0)
        return;
    improved.launches = 1;
    advice_add(a, NULL, advice_gain(a, &improved),
               "%s launches of %s each have more launch overhead than work: do "
               "more per launch (fuse kernels, or loop in the kernel), or use "
               "a CUDA graph",
               format_count(BUFFER, k->launches),
               format_time(BUFFER, k->model.us / (double)k->launches));
}

/* The line whose branches diverge in most warps. */
static const struct line_profile *most_divergent_line(
    const struct kernel_profile *k)
{
    const struct line_profile *worst = NULL;

    for (size_t i = 0; i < k->line_count; i++) {
        const struct counters *c = &k->lines[i].counters;

        if (4 * c->branches_divergent >= c->branches && c->branches_divergent
            && (!worst
                || c->branches_divergent > worst->counters.branches_divergent))
            worst = &k->lines[i];
    }
    return worst;
}

/* Divergent branches are reported only if lanes are inactive because of them:
 * a boundary check diverges in one warp and costs nothing. */
static void advise_divergence(struct advisor *a)
{
    const struct kernel_profile *k = a->k;
    const struct line_profile *l = most_divergent_line(k);
    double lanes = average_active_lanes(&k->total);
    struct kernel_profile improved = *k;

    if (!l || lanes <= 0 || lanes > 0.8 * 32)
        return;
    improved.total.warp_instructions = k->total.thread_instructions / 32;
    advice_add(a, l, advice_gain(a, &improved),
               "the branch diverges in %.0f %% of the warps, and %.1f of 32 "
               "lanes are active on average: let whole warps take the same "
               "path, by placing threads with work next to each other",
               100
                   * ratio((double)l->counters.branches_divergent,
                           (double)l->counters.branches),
               lanes);
}

/* A tenth of the lanes is inactive in every block. */
static void advise_block_size(struct advisor *a)
{
    const struct kernel_profile *k = a->k;
    uint32_t threads = block_threads(k), idle = (32 - threads % 32) % 32;
    struct kernel_profile improved = *k;

    if (idle * 10 < threads || idle == 0)
        return;
    improved.total.warp_instructions = k->total.warp_instructions * threads
                                    / (threads + idle);
    advice_add(a, NULL, advice_gain(a, &improved),
               "A block of %u thread%s leaves %u lanes of its last warp "
               "inactive: use a multiple of 32",
               threads, threads == 1 ? "" : "s", idle);
}

/* Sixteen instructions between barriers cost about as much as the barrier
 * itself (docs/pages/model.md). */
static void advise_barriers(struct advisor *a)
{
    const struct kernel_profile *k = a->k;
    double blocks = (double)k->blocks_watched;
    double barriers = ratio((double)k->total.barriers, blocks);
    double warps = block_warps(k);
    double between = ratio((double)k->total.warp_instructions,
                           (double)k->total.barriers * warps);
    const struct line_profile *worst = NULL;
    struct kernel_profile improved = *k;

    for (size_t i = 0; i < k->line_count; i++)
        if (k->lines[i].counters.barriers
            && (!worst
                || k->lines[i].counters.barriers > worst->counters.barriers))
            worst = &k->lines[i];
    if (!worst || barriers < 4 || between <= 0 || between > 16)
        return;
    improved.total.barriers = k->blocks_watched;
    advice_add(a, worst, advice_gain(a, &improved),
               "a block executes %.0f barriers with %.0f warp instructions "
               "between them: do more work per barrier, and finish within a "
               "warp (shuffles need no barrier)",
               barriers, between);
}

/* A few double operations among floats are mostly literals without an f. */
static void advise_double(struct advisor *a)
{
    const struct counters *c = &a->k->total;
    const struct line_profile *worst = NULL;
    struct kernel_profile improved = *a->k;

    if (!c->flop_double || c->flop_double > c->flop_float)
        return;
    for (size_t i = 0; i < a->k->line_count; i++)
        if (!worst
            || a->k->lines[i].counters.flop_double
                   > worst->counters.flop_double)
            worst = &a->k->lines[i];
    improved.total.flop_float += c->flop_double;
    improved.total.flop_double = 0;
    advice_add(a, worst && worst->counters.flop_double ? worst : NULL,
               advice_gain(a, &improved),
               "%s operations are double among %s float ones: write literals "
               "with an f (0.5f), and call float functions (sqrtf)",
               format_count(BUFFER, c->flop_double),
               format_count(BUFFER, c->flop_float));
}

/* In the order in which a reader can check them. */
void advise_launch_shape(struct advisor *a)
{
    advise_launches(a);
    advise_grid(a);
    advise_occupancy(a);
    advise_divergence(a);
    advise_block_size(a);
    advise_barriers(a);
    advise_double(a);
}
