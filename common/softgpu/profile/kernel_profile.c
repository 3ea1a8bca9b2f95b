/* SPDX-License-Identifier: MIT */
/* The profile of a kernel when the program ends: code addresses become source
 * lines, and samples become access patterns. */
#include "kernel_profile.h"

#include <stdlib.h>
#include <string.h>

#include "common/softgpu/host/device.h"
#include "common/softgpu/host/launch.h"
#include "kernel_instructions.h"
#include "kernel_lines.h"
#include "launch_record.h"
#include "instruction_mix.h"
#include "profiler.h"
#include "registers.h"

enum { MAX_EXTRA_PATTERNS = 12 };

/* Constant and local memory accessed by inlined headers of the software GPU is
 * not the program's. */
static int is_runtime_site(const struct site *site,
                           const struct source_line *source)
{
    return is_launch_setup(source)
           || (source->header[0]
               && (site->kind == SITE_CONSTANT || site->kind == SITE_LOCAL));
}

/* nvcc splits an access of 16 bytes when the kernel accesses the same elements
 * one by one as well. */
static void mark_split(struct line_profile *line,
                       const struct softgpu_kernel *kernel,
                       const struct site *site)
{
    const int is_store = site->kind == PATTERN_GLOBAL_STORE;

    if ((!is_store && site->kind != PATTERN_GLOBAL_LOAD)
        || site->sample.access.bytes != 16 || !site->sample.cost
        || !nvcc_splits(kernel, is_store ? "store" : "load", line->file,
                        line->line))
        return;
    *(is_store ? &line->split_store : &line->split_load) = 1;
}

static void add_site(struct kernel_profile *k,
                     const struct softgpu_kernel *kernel,
                     const struct site *site)
{
    struct source_line source;
    struct line_profile *line;

    softgpu_source_line(site->code, &source);
    line = is_runtime_site(site, &source) ? NULL : line_of_source(k, &source);
    if (!line)
        return;
    counters_add(&line->counters, &site->counters);
    mark_split(line, kernel, site);
}

/* From the first executed basic block to the last one. */
static void code_range(const struct kernel_record *r, uint64_t *from,
                       uint64_t *to)
{
    for (uint32_t i = 0; i < r->sites.count; i++) {
        uint64_t code = r->sites.items[i].code;

        if (r->sites.items[i].kind != SITE_BASIC_BLOCK)
            continue;
        *from = code < *from ? code : *from;
        *to = code > *to ? code : *to;
    }
}

/* --- access patterns ----------------------------------------------------- */

/* Does the access cost more than the ideal? */
static int is_inefficient(const struct site *s)
{
    const struct sample *sample = &s->sample;
    struct global_cost cost;

    if (s->kind >= PATTERN_SHARED_LOAD)
        return sample->cost > shared_access_cost(&sample->access).passes;
    global_access_cost(&sample->access, &cost);
    return cost.sectors > 2 * cost.ideal;
}

static void add_pattern(struct kernel_profile *k, const struct site *s)
{
    struct access_pattern *more =
        realloc(k->patterns, (k->pattern_count + 1) * sizeof *more);
    struct access_pattern *p;
    struct source_line source;
    struct line_profile *line;

    if (!more)
        return;
    k->patterns = more;
    softgpu_source_line(s->code, &source);
    line = is_launch_setup(&source) ? NULL : line_of_source(k, &source);
    if (!line)
        return;
    p = &more[k->pattern_count++];
    *p = (struct access_pattern){
        .kind = (enum pattern_kind)s->kind, .file = line->file,
        .line = line->line, .bytes = s->sample.access.bytes,
        .block = s->sample.block, .warp = s->sample.warp};
    for (unsigned l = 0; l < COST_LANES; l++)
        p->lanes[l] = s->sample.access.active >> l & 1
                          ? (int64_t)s->sample.access.address[l] : -1;
}

/* Total cost of a site, in sectors or wavefronts. */
static uint64_t site_cost(const struct site *s)
{
    const struct counters *c = &s->counters;

    if (s->kind >= PATTERN_SHARED_LOAD)
        return c->shared_load_wavefronts + c->shared_store_wavefronts
               + c->shared_atomic_passes;
    return c->global_load_sectors + c->global_store_sectors
           + c->global_atomic_sectors;
}

/* The costliest access to global memory, the costliest to shared memory, and
 * some of those that cost more than the ideal. */
static void add_patterns(struct kernel_profile *k,
                         const struct kernel_record *r)
{
    const struct site *worst[2] = {NULL, NULL};
    size_t extra_patterns = 0;

    for (uint32_t i = 0; i < r->sites.count; i++) {
        const struct site *s = &r->sites.items[i];
        int shared = s->kind >= PATTERN_SHARED_LOAD;

        if (s->kind < PATTERN_KINDS && s->sample.cost
            && (!worst[shared] || site_cost(s) > site_cost(worst[shared])))
            worst[shared] = s;
    }
    for (uint32_t i = 0; i < r->sites.count; i++) {
        const struct site *s = &r->sites.items[i];

        if (s->kind >= PATTERN_KINDS || !s->sample.cost)
            continue;
        if (s == worst[0] || s == worst[1]
            || (is_inefficient(s) && extra_patterns++ < MAX_EXTRA_PATTERNS))
            add_pattern(k, s);
    }
}

/* --- kernels ------------------------------------------------------------- */

static int by_place(const void *left, const void *right)
{
    const struct line_profile *a = left, *b = right;
    int files = strcmp(a->file, b->file);

    return files ? files : (a->line > b->line) - (a->line < b->line);
}

static void fill_launch_facts(struct kernel_profile *k,
                              const struct kernel_record *r)
{
    const struct softgpu_kernel *kernel = r->kernel;
    const uint32_t by_ptxas = ptxas_registers(kernel);

    *k = (struct kernel_profile){
        .name = kernel->name, .file = kernel->file, .line = kernel->line,
        .launches = r->launches, .grid = r->grid, .block = r->block,
        .blocks = r->blocks, .blocks_watched = r->blocks_watched,
        .threads = r->threads,
        .static_shared = (uint32_t)softgpu_static_shared(kernel),
        .dynamic_shared = r->dynamic_shared, .records_split = r->split,
        .registers = by_ptxas ? by_ptxas : REGISTERS_ASSUMED,
        .registers_measured = by_ptxas != 0};
}

/* Counters of all lines, and their sums. */
static void fill_counters(struct kernel_profile *k,
                          const struct kernel_record *r,
                          const struct instruction_mix *mix)
{
    fill_launch_facts(k, r);
    for (uint32_t i = 0; i < r->sites.count; i++)
        add_site(k, r->kernel, &r->sites.items[i]);
    k->instructions_known = mix->count != 0;
    kernel_add_instructions(k, &r->sites, mix);
    for (size_t i = 0; i < k->line_count; i++)
        counters_add(&k->total, &k->lines[i].counters);
    counters_add(&k->total, &r->cached);
}

/* The time is the sum of all launches. */
static void fill_kernel(struct kernel_profile *k, const struct kernel_record *r,
                        const struct instruction_mix *mix)
{
    fill_counters(k, r, mix);
    if (k->lines)
        qsort(k->lines, k->line_count, sizeof *k->lines, by_place);
    add_patterns(k, r);
    model_kernel(softgpu_card(), k);
    if (!r->groups.count)
        return;
    k->model = r->groups.time;
    k->groups = r->groups.shown;
    k->group_count = r->groups.count;
}

/* Library calls have no counters: only their least time is known. */
static void fill_library(struct kernel_profile *k,
                         const struct kernel_record *r)
{
    const double start = softgpu_card()->launch_ns / 1000.0;

    fill_launch_facts(k, r);
    k->library = 1;
    k->model.us = (double)r->library_ns / 1000 + start * (double)r->launches;
    k->model.limiter = "library";
}

/* The instructions from `from` to `to`: disassembled again only when they are
 * not all known. */
static const struct instruction_mix *instructions_between(uint64_t from,
                                                          uint64_t to)
{
    static struct instruction_mix mix;
    static uint64_t known_from = UINT64_MAX, known_to;

    if (!to || (from >= known_from && to <= known_to))
        return &mix;
    known_from = from < known_from ? from : known_from;
    known_to = to > known_to ? to : known_to;
    instruction_mix_free(&mix);
    disassemble_program(known_from - 16, known_to + 4096, &mix);
    return &mix;
}

void profile_launch(const struct kernel_record *one, struct kernel_profile *k)
{
    uint64_t from = UINT64_MAX, to = 0;

    code_range(one, &from, &to);
    fill_counters(k, one, instructions_between(from, to));
    model_kernel(softgpu_card(), k);
}

void profile_kernel_free(struct kernel_profile *k)
{
    for (size_t i = 0; i < k->line_count; i++)
        free((void *)(uintptr_t)k->lines[i].file);
    free(k->lines);
    free(k->patterns);
}

struct kernel_profile *profile_all_kernels(size_t *count)
{
    const struct kernel_record *r;
    const struct instruction_mix *mix;
    struct kernel_profile *all;
    uint64_t from = UINT64_MAX, to = 0;
    size_t n = 0;

    for (r = kernel_records(); r; r = r->next, n++)
        code_range(r, &from, &to);
    all = calloc(n + 1, sizeof *all);
    *count = all ? n : 0;
    mix = instructions_between(from, to);
    for (r = kernel_records(), n = 0; all && r; r = r->next, n++)
        if (r->kernel->flags & SOFTGPU_LIBRARY)
            fill_library(&all[n], r);
        else
            fill_kernel(&all[n], r, mix);
    return all;
}
