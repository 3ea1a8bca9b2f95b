/* SPDX-License-Identifier: MIT */
/* Advice about the launch, the lanes at work, barriers and arithmetic. */
#include <string.h>

#include "advice_rules.h"
#include "text_format.h"

/* Of the largest launch. */
static uint32_t block_threads(const struct kernel_profile *k)
{
    return k->block.x * k->block.y * k->block.z;
}

/* Blocks of one launch on average. */
static double blocks_each(const struct kernel_profile *k)
{
    return ratio((double)k->blocks, (double)k->launches);
}

/* Take away what keeps blocks from the SMs: the same work in blocks of four
 * times the threads, or blocks that need little. */
static void fill_sms(struct kernel_profile *cured)
{
    if (cured->occupancy_limit == BY_BLOCKS) {
        cured->block.x *= 4;
        cured->blocks /= 4;
        cured->blocks_watched /= 4;
    } else {
        cured->registers = 32;
        cured->static_shared = cured->dynamic_shared = 0;
    }
}

/* Less than half of the warps, in a grid that could fill the card twice, and
 * only where the model says that more would help: many fast kernels run with
 * few warps. */
static void advise_occupancy(struct advisor *a)
{
    const struct kernel_profile *k = a->k;
    struct kernel_profile cured = *k;
    double gain;

    if (k->occupancy >= 0.5 || blocks_each(k) < 2.0 * a->card->sms)
        return;
    fill_sms(&cured);
    gain = advice_gain(a, &cured);
    if (gain < 0.02 * advice_work(a))
        return; /* enough warps for what it does */
    if (k->occupancy_limit == BY_REGISTERS)
        advice_add(a, NULL, gain, "Occupancy is %.0f %%, as a thread takes %u "
                   "registers: keep fewer values in it, or cap them with "
                   "__launch_bounds__", 100 * k->occupancy, k->registers);
    else if (k->occupancy_limit == BY_SHARED)
        advice_add(a, NULL, gain, "Occupancy is %.0f %%, as a block takes %s "
                   "bytes of shared memory: make the tile smaller, or give its "
                   "block more threads", 100 * k->occupancy,
                   say_count(WORDS, k->static_shared + k->dynamic_shared));
    else
        advice_add(a, NULL, gain, "Occupancy is %.0f %%, as an SM holds few "
                   "blocks of %u threads: make the blocks %s",
                   100 * k->occupancy, block_threads(k),
                   block_threads(k) > 512 ? "smaller" : "larger");
}

/* The same work in one block for each SM, or in warps when it is too little. */
static void advise_grid(struct advisor *a)
{
    const struct kernel_profile *k = a->k;
    struct kernel_profile cured = *k;
    double each = blocks_each(k), threads = ratio((double)k->threads,
                                                  (double)k->launches);
    double grid = a->card->sms, gain;
    size_t before = a->count;

    if (each >= a->card->sms || each <= 0)
        return;
    if (threads < 32 * grid)
        grid = threads / 32 < 1 ? 1 : threads / 32;
    if (grid <= each) {
        advice_add(a, NULL, -1, "A launch is %s threads, which fill %.0f of %d "
                   "SMs: give it more work at a time",
                   say_count(WORDS, (uint64_t)threads), each, a->card->sms);
        return;
    }
    cured.grid = (dim3){(unsigned)grid, 1, 1};
    cured.block = (dim3){(unsigned)(threads / grid + 31) / 32 * 32, 1, 1};
    cured.blocks = (uint64_t)grid * k->launches;
    cured.blocks_watched = (uint64_t)((double)cured.blocks
                                      * ratio((double)k->blocks_watched,
                                              (double)k->blocks));
    gain = advice_gain(a, &cured);
    if (gain > 0.02 * advice_work(a))
        advice_add(a, NULL, gain, "A launch is %.0f block%s for %d SMs: at this "
                   "size cut the work into more, smaller blocks", each,
                   each == 1 ? "" : "s", a->card->sms);
    if (a->count > before) /* most likely the run is small, and not wrong */
        a->list[a->count - 1].late = 1;
}

/* From four launches on: a program may well start with two short ones. */
static void advise_launches(struct advisor *a)
{
    const struct kernel_profile *k = a->k;
    double start = ceiling_us(k, "launch");
    struct kernel_profile cured = *k;

    if (k->launches < 4 || start < 0.5 * k->model.us || start <= 0)
        return;
    cured.launches = 1;
    advice_add(a, NULL, advice_gain(a, &cured), "%s launches of %s each cost "
               "more to start than to run: do more in one launch (fuse, or loop "
               "in the kernel), or record them in a graph",
               say_count(WORDS, k->launches),
               say_time(WORDS, k->model.us / (double)k->launches));
}

/* The line whose branches part most warps. */
static const struct line_profile *parting_line(const struct kernel_profile *k)
{
    const struct line_profile *worst = NULL;

    for (size_t i = 0; i < k->line_count; i++) {
        const struct counters *c = &k->lines[i].counters;

        if (4 * c->branches_divergent >= c->branches && c->branches_divergent
            && (!worst || c->branches_divergent
                              > worst->counters.branches_divergent))
            worst = &k->lines[i];
    }
    return worst;
}

/* Parted branches are told only where lanes idle for it: a uniform tail parts
 * one warp and costs nothing. */
static void advise_divergence(struct advisor *a)
{
    const struct kernel_profile *k = a->k;
    const struct line_profile *l = parting_line(k);
    double lanes = lanes_an_instruction(&k->total);
    struct kernel_profile cured = *k;

    if (!l || lanes <= 0 || lanes > 0.8 * 32)
        return;
    cured.total.warp_instructions = k->total.thread_instructions / 32;
    advice_add(a, l, advice_gain(a, &cured), "the branch parts the lanes of "
               "%.0f %% of the warps that come to it, and %.1f of 32 lanes work "
               "at a time: let whole warps take the same way, by bringing the "
               "threads with work together",
               100 * ratio((double)l->counters.branches_divergent,
                           (double)l->counters.branches), lanes);
}

/* A tenth of the lanes idle in every block, whatever the code does. */
static void advise_block(struct advisor *a)
{
    const struct kernel_profile *k = a->k;
    uint32_t threads = block_threads(k), idle = (32 - threads % 32) % 32;
    struct kernel_profile cured = *k;

    if (idle * 10 < threads || idle == 0)
        return;
    cured.total.warp_instructions = k->total.warp_instructions * threads
                                    / (threads + idle);
    advice_add(a, NULL, advice_gain(a, &cured), "A block of %u threads leaves "
               "%u lanes of its last warp idle: use a multiple of 32", threads,
               idle);
}

/* Sixteen instructions between barriers are about what the barrier itself
 * costs (docs/pages/model.md). */
static void advise_barriers(struct advisor *a)
{
    const struct kernel_profile *k = a->k;
    double blocks = (double)k->blocks_watched;
    double barriers = ratio((double)k->total.barriers, blocks);
    double warps = (block_threads(k) + 31) / 32;
    double between = ratio((double)k->total.warp_instructions,
                           (double)k->total.barriers * warps);
    const struct line_profile *worst = NULL;
    struct kernel_profile cured = *k;

    for (size_t i = 0; i < k->line_count; i++)
        if (k->lines[i].counters.barriers
            && (!worst || k->lines[i].counters.barriers
                              > worst->counters.barriers))
            worst = &k->lines[i];
    if (!worst || barriers < 4 || between <= 0 || between > 16)
        return;
    cured.total.barriers = k->blocks_watched;
    advice_add(a, worst, advice_gain(a, &cured), "a block waits at %.0f "
               "barriers with %.0f instructions of a warp between them: do "
               "more for each barrier, and finish within a warp (shuffles need "
               "none)", barriers, between);
}

/* A few doubles among floats are mostly a forgotten f. */
static void advise_double(struct advisor *a)
{
    const struct counters *c = &a->k->total;
    const struct line_profile *worst = NULL;
    struct kernel_profile cured = *a->k;

    if (!c->flop_double || c->flop_double > c->flop_float)
        return;
    for (size_t i = 0; i < a->k->line_count; i++)
        if (!worst || a->k->lines[i].counters.flop_double
                          > worst->counters.flop_double)
            worst = &a->k->lines[i];
    cured.total.flop_float += c->flop_double;
    cured.total.flop_double = 0;
    advice_add(a, worst && worst->counters.flop_double ? worst : NULL,
               advice_gain(a, &cured), "%s operations are in double among %s "
               "in float: write constants with an f (0.5f) and call float "
               "functions (sqrtf)", say_count(WORDS, c->flop_double),
               say_count(WORDS, c->flop_float));
}

/* In the order in which a reader can check them. */
void advise_shape(struct advisor *a)
{
    advise_launches(a);
    advise_grid(a);
    advise_occupancy(a);
    advise_divergence(a);
    advise_block(a);
    advise_barriers(a);
    advise_double(a);
}
