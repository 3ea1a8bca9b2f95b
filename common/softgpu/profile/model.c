/* SPDX-License-Identifier: MIT */
/** @file
 *  A time from the counters: how long each part of the card would be busy,
 *  were it alone; and how far these times overlap.  docs/pages/model.md
 *  derives the formulas and says what they cannot know.
 *
 *  Every term rises, or stays, with each counter, and falls, or stays, with
 *  the blocks that an SM holds: more work is never faster.
 */
#include <math.h>

#include "occupancy.h"

#define WARP 32.0
#define OVERLAP 8.0      /* 1/8 of what goes on at the same time shows */
#define DRAM_REACH 0.92  /* of the data sheet's rate, by gpu-benches */
#define SM_L2_BYTES 64.0 /* an SM and clock, from L2 (white papers) */
#define WRITE_COST 2.0   /* L2 reads 64 bytes a slice and clock, writes 32 */
#define HOT_LANES 2.0    /* atomics a slice of L2 does in a clock */
#define LOADS_MOST 4.0   /* independent loads: loops are unrolled by four */
#define SHARED_MOST 8.0  /* of shared memory: inner loops wholly */
#define UNROLLED 4.0     /* turns of a loop that share its index arithmetic:
                            an estimate, nvcc's usual factor */
#define JOINED_COST 0.5  /* a wide load of shared words: 2 turns, not 4, said of
                            cc 7.0 to 7.5 (forums.developer.nvidia.com, topic
                            77228); of later cards an estimate */
#define BULK_COST 0.25   /* wavefronts that a sector of TMA's fills: 32 bytes */
#define BARRIER_CYCLES 22.0 /* and a warp's share of it: one passes in two */
#define BARRIER_WARPS 0.475 /* clocks (Zhang et al., 2020, V100; of other cards
                               an estimate) */
#define CALL_CYCLES 23.0 /* a shuffle (Jia et al., 2018, table 4.1) */
#define ALU_CYCLES 1.0   /* 4 of a dependent instruction, four at a time */

const char *const model_ceilings[] = {"issue",  "fp", "lsu",
                                      "shared", "l2", "dram",
                                      "atomics", "latency", "launch", NULL};

/* The first four are an SM's own, the next three its way to memory. */
enum { ISSUE, FP, LSU, SHARED, L2, DRAM, ATOMICS, LATENCY, LAUNCH };

/** What the formulas need beside the counters. */
struct job {
    const struct softgpu_card *card;
    const struct counters *c; /* of the blocks that were watched */
    double watched;           /* blocks */
    double scale;             /* blocks for one watched */
    double warps;             /* a block */
    double sm_blocks;         /* that the busiest SM runs, one by one */
    double waves;             /* of resident blocks, one after the other */
    double clock;             /* cycles a microsecond */
    double resident;          /* blocks an SM */
};

static double most(double a, double b)
{
    return a > b ? a : b;
}

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* Microseconds of the busiest SM, of cycles of all watched blocks. */
static double on_sm(const struct job *j, double cycles)
{
    return cycles / j->watched * j->sm_blocks / j->clock;
}

/* Shared loads that compilers leave: words in a row come in one wide load. */
static double shared_loads(const struct counters *c)
{
    return most((double)c->shared_load_requests
                    - (double)c->shared_load_joined, 0);
}

/* Requests of the load/store units: what TMA moves goes around them. */
static double loads_asked(const struct counters *c)
{
    return most((double)c->global_load_requests - (double)c->global_load_bulk,
                0);
}

/* Those that a register waits for; a copy is issued once, as its store. */
static double loads_held(const struct counters *c)
{
    return most((double)c->global_load_requests - (double)c->global_load_async,
                0);
}

/* Warp instructions that the card would issue.  The host's own count stands
 * in for them, less what a card has no instructions for: arrays of a thread
 * are registers there, a multiplication and its sum are one, and of unrolled
 * turns only the first computes indices and asks whether there is more. */
static double slots(const struct counters *c)
{
    const double memory =
        (double)(c->global_store_requests + c->global_atomic_requests
                 + c->shared_store_requests + c->shared_atomic_requests
                 + c->constant_requests + c->warp_calls)
        + loads_held(c) + shared_loads(c);
    const double fused = (double)(c->flop_float + c->flop_double) / 2 / WARP;
    const double index =
        (double)c->integer_instructions / WARP + (double)c->branches;
    const double host = (double)c->warp_instructions
                        - (double)c->local_requests - fused
                        - (double)c->shared_load_joined
                        - index * (1 - 1 / UNROLLED);
    return most(host, memory + fused);
}

static double fp(const struct job *j)
{
    const struct softgpu_card *card = j->card;
    const struct counters *c = j->c;
    const double fused = 2; /* flop of a fused operation */
    const double fp64_lanes = (double)card->fp32_lanes / card->fp64_ratio;
    double cycles = (double)c->flop_float / fused / card->fp32_lanes;
    cycles = most(cycles, (double)c->flop_half / fused / card->fp16_lanes);
    cycles = most(cycles, (double)c->flop_double / fused / fp64_lanes);
    cycles = most(cycles, (double)c->flop_tensor / fused / card->tensor_fma);
    cycles = most(cycles, (double)c->flop_special / SOFTGPU_SPECIAL_LANES);
    return on_sm(j, cycles);
}

/* L1's tag stage takes a request a clock; its data come at the card's rate,
 * and stores at four sectors a clock.  A constant that all lanes want is as
 * near as a register (Jia et al., 2018); each other one takes a turn. */
static double lsu(const struct job *j)
{
    const struct counters *c = j->c;
    const double sectors = j->card->l1_rate / 32; /* a clock */
    const double loads = most(loads_asked(c),
                              ((double)c->global_load_sectors
                               - (double)c->global_load_bulk) / sectors);
    const double stores = most((double)c->global_store_requests,
                               (double)c->global_store_sectors / 4);
    const double atomics = most((double)c->global_atomic_requests,
                                (double)c->global_atomic_sectors / 4);
    const double constants = most((double)c->constant_passes
                                      - (double)c->constant_requests, 0);
    return on_sm(j, loads + stores + atomics + constants);
}

/* Shuffles cross the lanes where shared memory's words do: 32 of them a clock
 * (programming guide, throughput of native arithmetic instructions). */
static double shared(const struct job *j)
{
    const struct counters *c = j->c;
    const double saved = (1 - JOINED_COST) * (double)c->shared_load_joined
                         + (1 - BULK_COST) * (double)c->global_load_bulk;
    return on_sm(j, most((double)c->shared_load_wavefronts - saved, 0)
                        + (double)(c->shared_store_wavefronts
                                   + c->shared_atomic_passes
                                   + c->warp_calls));
}

/* Bytes of the whole grid over a rate in GB/s. */
static double whole(const struct job *j, double bytes, double gbs)
{
    return bytes * j->scale / gbs / 1000;
}

/* A sector that is written in part costs twice: it is read, changed and
 * written, as its check bits cover all of it. */
static double l2(const struct job *j)
{
    const struct counters *c = j->c;
    const double in_part = most((double)c->global_store_sectors
                                    - (double)c->global_store_bytes / 32, 0);
    const double bytes = ((double)c->l2_read_sectors
                          + WRITE_COST * (double)c->l2_write_sectors
                          + WRITE_COST * in_part)
                         * 32;
    return most(whole(j, bytes, j->card->l2_gbs),
                on_sm(j, bytes / SM_L2_BYTES));
}

static double dram(const struct job *j)
{
    return whole(j, (double)(j->c->dram_read_bytes + j->c->dram_write_bytes),
                 j->card->dram_gbs * DRAM_REACH);
}

static double atomics(const struct job *j)
{
    return (double)j->c->global_atomic_hottest * j->scale / HOT_LANES
           / j->clock;
}

/* Cycles until a load is back.  It waits for its farthest sector: each that
 * misses is taken to belong to another load while there are enough. */
static double load_cycles(const struct job *j)
{
    const struct counters *c = j->c;
    const double loads = most(loads_held(c), 1);
    const double past_l1 = clamp((double)c->l2_read_sectors / loads, 0, 1);
    const double past_l2 = clamp((double)c->dram_read_bytes / 32 / loads, 0, 1);
    return j->card->l1_cycles
           + past_l1 * (j->card->l2_cycles - j->card->l1_cycles)
           + past_l2 * (j->card->dram_cycles - j->card->l2_cycles);
}

/* Waits for n loads when those between two points that nothing crosses can be
 * under way together. */
static double waits(double n, double points, double together)
{
    return n / clamp(n / (1 + points), 1, together);
}

/* Waits for n copies, all of which may be under way between two barriers. */
static double copies_wait(double n, double barriers)
{
    return n < 1 + barriers ? n : 1 + barriers;
}

/* What one warp waits for, were it alone: its loads, its barriers, its calls,
 * its own instructions; and the way out of its stores.  Copies that no barrier
 * waits for idly go on beside all that. */
static double chain(const struct job *j)
{
    const struct counters *c = j->c;
    const double each = 1 / j->watched / j->warps;
    const double barriers = (double)c->barriers / j->watched;
    const double shared = shared_loads(c) * each;
    const double atomics =
        (double)(c->global_atomic_requests + c->shared_atomic_requests) * each;
    const double loads = loads_held(c) * each;
    const double idle = (double)c->waited_copies * each;
    const double ahead = most((double)c->global_load_async * each - idle, 0);
    const double in_turn =
        waits(loads, barriers + atomics, LOADS_MOST) * load_cycles(j)
        + copies_wait(idle, barriers) * j->card->l2_cycles
        + waits(shared, barriers, SHARED_MOST) * j->card->shared_cycles
        + barriers * (BARRIER_CYCLES + j->warps / BARRIER_WARPS)
        + (double)c->warp_calls * each * CALL_CYCLES
        + slots(c) * each * ALU_CYCLES;
    return most(in_turn, copies_wait(ahead, barriers) * j->card->l2_cycles)
           + j->card->l2_cycles;
}

static void fill(const struct job *j, double launches, double *ceiling)
{
    const double slots_clock = SOFTGPU_PARTITIONS; /* one a scheduler */
    ceiling[ISSUE] = on_sm(j, slots(j->c) / slots_clock);
    ceiling[FP] = fp(j);
    ceiling[LSU] = lsu(j);
    ceiling[SHARED] = shared(j);
    ceiling[L2] = l2(j);
    ceiling[DRAM] = dram(j);
    ceiling[ATOMICS] = atomics(j);
    ceiling[LATENCY] = j->waves * chain(j) / j->clock;
    ceiling[LAUNCH] = launches * j->card->launch_ns / 1000;
}

/* Times that pass together: the longest, and a share of the others. */
static double together(const double *us, int n, double share)
{
    double sum = 0, longest = 0;
    for (int i = 0; i < n; i++) {
        sum += us[i];
        longest = most(longest, us[i]);
    }
    return longest + (sum - longest) * share;
}

/* The way to memory of what barriers wait for idly: never more than all that
 * is loaded.  Nobody waits for stores. */
static double idle_us(const struct job *j)
{
    struct counters c = *j->c;
    struct job idle = *j;
    c.l2_write_sectors = c.dram_write_bytes = 0;
    c.global_store_sectors = c.global_store_bytes = 0;
    if (c.l2_read_sectors > c.waited_sectors)
        c.l2_read_sectors = c.waited_sectors;
    if (c.dram_read_bytes > 32 * c.waited_sectors)
        c.dram_read_bytes = 32 * c.waited_sectors;
    idle.c = &c;
    const double us[] = {l2(&idle), dram(&idle), atomics(&idle)};
    return together(us, 3, 1 / OVERLAP);
}

/* An SM's own work and its way to memory go on together as far as there are
 * other blocks: where barriers wait for memory, they split a block's time into
 * phases of one or the other.  Launches are never hidden. */
static double overlapped(const struct job *j, const double *c)
{
    const double beside = 1 / OVERLAP;
    const double phases = j->c->barriers ? 1 / (1 + j->resident) : beside;
    const double parts[] = {together(c + ISSUE, L2 - ISSUE, beside),
                            together(c + L2, LATENCY - L2, beside)};
    const double other = parts[0] < parts[1] ? parts[0] : parts[1];
    const double idle = idle_us(j);
    const double busy_or_waits[] = {
        together(parts, 2, beside)
            + (idle < other ? idle : other) * most(phases - beside, 0),
        c[LATENCY]};
    return c[LAUNCH] + together(busy_or_waits, 2, beside);
}

static const char *limiter(const double *ceiling)
{
    int longest = LAUNCH;
    for (int i = LAUNCH - 1; i >= 0; i--)
        if (ceiling[i] >= ceiling[longest])
            longest = i;
    return model_ceilings[longest];
}

double model_start_us(const struct kernel_profile *k)
{
    return k->model.ceiling[LAUNCH];
}

double model_library_us(const struct softgpu_card *card, double operations,
                        double bytes)
{
    const double rate = 2e-3 * card->fp32_lanes * card->sms * card->clock_khz;
    return most(operations / rate, bytes / (1000 * card->dram_gbs * DRAM_REACH));
}

void model_kernel(const struct softgpu_card *card, struct kernel_profile *k)
{
    const int resident = profile_occupancy(card, k);
    const double launches = most((double)k->launches, 1);
    const double blocks = most((double)k->blocks, 1);
    const double watched = most((double)k->blocks_watched, 1);
    const double threads = profile_needs(k).threads;
    const double each = blocks / launches; /* blocks of a launch */
    const struct job job = {
        .card = card,
        .c = &k->total,
        .watched = watched,
        .scale = blocks / watched,
        .warps = most(ceil(threads / WARP), 1),
        .sm_blocks = ceil(each / card->sms) * launches,
        .waves = ceil(each / card->sms / resident) * launches,
        .clock = card->clock_khz / 1000.0,
        .resident = resident,
    };
    fill(&job, launches, k->model.ceiling);
    k->model.us = overlapped(&job, k->model.ceiling);
    k->model.limiter = limiter(k->model.ceiling);
}
