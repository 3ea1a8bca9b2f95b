/* SPDX-License-Identifier: MIT */
/* Advice about global memory. */
#include <stdio.h>
#include <string.h>

#include "advice_rules.h"
#include "text_format.h"

/* Least distance in bytes between rows of a matrix that a warp accesses by
 * columns; a smaller stride is that of an array of structs. */
#define MIN_COLUMN_STRIDE 65
/* A misaligned request takes one extra sector. */
#define MAX_MISALIGNED_SECTORS 1.05

/* Per request. */
static double per_request(uint64_t n, const struct access_row *row)
{
    return ratio((double)n, (double)row->requests);
}

/* Neighboring lanes are contiguous, or in runs that fill a sector. */
static int is_contiguous(const struct lane_stride *p)
{
    return p->stride == (int64_t)p->bytes || p->run >= 8;
}

/* Contiguous, but not aligned to a sector: one extra sector per request. */
static int is_misaligned(const struct advisor *a, const struct line_profile *l,
                         const struct access_row *row)
{
    struct lane_stride p = advice_lane_stride(a->k, l, row->kind);
    double excess = per_request(row->transactions - row->ideal, row);

    if (excess < 0.5 || excess > MAX_MISALIGNED_SECTORS)
        return 0;
    return p.known ? is_contiguous(&p) : per_request(row->ideal, row) >= 4;
}

/* A quarter more sectors than the ideal: a tail, or one irregular warp in
 * four, is no pattern. */
static int is_uncoalesced(const struct advisor *a, const struct line_profile *l,
                          const struct access_row *row)
{
    return row->transactions > row->ideal + row->ideal / 4
           && !is_misaligned(a, l, row);
}

/* Is some access of the kernel coalesced?  Then swapping the indices would
 * only exchange the two accesses. */
static int has_coalesced_side(const struct kernel_profile *k)
{
    struct access_row load = advice_access_row(&k->total, ACCESS_GLOBAL_LOAD);
    struct access_row store = advice_access_row(&k->total, ACCESS_GLOBAL_STORE);

    return (load.requests && load.transactions <= load.ideal + load.ideal / 4)
           || (store.requests
               && store.transactions <= store.ideal + store.ideal / 4);
}

/* A line that loads and stores the same element does both: a[i].x += 1. */
static const char *access_verb(const struct line_profile *l,
                               const struct access_row *row)
{
    struct access_row load =
        advice_access_row(&l->counters, ACCESS_GLOBAL_LOAD);
    struct access_row store =
        advice_access_row(&l->counters, ACCESS_GLOBAL_STORE);

    if (load.requests && store.requests && load.efficiency == store.efficiency)
        return "loads and stores";
    return row->kind == ACCESS_GLOBAL_LOAD ? "loads" : "stores";
}

/* Advice for column access.  Where the other side is coalesced, swapping the
 * indices would only move the problem there. */
static const char *column_fix(const struct kernel_profile *k,
                              enum access_kind kind)
{
    if (!has_coalesced_side(k))
        return "let threadIdx.x run along the row (swap the two indices)";
    if (kind == ACCESS_GLOBAL_LOAD)
        return "let the lanes of a warp access one row, or load a tile by rows "
               "into shared memory";
    return "stage a tile in shared memory, so that loads and stores both go "
           "along rows";
}

/* The cause, by the access pattern, most specific first: columns, a stride,
 * struct fields, a narrow block, short runs, scattered lanes.  Without a
 * pattern only the number of sectors is known. */
static void write_uncoalesced(const struct advisor *a,
                              const struct line_profile *l,
                              const struct access_row *row, char *text)
{
    struct lane_stride p = advice_lane_stride(a->k, l, row->kind);
    double sectors = per_request(row->transactions, row);
    double ideal = per_request(row->ideal, row);
    int64_t gap = p.stride < 0 ? -p.stride : p.stride;
    int n = snprintf(text, ADVICE_BYTES,
                     "a warp %s %.1f sectors instead of %.1f (uncoalesced)",
                     access_verb(l, row), sectors, ideal);
    char *rest = text + n;
    size_t room = ADVICE_BYTES - (size_t)n;

    if (p.known && gap >= MIN_COLUMN_STRIDE)
        snprintf(rest, room, ", as neighboring lanes are %s bytes apart: %s",
                 format_count(BUFFER, (uint64_t)gap),
                 column_fix(a->k, row->kind));
    else if (p.known && gap > 0 && gap % p.bytes == 0
             && !advice_has_fields(a->k, gap))
        snprintf(rest, room,
                 ", as neighboring lanes are %d elements of %u bytes apart: "
                 "let neighboring lanes access neighboring elements (a loop "
                 "steps by the number of threads), or, of an array of structs, "
                 "make a struct of arrays",
                 (int)(gap / p.bytes), p.bytes);
    else if (p.known && gap > 0)
        snprintf(rest, room,
                 ", as each lane uses %u of every %d bytes (array of structs): "
                 "use a struct of arrays, or load whole structs 16 bytes at a "
                 "time",
                 p.bytes, (int)gap);
    else if (p.known && a->k->block.x < 32 && p.run == (int)a->k->block.x)
        snprintf(rest, room, ", as blockDim.x is %u: make it 32 or more",
                 a->k->block.x);
    else if (p.known && p.run > 1)
        snprintf(rest, room,
                 ", as only %d neighboring lanes are contiguous: let "
                 "neighboring threads access neighboring elements", p.run);
    else if (p.known)
        snprintf(rest, room,
                 ", as its lanes are scattered: order the data so that "
                 "neighboring lanes access neighboring elements, or gather "
                 "from shared memory");
    else if (sectors >= 4 * ideal)
        snprintf(rest, room, ", as its lanes are far apart: %s",
                 column_fix(a->k, row->kind));
    else
        snprintf(rest, room,
                 ", as its lanes leave gaps: let neighboring threads access "
                 "neighboring elements");
}

/* The offset of the first lane is known from the pattern only. */
static void write_misaligned(const struct advisor *a,
                             const struct line_profile *l,
                             const struct access_row *row, char *text)
{
    struct lane_stride p = advice_lane_stride(a->k, l, row->kind);
    int n = snprintf(text, ADVICE_BYTES,
                     "a warp %s %.1f sectors instead of %.1f (misaligned), as "
                     "it begins ",
                     access_verb(l, row), per_request(row->transactions, row),
                     per_request(row->ideal, row));
    char *rest = text + n;
    size_t room = ADVICE_BYTES - (size_t)n;

    if (p.known && p.first % 32)
        n += snprintf(rest, room, "%d bytes past a multiple of 32",
                      (int)(p.first % 32));
    else
        n += snprintf(rest, room, "off a multiple of 32 bytes");
    snprintf(text + n, ADVICE_BYTES - (size_t)n,
             ": pad each row to a multiple of 32 bytes (cudaMallocPitch), or "
             "align the first lane of each warp");
}

/* The line with the most load sectors. */
static const struct line_profile *line_with_most_loads(
    const struct kernel_profile *k)
{
    const struct line_profile *most = NULL;

    for (size_t i = 0; i < k->line_count; i++)
        if (!most
            || k->lines[i].counters.global_load_sectors
                   > most->counters.global_load_sectors)
            most = &k->lines[i];
    return most;
}

/* Data that caches serve repeatedly can be kept in shared memory; data that
 * shared memory serves repeatedly, in registers. */
static void advise_reuse(struct advisor *a)
{
    const struct counters *c = &a->k->total;
    double requested = 32.0 * (double)c->global_load_sectors;
    double reuse = ratio(requested, (double)c->dram_read_bytes);
    int tiled = c->shared_load_requests >= c->global_load_requests;
    struct kernel_profile improved = *a->k;
    const char *remedy;
    double gain;

    if (reuse < 4 || strcmp(a->k->model.limiter, "dram") == 0)
        return;
    improved.total.global_load_requests /= (uint64_t)reuse;
    improved.total.global_load_sectors /= (uint64_t)reuse;
    improved.total.global_load_wavefronts /= (uint64_t)reuse;
    improved.total.l2_read_sectors /= (uint64_t)reuse;
    if (tiled) {
        remedy = "make the tile larger, and let each thread compute several "
               "results from registers (register tiling)";
    } else {
        remedy = "let a block load a tile into shared memory once and reuse it "
               "there (tiling)";
        improved.total.shared_load_requests += c->global_load_requests;
        improved.total.shared_load_wavefronts += c->global_load_requests;
    }
    gain = advice_gain(a, &improved);
    if (gain > 0.05 * advice_work(a))
        advice_add(a, line_with_most_loads(a->k), gain,
                   "%s are loaded from %s of DRAM, each sector %.0f times: %s",
                   format_si(BUFFER, requested, "B"),
                   format_si(BUFFER, (double)c->dram_read_bytes, "B"), reuse,
                   remedy);
}

/* All lanes active, 4 bytes each: vector accesses need a quarter of the
 * instructions. */
static int is_scalar_width(const struct access_row *row)
{
    return row->requests && row->transactions == row->ideal
           && per_request(row->ideal, row) > 3.5
           && per_request(row->ideal, row) < 4.5;
}

/* Remove three of four instructions of a line whose accesses are 4 bytes wide.
 */
static uint64_t vectorize_line(const struct line_profile *l,
                               struct counters *improved)
{
    struct access_row load =
        advice_access_row(&l->counters, ACCESS_GLOBAL_LOAD);
    struct access_row store =
        advice_access_row(&l->counters, ACCESS_GLOBAL_STORE);
    uint64_t requests = 0;

    if (is_scalar_width(&load)) {
        requests += load.requests;
        improved->global_load_requests -= load.requests / 4 * 3;
    }
    if (is_scalar_width(&store)) {
        requests += store.requests;
        improved->global_store_requests -= store.requests / 4 * 3;
    }
    if (requests)
        improved->warp_instructions -= l->counters.warp_instructions / 4 * 3;
    return requests;
}

/* Only if a quarter of the threads still fills the GPU: two warps per
 * scheduler. */
static void advise_vector_width(struct advisor *a)
{
    const struct kernel_profile *k = a->k;
    double warps = ratio((double)k->threads, 32.0 * (double)k->launches);
    struct kernel_profile improved = *k;
    const struct line_profile *worst = NULL;
    uint64_t most = 0;
    double gain;

    if (warps < 4.0 * 2 * SOFTGPU_PARTITIONS * a->card->sms)
        return;
    for (size_t i = 0; i < k->line_count; i++) {
        uint64_t requests = vectorize_line(&k->lines[i], &improved.total);

        if (requests > most) {
            most = requests;
            worst = &k->lines[i];
        }
    }
    gain = worst ? advice_gain(a, &improved) : 0;
    if (gain > 0.05 * advice_work(a))
        advice_add(a, worst, gain,
                   "its accesses are coalesced, but 4 bytes per lane: use "
                   "vector accesses of 16 bytes (float4), a quarter of the "
                   "instructions with four times the bytes in flight");
}

/* Inefficient accesses first: advice on reuse and width is for kernels without
 * them. */
void advise_global(struct advisor *a)
{
    static const struct advice_rule rules[] = {
        {{ACCESS_GLOBAL_LOAD, ACCESS_GLOBAL_STORE}, is_uncoalesced,
         write_uncoalesced, 0},
        {{ACCESS_GLOBAL_LOAD, ACCESS_GLOBAL_STORE}, is_misaligned,
         write_misaligned, 1},
    };

    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        advice_apply_rule(a, &rules[i]);
    if (a->count == 0) /* not both: they would count the excess twice */
        advise_reuse(a);
    if (a->count == 0)
        advise_vector_width(a);
}

void advise_splits(struct advisor *a)
{
    for (size_t i = 0; i < a->k->line_count; i++) {
        const struct line_profile *l = &a->k->lines[i];
        const size_t before = a->count;

        if (!l->split_load && !l->split_store)
            continue;
        advice_add(a, l, -1,
                   "nvcc splits this %s of 16 bytes into four of 4 bytes, as "
                   "the kernel accesses the same elements one by one as well: "
                   "a GPU has 4 times the requests and up to 4 times the "
                   "sectors counted here; %s keeps it whole",
                   l->split_store ? "store" : "load",
                   l->split_store ? "__stwb()" : "__ldg() or __ldcg()");
        if (a->count > before)
            a->list[before].order = -1;
    }
}
