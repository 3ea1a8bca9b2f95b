/* SPDX-License-Identifier: MIT */
/** @file
 *  The modeled latency of a warp that runs alone: loads, shared loads, barriers
 *  and dependent instructions, as far as they do not overlap.
 */
#include "model_input.h"

/* independent loads of a warp; see docs/results/model.md */
#define MAX_LOADS_IN_FLIGHT 2.0
/* shared memory: inner loops are unrolled completely */
#define MAX_SHARED_LOADS_IN_FLIGHT 8.0
#define BARRIER_CYCLES 22.0 /* latency of a barrier, plus that of its warps */
/* warps that arrive per clock (Zhang et al., 2020, V100; an estimate for other
   GPUs) */
#define BARRIER_WARPS 0.475
/* latency of a shuffle (Jia et al., 2018, table 4.1) */
#define SHUFFLE_CYCLES 23.0
/* of a dependent instruction (Jia et al., 2018) */
#define ALU_CYCLES 4.0

/* Loads to registers that are in flight while a tile is used, between two
 * barriers: as asynchronous copies, they overlap with what the warp does. */
static double loads_ahead(const struct counters *c)
{
    return c->barriers ? (double)c->global_load_ahead : 0;
}

/* Exposed latencies of n loads: loads between two synchronization points
 * overlap, up to `in_flight`. */
static double exposed_loads(double n, double points, double in_flight)
{
    return n / clamp(n / (1 + points), 1, in_flight);
}

/* Exposed latency of the loads of a warp, in cycles: that of L1 for each, of L2
 * and DRAM for those that wait for them.  A load waits for its slowest sector:
 * each sector from DRAM is counted as another load's, as long as there are
 * loads that wait for L2.
 *  @param points  synchronization points of a warp */
static double load_cycles(const struct model_input *in, double per_warp,
                          double points)
{
    const struct counters *c = in->c;
    const double loads =
        max_double(register_loads(c) - loads_ahead(c), 0) * per_warp;
    const double past_l1 =
        clamp((double)c->global_load_waiting * per_warp, 0, loads);
    const double past_l2 =
        clamp((double)c->dram_read_bytes / 32 * per_warp, 0, past_l1);
    const struct softgpu_card *card = in->card;
    return exposed_loads(loads, points, MAX_LOADS_IN_FLIGHT) * card->l1_cycles
           + exposed_loads(past_l1, points, MAX_LOADS_IN_FLIGHT)
                 * (card->l2_cycles - card->l1_cycles)
           + exposed_loads(past_l2, points, MAX_LOADS_IN_FLIGHT)
                 * (card->dram_cycles - card->l2_cycles);
}

/* Exposed latencies of n copies: all copies between two barriers overlap. */
static double exposed_copies(double n, double barriers)
{
    return n < 1 + barriers ? n : 1 + barriers;
}

/* Cycles that the warps, each alone, need for their instructions: most depend
 * on the one before.  Multiply-adds are independent of each other as far as
 * values are used several times after they are loaded, as in a tile of
 * registers. */
static double arithmetic_cycles(const struct model_input *in)
{
    const struct counters *c = in->c;
    const double fused = (double)c->flop_float / 2 / WARP;
    const double loads = register_loads(c) + shared_load_instructions(c);
    const double reuse = clamp(fused / max_double(loads, 1), 1, ALU_CYCLES);
    const double rate = WARP * SOFTGPU_PARTITIONS / in->card->fp32_lanes;
    return (model_issue_slots(in) - fused) * ALU_CYCLES
           + fused * max_double(ALU_CYCLES / reuse, rate);
}

/* Synchronization points of a warp that loads do not cross. */
static double barriers_and_atomics(const struct model_input *in)
{
    const struct counters *c = in->c;

    return ((double)c->barriers
            + (double)(c->global_atomic_requests + c->shared_atomic_requests)
                  / in->warps)
           / in->sampled_blocks;
}

/* Shared loads and warp calls (short scoreboard) and dependent instructions
 * (wait): no warp of the block waits for another. */
static double own_cycles(const struct model_input *in)
{
    const struct counters *c = in->c;
    const double per_warp = 1 / in->sampled_blocks / in->warps;
    const double barriers = (double)c->barriers / in->sampled_blocks;

    return exposed_loads(shared_load_instructions(c) * per_warp, barriers,
                         MAX_SHARED_LOADS_IN_FLIGHT)
               * in->card->shared_cycles
           + (double)c->warp_calls * per_warp * SHUFFLE_CYCLES
           + arithmetic_cycles(in) * per_warp;
}

/* By stall reasons, what a warp does itself, and loads (long scoreboard),
 * barriers, and the latency of its stores at the end. */
struct warp_latency model_warp_latency(const struct model_input *in)
{
    const struct counters *c = in->c;
    const double per_warp = 1 / in->sampled_blocks / in->warps;
    const double barriers = (double)c->barriers / in->sampled_blocks;
    const double waited = (double)c->waited_copies * per_warp;
    const double overlapped_copies =
        max_double((double)c->global_load_async * per_warp - waited, 0)
        + loads_ahead(c) * per_warp;
    const double loads = load_cycles(in, per_warp, barriers_and_atomics(in));

    return (struct warp_latency){
        .own = own_cycles(in) + (c->barriers ? 0 : loads),
        .together = (c->barriers ? loads : 0)
                    + exposed_copies(waited, barriers) * in->card->l2_cycles
                    + barriers * (BARRIER_CYCLES + in->warps / BARRIER_WARPS)
                    + in->card->l2_cycles,
        .copies = exposed_copies(overlapped_copies, barriers)
                      * in->card->l2_cycles
                  + in->card->l2_cycles};
}
