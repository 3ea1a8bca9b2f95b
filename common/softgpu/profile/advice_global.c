/* SPDX-License-Identifier: MIT */
/* Advice about global memory. */
#include <stdio.h>
#include <string.h>

#include "advice_rules.h"
#include "text_format.h"

/* A row of memory that a warp walks down is at least this far from the next;
 * less is a struct whose fields lie between. */
#define COLUMN_STRIDE 65
/* Requests that miss a boundary take one sector more, not several. */
#define ONE_MORE 1.05

/* Of one request. */
static double each(uint64_t moved, const struct access_row *row)
{
    return ratio((double)moved, (double)row->requests);
}

/* Lanes side by side, or in runs that fill a sector each. */
static int is_dense(const struct lane_pattern *p)
{
    return p->stride == (int64_t)p->bytes || p->run >= 8;
}

/* Packed, but begun in the middle of a sector: one more for each request. */
static int is_misaligned(const struct advisor *a, const struct line_profile *l,
                         const struct access_row *row)
{
    struct lane_pattern p = advice_pattern(a->k, l, row->kind);
    double excess = each(row->moved - row->ideal, row);

    if (excess < 0.5 || excess > ONE_MORE)
        return 0;
    return p.known ? is_dense(&p) : each(row->ideal, row) >= 4;
}

/* A quarter more than packed: a tail, or one odd warp in four, is no pattern. */
static int is_scattered(const struct advisor *a, const struct line_profile *l,
                        const struct access_row *row)
{
    return row->moved > row->ideal + row->ideal / 4
           && !is_misaligned(a, l, row);
}

/* Does the kernel also go along rows somewhere?  Then swapping the indices
 * would only move the trouble there. */
static int has_packed_side(const struct kernel_profile *k)
{
    struct access_row load = advice_row(&k->total, ACCESS_GLOBAL_LOAD);
    struct access_row store = advice_row(&k->total, ACCESS_GLOBAL_STORE);

    return (load.requests && load.moved <= load.ideal + load.ideal / 4)
           || (store.requests && store.moved <= store.ideal + store.ideal / 4);
}

/* A line that does both does both badly: a[i].x += 1. */
static const char *verb(const struct line_profile *l,
                        const struct access_row *row)
{
    struct access_row load = advice_row(&l->counters, ACCESS_GLOBAL_LOAD);
    struct access_row store = advice_row(&l->counters, ACCESS_GLOBAL_STORE);

    if (load.requests && store.requests && load.used == store.used)
        return "loads, and stores,";
    return row->kind == ACCESS_GLOBAL_LOAD ? "loads" : "stores";
}

/* The cures of a walk down columns: where rows are walked on the other side, a
 * swap would move the trouble there. */
static const char *turn_or_swap(const struct kernel_profile *k,
                                enum access_kind kind)
{
    if (!has_packed_side(k))
        return "let threadIdx.x run along the row (swap the two indices)";
    if (kind == ACCESS_GLOBAL_LOAD)
        return "let the lanes of a warp share a row, or take a tile through "
               "shared memory, which is loaded along rows";
    return "take a tile through shared memory, so that loads and stores both "
           "run along rows";
}

/* The cause by the sample access, most telling first: far columns, fields of
 * a struct, a narrow block, short runs, chaos.  Without a sample only the
 * number of sectors can tell. */
static void say_scattered(const struct advisor *a, const struct line_profile *l,
                          const struct access_row *row, char *text)
{
    struct lane_pattern p = advice_pattern(a->k, l, row->kind);
    double moved = each(row->moved, row), ideal = each(row->ideal, row);
    int64_t gap = p.stride < 0 ? -p.stride : p.stride;
    int n = snprintf(text, ADVICE_BYTES,
                     "a warp %s %.1f sectors where %.1f would do", verb(l, row),
                     moved, ideal);
    char *rest = text + n;
    size_t room = ADVICE_BYTES - (size_t)n;

    if (p.known && gap >= COLUMN_STRIDE)
        snprintf(rest, room, ", as neighbouring lanes are %s bytes apart: %s",
                 say_count(WORDS, (uint64_t)gap), turn_or_swap(a->k, row->kind));
    else if (p.known && gap > 0)
        snprintf(rest, room, ", as each lane uses %u of every %d bytes: keep "
                 "each field in an array of its own, or move whole structs 16 "
                 "bytes at a time", p.bytes, (int)gap);
    else if (p.known && a->k->block.x < 32 && p.run == (int)a->k->block.x)
        snprintf(rest, room, ", as a row of the block is %u lanes: make "
                 "blockDim.x 32 or more", a->k->block.x);
    else if (p.known && p.run > 1)
        snprintf(rest, room, ", as only %d lanes in a row lie side by side: "
                 "let neighbouring threads use neighbouring elements", p.run);
    else if (p.known)
        snprintf(rest, room, ", as its lanes go to scattered places: order the "
                 "data so that neighbours are used together, or gather from "
                 "shared memory");
    else if (moved >= 4 * ideal)
        snprintf(rest, room, ", as its lanes lie far apart: %s",
                 turn_or_swap(a->k, row->kind));
    else
        snprintf(rest, room, ", as its lanes leave gaps: let neighbouring "
                 "threads use neighbouring elements");
}

/* Where the first lane stands is known from the sample only. */
static void say_misaligned(const struct advisor *a,
                           const struct line_profile *l,
                           const struct access_row *row, char *text)
{
    struct lane_pattern p = advice_pattern(a->k, l, row->kind);
    int n = snprintf(text, ADVICE_BYTES,
                     "a warp %s %.1f sectors where %.1f would do, as it begins ",
                     verb(l, row), each(row->moved, row), each(row->ideal, row));
    char *rest = text + n;
    size_t room = ADVICE_BYTES - (size_t)n;

    if (p.known && p.first % 32)
        n += snprintf(rest, room, "%d bytes past a multiple of 32",
                      (int)(p.first % 32));
    else
        n += snprintf(rest, room, "off a multiple of 32 bytes");
    snprintf(text + n, ADVICE_BYTES - (size_t)n, ": pad each row to a multiple "
             "of 32 bytes (cudaMallocPitch), or let the warps start at one");
}

/* The line whose loads make most of the traffic. */
static const struct line_profile *most_loads(const struct kernel_profile *k)
{
    const struct line_profile *most = NULL;

    for (size_t i = 0; i < k->line_count; i++)
        if (!most || k->lines[i].counters.global_load_sectors
                         > most->counters.global_load_sectors)
            most = &k->lines[i];
    return most;
}

/* What the caches give again and again could be kept in shared memory; where
 * it is, in registers. */
static void advise_traffic(struct advisor *a)
{
    const struct counters *c = &a->k->total;
    double asked = 32.0 * (double)c->global_load_sectors;
    double times = ratio(asked, (double)c->dram_read_bytes);
    int tiled = c->shared_load_requests >= c->global_load_requests;
    struct kernel_profile cured = *a->k;
    const char *cure;
    double gain;

    if (times < 4 || strcmp(a->k->model.limiter, "dram") == 0)
        return;
    cured.total.global_load_requests /= (uint64_t)times;
    cured.total.global_load_sectors /= (uint64_t)times;
    cured.total.l2_read_sectors /= (uint64_t)times;
    if (tiled) {
        cure = "make the tile larger, and let a thread work out several results "
               "from what it has in registers";
    } else {
        cure = "let a block copy a tile to shared memory once and use it from "
               "there";
        cured.total.shared_load_requests += c->global_load_requests;
        cured.total.shared_load_wavefronts += c->global_load_requests;
    }
    gain = advice_gain(a, &cured);
    if (gain > 0.05 * advice_work(a))
        advice_add(a, most_loads(a->k), gain, "%s are loaded of %s in memory, "
                   "each sector %.0f times: %s", say_scaled(WORDS, asked, "B"),
                   say_scaled(WORDS, (double)c->dram_read_bytes, "B"), times,
                   cure);
}

/* Whole warps of 4-byte lanes: a quarter of the instructions would do. */
static int is_narrow(const struct access_row *row)
{
    return row->requests && row->moved == row->ideal
           && each(row->ideal, row) > 3.5 && each(row->ideal, row) < 4.5;
}

/* Three of four of a line's instructions go, if one of its rows is narrow. */
static uint64_t widen(const struct line_profile *l, struct counters *cured)
{
    struct access_row load = advice_row(&l->counters, ACCESS_GLOBAL_LOAD);
    struct access_row store = advice_row(&l->counters, ACCESS_GLOBAL_STORE);
    uint64_t requests = 0;

    if (is_narrow(&load)) {
        requests += load.requests;
        cured->global_load_requests -= load.requests / 4 * 3;
    }
    if (is_narrow(&store)) {
        requests += store.requests;
        cured->global_store_requests -= store.requests / 4 * 3;
    }
    if (requests)
        cured->warp_instructions -= l->counters.warp_instructions / 4 * 3;
    return requests;
}

/* Only where a quarter of the threads still fills the card: two warps for
 * each scheduler. */
static void advise_width(struct advisor *a)
{
    const struct kernel_profile *k = a->k;
    double warps = ratio((double)k->threads, 32.0 * (double)k->launches);
    struct kernel_profile cured = *k;
    const struct line_profile *worst = NULL;
    uint64_t most = 0;
    double gain;

    if (warps < 4.0 * 2 * SOFTGPU_PARTITIONS * a->card->sms)
        return;
    for (size_t i = 0; i < k->line_count; i++) {
        uint64_t requests = widen(&k->lines[i], &cured.total);

        if (requests > most) {
            most = requests;
            worst = &k->lines[i];
        }
    }
    gain = worst ? advice_gain(a, &cured) : 0;
    if (gain > 0.05 * advice_work(a))
        advice_add(a, worst, gain, "its accesses are packed, but 4 bytes a lane: "
                   "let a thread move 16 (float4), a quarter of the "
                   "instructions with four times the bytes in flight");
}

/* Waste first: advice on reuse and width is for kernels without it. */
void advise_global(struct advisor *a)
{
    static const struct row_rule rules[] = {
        {{ACCESS_GLOBAL_LOAD, ACCESS_GLOBAL_STORE}, is_scattered,
         say_scattered, 0},
        {{ACCESS_GLOBAL_LOAD, ACCESS_GLOBAL_STORE}, is_misaligned,
         say_misaligned, 1},
    };

    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        advice_rows(a, &rules[i]);
    if (a->count == 0) /* packed first: these would count the waste twice */
        advise_traffic(a);
    if (a->count == 0)
        advise_width(a);
}
