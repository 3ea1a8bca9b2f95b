/* SPDX-License-Identifier: MIT */
/* Rows of a table from counters, and each line's share of the modeled time. */
#include "access_rows.h"

#include <string.h>

/* Active lanes per instruction below which a row is made: 95 % of a warp. */
#define MIN_ACTIVE_LANES (0.95 * 32)

static const char *const names[][2] = {
#define X(kind, words, unit) {words, unit},
    SOFTGPU_ACCESS_KINDS(X)
#undef X
};

/* A row whose efficiency is ideal / transactions. */
static struct access_row make_row(enum access_kind kind, uint64_t requests,
                                  uint64_t transactions, uint64_t ideal)
{
    return (struct access_row){kind,  names[kind][0], names[kind][1],
                               requests, transactions, ideal,
                               ratio((double)ideal, (double)transactions)};
}

/* The efficiency of global memory is used bytes / transferred
 * bytes. */
static struct access_row global(struct access_row row, uint64_t bytes)
{
    row.efficiency = ratio((double)bytes, 32.0 * (double)row.transactions);
    if (row.efficiency > 1)
        row.efficiency = 1; /* only an inconsistent report has more */
    return row;
}

/* Branches, if at least 1 % of them diverge. */
static struct access_row branches(const struct counters *c)
{
    uint64_t worth = 100 * c->branches_divergent >= c->branches;
    struct access_row r =
        make_row(ACCESS_BRANCH, c->branches_divergent ? worth * c->branches : 0,
                 c->branches_divergent, 0);

    r.efficiency = 1 - ratio((double)r.transactions, (double)r.requests);
    return r;
}

/* Instructions, if lanes of their warps are inactive. */
static struct access_row instructions(const struct counters *c)
{
    double lanes = average_active_lanes(c);
    struct access_row r = make_row(
        ACCESS_INSTRUCTION, lanes < MIN_ACTIVE_LANES ? c->warp_instructions : 0,
        c->thread_instructions, 32 * c->warp_instructions);

    r.efficiency = lanes / 32;
    return r;
}

/* All kinds, in the order of enum access_kind. */
size_t build_access_rows(const struct counters *c, struct access_row *rows)
{
    const struct access_row all[ACCESS_KINDS] = {
        global(make_row(ACCESS_GLOBAL_LOAD, c->global_load_requests,
                        c->global_load_sectors, c->global_load_ideal),
               c->global_load_bytes),
        global(make_row(ACCESS_GLOBAL_STORE, c->global_store_requests,
                        c->global_store_sectors, c->global_store_ideal),
               c->global_store_bytes),
        make_row(ACCESS_GLOBAL_ATOMIC, c->global_atomic_requests,
                 c->global_atomic_passes, c->global_atomic_requests),
        make_row(ACCESS_SHARED_LOAD, c->shared_load_requests,
                 c->shared_load_wavefronts,
                 c->shared_load_wavefronts - c->shared_load_conflicts),
        make_row(ACCESS_SHARED_STORE, c->shared_store_requests,
                 c->shared_store_wavefronts,
                 c->shared_store_wavefronts - c->shared_store_conflicts),
        make_row(ACCESS_SHARED_ATOMIC, c->shared_atomic_requests,
                 c->shared_atomic_passes, c->shared_atomic_requests),
        make_row(ACCESS_CONSTANT_LOAD, c->constant_requests, c->constant_passes,
                 c->constant_requests),
        make_row(ACCESS_LOCAL_ACCESS, c->local_requests, 0, 0),
        make_row(ACCESS_BARRIER, c->barriers, 0, 0),
        branches(c),
        instructions(c),
    };
    size_t n = 0;

    for (int i = 0; i < ACCESS_KINDS; i++)
        if (all[i].requests)
            rows[n++] = all[i];
    return n;
}

double total_flop(const struct counters *c)
{
    return (double)c->flop_half + c->flop_float + c->flop_double
           + c->flop_special + c->flop_tensor;
}

double average_active_lanes(const struct counters *c)
{
    return ratio((double)c->thread_instructions, (double)c->warp_instructions);
}

double ceiling_us(const struct kernel_profile *k, const char *name)
{
    for (size_t i = 0; model_ceilings[i]; i++)
        if (strcmp(model_ceilings[i], name) == 0)
            return k->model.ceiling[i];
    return 0;
}

/* Ceilings of the model, to which a line adds. */
enum cost_kind {
    SECTORS,
    WAVEFRONTS,
    PASSES,
    WAITS,
    INSTRUCTIONS,
    FLOP,
    COSTS
};

/* Latency of global memory over latency of shared memory, roughly. */
#define GLOBAL_WAIT_COST 20.0

/* Costs of a line, or of a whole kernel. */
static void line_costs(const struct counters *c, double cost[COSTS])
{
    cost[SECTORS] = (double)c->global_load_sectors + c->global_store_sectors
                    + c->global_atomic_sectors + c->constant_passes;
    cost[WAVEFRONTS] = (double)c->shared_load_wavefronts
                       + c->shared_store_wavefronts + c->shared_atomic_passes;
    cost[PASSES] = (double)c->global_atomic_passes;
    cost[WAITS] = GLOBAL_WAIT_COST
                      * (c->global_load_requests + c->global_atomic_requests)
                  + c->shared_load_requests + c->shared_atomic_requests
                  + c->warp_calls + c->barriers;
    cost[INSTRUCTIONS] = (double)c->warp_instructions;
    cost[FLOP] = total_flop(c);
}

static double max_double(double a, double b)
{
    return a > b ? a : b;
}

/* Microseconds that the kernel would take for each cost alone. */
static void cost_weights(const struct kernel_profile *k, double weight[COSTS])
{
    weight[SECTORS] =
        max_double(ceiling_us(k, "lsu"),
                   max_double(ceiling_us(k, "l2"), ceiling_us(k, "dram")));
    weight[WAVEFRONTS] = ceiling_us(k, "shared");
    weight[PASSES] = ceiling_us(k, "atomics");
    weight[WAITS] = ceiling_us(k, "latency");
    weight[INSTRUCTIONS] = ceiling_us(k, "issue");
    weight[FLOP] = ceiling_us(k, "fp");
    if (k->model.us <= 0)
        for (int i = 0; i < COSTS; i++)
            weight[i] = 1;
}

double line_cost_share(const struct kernel_profile *k,
                       const struct line_profile *l)
{
    double line[COSTS], total[COSTS], weight[COSTS], sum = 0, all = 0;

    line_costs(&l->counters, line);
    line_costs(&k->total, total);
    cost_weights(k, weight);
    for (int i = 0; i < COSTS; i++) {
        sum += weight[i] * ratio(line[i], total[i]);
        all += total[i] > 0 ? weight[i] : 0;
    }
    return ratio(sum, all);
}
