/* SPDX-License-Identifier: MIT */
/** @file
 *  The modeled time of a kernel: one ceiling for each unit of the GPU, that
 *  is, the time it would be busy if it worked alone, and a rule for how these
 *  times overlap.  docs/pages/model.md derives the formulas and names their
 *  limits.
 *
 *  Every term is monotone: it never falls when a counter rises, and never
 *  rises when an SM holds more blocks.
 */
#include <math.h>

#include "model_input.h"

/* 1/8 of the work done concurrently is not hidden */
#define OVERLAP_DIVISOR 8.0
#define DRAM_EFFICIENCY 0.92 /* of the data sheet's bandwidth, by gpu-benches */
#define SM_L2_BYTES 64.0 /* from L2, per SM and clock (white papers) */
#define L2_WRITE_COST 2.0 /* L2 reads 64 bytes per slice and clock, writes 32 */
#define ATOMIC_LANES_PER_CYCLE 2.0    /* atomics per L2 slice and clock */
/* instructions of a warp before its work; see docs/results/model.md */
#define WARP_BEGIN 14.0
/* share of index arithmetic that ptxas merges, likewise */
#define MERGED_INDEX 0.05
/* wavefronts per sector that TMA writes: 32 of 128 bytes */
#define TMA_SECTOR_COST 0.25

const char *const model_ceilings[] = {"issue",  "fp", "lsu",
                                      "shared", "l2", "dram",
                                      "atomics", "latency", "launch", NULL};

/* The first four are units of an SM, the next three the path to memory. */
enum { ISSUE, FP, LSU, SHARED, L2, DRAM, ATOMICS, LATENCY, LAUNCH };

/* Microseconds on the busiest SM, from cycles of all sampled blocks. */
static double sm_us(const struct model_input *in, double cycles)
{
    return cycles / in->sampled_blocks * in->sm_blocks / in->clock;
}

/* Requests of the load/store units.  TMA does not use them. */
static double lsu_load_requests(const struct counters *c)
{
    return max_double(
        (double)c->global_load_requests - (double)c->global_load_bulk, 0);
}

/* Index arithmetic and branches that ptxas merges. */
static double merged_instructions(const struct counters *c)
{
    return MERGED_INDEX
           * ((double)c->integer_instructions / WARP + (double)c->branches);
}

/* Issue slots: warp instructions that the GPU would issue.  They are estimated
 * from the host's instructions, less those a GPU does not have: local arrays
 * are registers, a multiplication and an addition are one FMA.  Each warp
 * begins by computing its indices and addresses from special registers and
 * parameters. */
double model_issue_slots(const struct model_input *in)
{
    const struct counters *c = in->c;
    const double begin = WARP_BEGIN * in->warps * in->sampled_blocks;
    const double memory =
        (double)(c->global_store_requests + c->global_atomic_requests
                 + c->shared_store_requests + c->shared_atomic_requests
                 + c->constant_requests + c->warp_calls)
        + register_loads(c) + shared_load_instructions(c);
    const double fused = (double)(c->flop_float + c->flop_double) / 2 / WARP;
    const double host = (double)c->warp_instructions
                        - (double)c->local_requests - fused
                        - (double)c->shared_load_joined
                        - merged_instructions(c);
    return begin + max_double(host, memory + fused);
}

static double fp_us(const struct model_input *in)
{
    const struct softgpu_card *card = in->card;
    const struct counters *c = in->c;
    const double fused = 2; /* operations of an FMA */
    const double fp64_lanes = (double)card->fp32_lanes / card->fp64_ratio;
    double cycles = (double)c->flop_float / fused / card->fp32_lanes;
    cycles =
        max_double(cycles, (double)c->flop_half / fused / card->fp16_lanes);
    cycles = max_double(cycles, (double)c->flop_double / fused / fp64_lanes);
    cycles =
        max_double(cycles, (double)c->flop_tensor / fused / card->tensor_fma);
    cycles =
        max_double(cycles, (double)c->flop_special / SOFTGPU_SPECIAL_LANES);
    return sm_us(in, cycles);
}

/* L1 processes one wavefront per clock; it returns data at the card's rate and
 * accepts stores at four sectors per clock.  A constant that is the same for
 * all lanes costs no more than a register (Jia et al., 2018); each further
 * word takes one more pass. */
static double lsu_us(const struct model_input *in)
{
    const struct counters *c = in->c;
    const double sectors = in->card->l1_rate / 32; /* sectors per clock */
    const double bytes_loaded = ((double)c->global_load_sectors
                                 - (double)c->global_load_bulk)
                                / sectors;
    const double loads =
        max_double(max_double(lsu_load_requests(c), bytes_loaded),
                   (double)c->global_load_wavefronts);
    const double stores = max_double((double)c->global_store_requests,
                                     (double)c->global_store_sectors / 4);
    const double atomics_us = max_double((double)c->global_atomic_requests,
                                         (double)c->global_atomic_sectors / 4);
    const double constants = max_double(
        (double)c->constant_passes - (double)c->constant_requests, 0);
    return sm_us(in, loads + stores + atomics_us + constants);
}

/* Shuffles use the data path of shared memory: 32 lanes per clock (programming
 * guide, throughput of native arithmetic instructions). */
static double shared_us(const struct model_input *in)
{
    const struct counters *c = in->c;
    const double saved = (double)c->shared_load_saved
                         + (1 - TMA_SECTOR_COST) * (double)c->global_load_bulk;
    return sm_us(in, max_double((double)c->shared_load_wavefronts - saved, 0)
                         + (double)(c->shared_store_wavefronts
                                    + c->shared_atomic_passes + c->warp_calls));
}

/* Microseconds for bytes of the whole grid at a bandwidth in GB/s. */
static double grid_us(const struct model_input *in, double bytes, double gbs)
{
    return bytes * in->scale / gbs / 1000;
}

/* A partially written sector costs twice: L2 reads, modifies and writes it,
 * because its ECC bits cover the whole sector. */
static double l2_us(const struct model_input *in)
{
    const struct counters *c = in->c;
    const double in_part = max_double((double)c->global_store_sectors
                                          - (double)c->global_store_bytes / 32,
                                      0);
    const double bytes = ((double)c->l2_read_sectors
                          + L2_WRITE_COST * (double)c->l2_write_sectors
                          + L2_WRITE_COST * in_part)
                         * 32;
    return max_double(grid_us(in, bytes, in->card->l2_gbs),
                      sm_us(in, bytes / SM_L2_BYTES));
}

static double dram_us(const struct model_input *in)
{
    return grid_us(in,
                   (double)(in->c->dram_read_bytes + in->c->dram_write_bytes),
                   in->card->dram_gbs * DRAM_EFFICIENCY);
}

static double atomics_us(const struct model_input *in)
{
    return (double)in->c->global_atomic_hottest * in->scale
           / ATOMIC_LANES_PER_CYCLE / in->clock;
}

static void fill_ceilings(const struct model_input *in, double launches,
                          double *ceiling)
{
    const double issue_per_clock = SOFTGPU_PARTITIONS; /* one per scheduler */
    const struct warp_latency latency = model_warp_latency(in);

    ceiling[ISSUE] = sm_us(in, model_issue_slots(in) / issue_per_clock);
    ceiling[FP] = fp_us(in);
    ceiling[LSU] = lsu_us(in);
    ceiling[SHARED] = shared_us(in);
    ceiling[L2] = l2_us(in);
    ceiling[DRAM] = dram_us(in);
    ceiling[ATOMICS] = atomics_us(in);
    ceiling[LATENCY] = in->waves / in->clock
                       * max_double(latency.own + latency.together,
                                    latency.copies);
    ceiling[LAUNCH] = launches * in->card->launch_ns / 1000;
}

/* Time of overlapping work: the longest part, and a share of the others. */
static double overlap_us(const double *us, int n, double share)
{
    double sum = 0, longest = 0;
    for (int i = 0; i < n; i++) {
        sum += us[i];
        longest = max_double(longest, us[i]);
    }
    return longest + (sum - longest) * share;
}

/* Work in the order of the ceilings: of an SM's own units, and of all of it
 * with the path to memory. */
static double scheduler_us(const double *c)
{
    return overlap_us(c + ISSUE, LSU - ISSUE, 1 / OVERLAP_DIVISOR);
}

static double work_us(const double *c)
{
    const double exposed = 1 / OVERLAP_DIVISOR;
    const double parts[] = {overlap_us(c + ISSUE, L2 - ISSUE, exposed),
                            overlap_us(c + L2, LATENCY - L2, exposed)};
    return overlap_us(parts, 2, exposed);
}

/* The warps of a block hide each other's latency; its barriers, and the loads
 * that they wait for, stop them all.  Resident blocks hide that.  Schedulers
 * have a quarter of the warps each, the other units all of them.  Launch
 * overhead is never hidden. */
static double total_us(const struct model_input *in, const double *c)
{
    const struct warp_latency latency = model_warp_latency(in);
    const double blocks = in->together, us = in->waves / in->clock;
    const double work = work_us(c) / blocks, own = latency.own * us;
    const double warps = ceil(in->warps / SOFTGPU_PARTITIONS);
    const double busy =
        max_double(model_closed_network(own, scheduler_us(c) / blocks, warps),
                   model_closed_network(own, work, in->warps));
    const double alone =
        max_double(busy + latency.together * us, latency.copies * us);

    return c[LAUNCH]
           + model_closed_network(max_double(alone - work, 0), blocks * work,
                                  blocks);
}

static const char *limiter(const double *ceiling)
{
    int longest = LAUNCH;
    for (int i = LAUNCH - 1; i >= 0; i--)
        if (ceiling[i] >= ceiling[longest])
            longest = i;
    return model_ceilings[longest];
}

double model_launch_us(const struct kernel_profile *k)
{
    return k->model.ceiling[LAUNCH];
}

double model_library_us(const struct softgpu_card *card, double operations,
                        double bytes)
{
    const double rate = 2e-3 * card->fp32_lanes * card->sms * card->clock_khz;
    return max_double(operations / rate,
                      bytes / (1000 * card->dram_gbs * DRAM_EFFICIENCY));
}

void model_kernel(const struct softgpu_card *card, struct kernel_profile *k)
{
    const int resident = model_occupancy(card, k);
    const double launches = max_double((double)k->launches, 1);
    const double blocks = max_double((double)k->blocks, 1);
    const double sampled_blocks = max_double((double)k->blocks_watched, 1);
    const double threads = kernel_block_needs(k).threads;
    const double per_launch = blocks / launches;
    const struct model_input input = {
        .card = card,
        .c = &k->total,
        .sampled_blocks = sampled_blocks,
        .scale = blocks / sampled_blocks,
        .warps = max_double(ceil(threads / WARP), 1),
        .sm_blocks = ceil(per_launch / card->sms) * launches,
        .waves = ceil(per_launch / card->sms / resident) * launches,
        .clock = card->clock_khz / 1000.0,
        .together = clamp(ceil(per_launch / card->sms), 1, resident),
    };
    fill_ceilings(&input, launches, k->model.ceiling);
    k->model.us = total_us(&input, k->model.ceiling);
    k->model.limiter = limiter(k->model.ceiling);
}
