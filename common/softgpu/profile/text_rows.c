/* SPDX-License-Identifier: MIT */
/* Rows from counters, and what each line costs. */
#include "text_rows.h"

#include <string.h>

/* Lanes an instruction below which it is worth a row: 95 % of a warp. */
#define WHOLE_WARP (0.95 * 32)

static const char *const names[][2] = {
#define X(kind, words, unit) {words, unit},
    SOFTGPU_ACCESS_KINDS(X)
#undef X
};

/* A row whose share is ideal by moved. */
static struct access_row row(enum access_kind kind, uint64_t requests,
                             uint64_t moved, uint64_t ideal)
{
    return (struct access_row){kind,  names[kind][0], names[kind][1],
                               requests, moved, ideal,
                               ratio((double)ideal, (double)moved)};
}

/* Global memory's share is bytes by bytes. */
static struct access_row global(struct access_row row, uint64_t bytes)
{
    row.used = ratio((double)bytes, 32.0 * (double)row.moved);
    if (row.used > 1)
        row.used = 1; /* a report that is not true */
    return row;
}

/* Only where one in a hundred parts. */
static struct access_row branches(const struct counters *c)
{
    uint64_t worth = 100 * c->branches_divergent >= c->branches;
    struct access_row r = row(ACCESS_BRANCH,
                              c->branches_divergent ? worth * c->branches : 0,
                              c->branches_divergent, 0);

    r.used = 1 - ratio((double)r.moved, (double)r.requests);
    return r;
}

/* Only where lanes are missing. */
static struct access_row instructions(const struct counters *c)
{
    double lanes = lanes_an_instruction(c);
    struct access_row r = row(ACCESS_INSTRUCTION,
                              lanes < WHOLE_WARP ? c->warp_instructions : 0,
                              c->thread_instructions,
                              32 * c->warp_instructions);

    r.used = lanes / 32;
    return r;
}

/* In the order of enum access_kind. */
size_t access_rows(const struct counters *c, struct access_row *rows)
{
    const struct access_row all[ACCESS_KINDS] = {
        global(row(ACCESS_GLOBAL_LOAD, c->global_load_requests,
                   c->global_load_sectors, c->global_load_ideal),
               c->global_load_bytes),
        global(row(ACCESS_GLOBAL_STORE, c->global_store_requests,
                   c->global_store_sectors, c->global_store_ideal),
               c->global_store_bytes),
        row(ACCESS_GLOBAL_ATOMIC, c->global_atomic_requests,
            c->global_atomic_passes, c->global_atomic_requests),
        row(ACCESS_SHARED_LOAD, c->shared_load_requests,
            c->shared_load_wavefronts,
            c->shared_load_wavefronts - c->shared_load_conflicts),
        row(ACCESS_SHARED_STORE, c->shared_store_requests,
            c->shared_store_wavefronts,
            c->shared_store_wavefronts - c->shared_store_conflicts),
        row(ACCESS_SHARED_ATOMIC, c->shared_atomic_requests,
            c->shared_atomic_passes, c->shared_atomic_requests),
        row(ACCESS_CONSTANT_LOAD, c->constant_requests, c->constant_passes,
            c->constant_requests),
        row(ACCESS_LOCAL_ACCESS, c->local_requests, 0, 0),
        row(ACCESS_BARRIER, c->barriers, 0, 0),
        branches(c),
        instructions(c),
    };
    size_t n = 0;

    for (int i = 0; i < ACCESS_KINDS; i++)
        if (all[i].requests)
            rows[n++] = all[i];
    return n;
}

double all_flop(const struct counters *c)
{
    return (double)c->flop_half + c->flop_float + c->flop_double
           + c->flop_special + c->flop_tensor;
}

double lanes_an_instruction(const struct counters *c)
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

/* What a line adds to each ceiling. */
enum cost { SECTORS, WAVEFRONTS, PASSES, WAITS, INSTRUCTIONS, FLOP, COSTS };

/* A wait for global memory is about so many for shared memory. */
#define FAR 20.0

/* Of a line, or of a kernel. */
static void costs_of(const struct counters *c, double cost[COSTS])
{
    cost[SECTORS] = (double)c->global_load_sectors + c->global_store_sectors
                    + c->global_atomic_sectors + c->constant_passes;
    cost[WAVEFRONTS] = (double)c->shared_load_wavefronts
                       + c->shared_store_wavefronts + c->shared_atomic_passes;
    cost[PASSES] = (double)c->global_atomic_passes;
    cost[WAITS] = FAR * (c->global_load_requests + c->global_atomic_requests)
                  + c->shared_load_requests + c->shared_atomic_requests
                  + c->warp_calls + c->barriers;
    cost[INSTRUCTIONS] = (double)c->warp_instructions;
    cost[FLOP] = all_flop(c);
}

static double largest(double a, double b)
{
    return a > b ? a : b;
}

/* How long the kernel would take for each cost alone. */
static void weights_of(const struct kernel_profile *k, double weight[COSTS])
{
    weight[SECTORS] = largest(ceiling_us(k, "lsu"),
                              largest(ceiling_us(k, "l2"),
                                      ceiling_us(k, "dram")));
    weight[WAVEFRONTS] = ceiling_us(k, "shared");
    weight[PASSES] = ceiling_us(k, "atomics");
    weight[WAITS] = ceiling_us(k, "latency");
    weight[INSTRUCTIONS] = ceiling_us(k, "issue");
    weight[FLOP] = ceiling_us(k, "fp");
    if (k->model.us <= 0)
        for (int i = 0; i < COSTS; i++)
            weight[i] = 1;
}

double line_share(const struct kernel_profile *k, const struct line_profile *l)
{
    double line[COSTS], total[COSTS], weight[COSTS], sum = 0, all = 0;

    costs_of(&l->counters, line);
    costs_of(&k->total, total);
    weights_of(k, weight);
    for (int i = 0; i < COSTS; i++) {
        sum += weight[i] * ratio(line[i], total[i]);
        all += total[i] > 0 ? weight[i] : 0;
    }
    return ratio(sum, all);
}
