/* SPDX-License-Identifier: MIT */
/* The end: from code addresses to source lines, from runs of basic blocks to
 * instructions, from samples to pictures. */
#include "kernels.h"

#include <stdlib.h>
#include <string.h>

#include "../host/device.h"
#include "../watch/lines.h"
#include "../watch/modes.h"
#include "grid.h"
#include "mix.h"
#include "registers.h"

enum { WORST_PICTURES = 12 };

/* The line of a kernel's profile, made if it is new; NULL without memory. */
static struct line_profile *line_at(struct kernel_profile *k, const char *file,
                                    int line)
{
    struct line_profile *more;
    size_t i = 0;

    while (i < k->line_count
           && (k->lines[i].line != line || strcmp(k->lines[i].file, file)))
        i++;
    if (i < k->line_count)
        return &k->lines[i];
    more = realloc(k->lines, (i + 1) * sizeof *more);
    if (!more)
        return NULL;
    k->lines = more;
    memset(&more[i], 0, sizeof *more);
    more[i].file = strdup(file);
    more[i].line = line;
    k->line_count += more[i].file != NULL;
    return more[i].file ? &more[i] : NULL;
}

/* The line of a place; the kernel's own when unknown. */
static struct line_profile *line_at_place(struct kernel_profile *k,
                                          const struct source_line *place)
{
    if (!place->line)
        return line_at(k, k->file, k->line);
    return line_at(k, place->file, place->line);
}

/* How a thread begins and finds its shared memory: nothing of that is there on
 * a card. */
static int is_set_up(const struct source_line *place)
{
    return strcmp(place->header, "softgpu/shared.h") == 0
           || strcmp(place->header, "softgpu/launch.h") == 0;
}

/* Constants and local memory that inlined headers of ours touch are not the
 * program's. */
static int is_ours(const struct site *site, const struct source_line *place)
{
    return is_set_up(place)
           || (place->header[0]
               && (site->kind == SITE_CONSTANT || site->kind == SITE_LOCAL));
}

static void add_site(struct kernel_profile *k, const struct site *site)
{
    struct source_line place;
    struct line_profile *line;

    softgpu_source_line(site->code, &place);
    line = is_ours(site, &place) ? NULL : line_at_place(k, &place);
    if (line)
        counters_add(&line->counters, &site->counters);
}

/* --- instructions -------------------------------------------------------- */

/* Two operations in one? */
static int is_fused(enum mix_class class)
{
    return class == MIX_FLOAT2 || class == MIX_DOUBLE2;
}

/* Operations of the class, by what they work on. */
static void add_flops(struct counters *c, enum mix_class class, uint64_t lanes,
                      const char *header)
{
    uint64_t n = lanes << is_fused(class);

    if (class == MIX_SPECIAL)
        c->flop_special += n;
    else if (class == MIX_DOUBLE || class == MIX_DOUBLE2)
        c->flop_double += n;
    else if (strncmp(header, "softgpu/small/", 14) == 0)
        c->flop_half += n; /* computed in float, then rounded */
    else
        c->flop_float += n;
}

static int is_flop(enum mix_class class)
{
    return class >= MIX_FLOAT && class <= MIX_SPECIAL;
}

/* What inlined headers of ours do beside the access or the operation that a
 * card would do; its atomics compute elsewhere, and what its shuffles carry
 * stays in registers. */
static int is_hidden(enum mix_class class, const struct source_line *place)
{
    if (strcmp(place->header, "softgpu/atomic.h") == 0)
        return class != MIX_ACCESS;
    if (strcmp(place->header, "softgpu/warp.h") == 0)
        return class != MIX_WARP && !is_flop(class);
    if (strcmp(place->header, "softgpu/ptx/tensor.h") == 0)
        return 1; /* one instruction asks for a box */
    return is_set_up(place)
           || (place->header[0]
               && (class == MIX_INTEGER || class == MIX_BRANCH
                   || class == MIX_OTHER));
}

/* Is it of a matrix instruction?  Its lanes' products are one instruction,
 * which is the call that brings them together, and no shuffle. */
static int is_matrix(const struct source_line *place)
{
    return strncmp(place->header, "softgpu/wmma", 12) == 0
           || strncmp(place->header, "softgpu/ptx/", 12) == 0;
}

static void add_instruction(struct kernel_profile *k,
                            const struct mix_instruction *i,
                            const struct site *block)
{
    struct source_line place;
    struct line_profile *line;
    struct counters *c;

    softgpu_source_line(i->code, &place);
    if (is_hidden(i->class, &place) || !(line = line_at_place(k, &place)))
        return;
    c = &line->counters;
    if (is_matrix(&place) && is_flop(i->class)) {
        c->flop_tensor += block->lanes * i->width << is_fused(i->class);
        return;
    }
    c->warp_instructions += block->runs;
    c->thread_instructions += block->lanes;
    if (i->class == MIX_INTEGER)
        c->integer_instructions += block->lanes;
    else if (i->class == MIX_WARP)
        c->warp_calls += is_matrix(&place) ? 0 : block->runs;
    else if (i->class == MIX_BRANCH) {
        c->branches += block->runs;
        c->branches_divergent += block->parted;
    } else if (is_flop(i->class))
        add_flops(c, i->class, block->lanes * i->width, place.header);
}

/* From the first basic block that ran to the end of the last one. */
static void code_range(const struct kernel_record *r, uint64_t *from,
                       uint64_t *to)
{
    for (uint32_t i = 0; i < r->sites.count; i++) {
        uint64_t code = r->sites.all[i].code;

        if (r->sites.all[i].kind != SITE_BLOCK)
            continue;
        *from = code < *from ? code : *from;
        *to = code > *to ? code : *to;
    }
}

static void add_instructions(struct kernel_profile *k,
                             const struct kernel_record *r,
                             const struct mix *mix)
{
    const struct mix_instruction *branch = NULL;

    for (size_t i = 0; i < mix->count; i++) {
        const struct mix_instruction *one = &mix->all[i];
        const struct site *block =
            sites_find(&r->sites, one->block, SITE_BLOCK);
        int again = branch && branch->block == one->block
                    && one->class == MIX_BRANCH;

        if (!block || !block->runs)
            continue;
        if (!again) /* of a block's jumps one tells where lanes went */
            add_instruction(k, one, block);
        if (one->class == MIX_BRANCH)
            branch = one;
    }
}

/* --- pictures ------------------------------------------------------------ */

/* Does the instruction cost more than it must? */
static int is_wasteful(const struct site *s)
{
    const struct sample *sample = &s->sample;
    struct global_cost cost;

    if (s->kind >= PICTURE_SHARED_LOAD)
        return sample->cost > rule_shared(&sample->was).passes;
    rule_global(&sample->was, &cost);
    return cost.sectors > 2 * cost.ideal;
}

static void add_picture(struct kernel_profile *k, const struct site *s)
{
    struct access_picture *more =
        realloc(k->pictures, (k->picture_count + 1) * sizeof *more);
    struct access_picture *p;
    struct source_line place;
    struct line_profile *line;

    if (!more)
        return;
    k->pictures = more;
    softgpu_source_line(s->code, &place);
    line = is_set_up(&place) ? NULL : line_at_place(k, &place);
    if (!line)
        return;
    p = &more[k->picture_count++];
    *p = (struct access_picture){
        .kind = (enum picture_kind)s->kind, .file = line->file,
        .line = line->line, .bytes = s->sample.was.bytes,
        .block = s->sample.block, .warp = s->sample.warp};
    for (unsigned l = 0; l < RULE_LANES; l++)
        p->lanes[l] = s->sample.was.active >> l & 1
                          ? (int64_t)s->sample.was.at[l] : -1;
}

/* What a site cost in all, in sectors or wavefronts. */
static uint64_t cost_of(const struct site *s)
{
    const struct counters *c = &s->counters;

    if (s->kind >= PICTURE_SHARED_LOAD)
        return c->shared_load_wavefronts + c->shared_store_wavefronts
               + c->shared_atomic_passes;
    return c->global_load_sectors + c->global_store_sectors
           + c->global_atomic_sectors;
}

/* The costliest access to global memory and to shared memory, and those that
 * cost more than they must. */
static void add_pictures(struct kernel_profile *k,
                         const struct kernel_record *r)
{
    const struct site *worst[2] = {NULL, NULL};
    size_t extra = 0;

    for (uint32_t i = 0; i < r->sites.count; i++) {
        const struct site *s = &r->sites.all[i];
        int shared = s->kind >= PICTURE_SHARED_LOAD;

        if (s->kind < PICTURE_KINDS && s->sample.cost
            && (!worst[shared] || cost_of(s) > cost_of(worst[shared])))
            worst[shared] = s;
    }
    for (uint32_t i = 0; i < r->sites.count; i++) {
        const struct site *s = &r->sites.all[i];

        if (s->kind >= PICTURE_KINDS || !s->sample.cost)
            continue;
        if (s == worst[0] || s == worst[1]
            || (is_wasteful(s) && extra++ < WORST_PICTURES))
            add_picture(k, s);
    }
}

/* --- a kernel ------------------------------------------------------------ */

static int by_place(const void *left, const void *right)
{
    const struct line_profile *a = left, *b = right;
    int files = strcmp(a->file, b->file);

    return files ? files : (a->line > b->line) - (a->line < b->line);
}

static void describe(struct kernel_profile *k, const struct kernel_record *r)
{
    const struct softgpu_kernel *kernel = r->kernel;
    const uint32_t told = registers_by_ptxas(kernel);

    *k = (struct kernel_profile){
        .name = kernel->name, .file = kernel->file, .line = kernel->line,
        .launches = r->launches, .grid = r->grid, .block = r->block,
        .blocks = r->blocks, .blocks_watched = r->blocks_watched,
        .threads = r->threads, .static_shared = kernel->static_shared,
        .dynamic_shared = r->dynamic_shared, .records_split = r->split,
        .registers = told ? told : REGISTERS_ASSUMED,
        .registers_measured = told != 0};
}

static void fill(struct kernel_profile *k, const struct kernel_record *r,
                 const struct mix *mix)
{
    describe(k, r);
    for (uint32_t i = 0; i < r->sites.count; i++)
        add_site(k, &r->sites.all[i]);
    k->instructions_known = mix->count != 0;
    add_instructions(k, r, mix);
    add_pictures(k, r);
    if (k->lines)
        qsort(k->lines, k->line_count, sizeof *k->lines, by_place);
    for (size_t i = 0; i < k->line_count; i++)
        counters_add(&k->total, &k->lines[i].counters);
    if (r->caches)
        caches_count(r->caches, &k->total);
    model_kernel(softgpu_card(), k);
}

/* Nothing is counted of a library's call: only its least time is known. */
static void fill_library(struct kernel_profile *k,
                         const struct kernel_record *r)
{
    const double start = softgpu_card()->launch_ns / 1000.0;

    describe(k, r);
    k->library = 1;
    k->model.us = (double)r->library_ns / 1000 + start * (double)r->launches;
    k->model.limiter = "library";
}

void profile_kernel(const struct kernel_record *r, struct kernel_profile *k)
{
    struct mix mix = {NULL, 0, 0};
    uint64_t from = UINT64_MAX, to = 0;

    code_range(r, &from, &to);
    if (to)
        mix_read(from - 16, to + 4096, &mix);
    fill(k, r, &mix);
    mix_free(&mix);
}

void profile_kernel_free(struct kernel_profile *k)
{
    for (size_t i = 0; i < k->line_count; i++)
        free((void *)(uintptr_t)k->lines[i].file);
    free(k->lines);
    free(k->pictures);
}

struct kernel_profile *profile_kernels(size_t *count)
{
    const struct kernel_record *r;
    struct kernel_profile *all;
    struct mix mix = {NULL, 0, 0};
    uint64_t from = UINT64_MAX, to = 0;
    size_t n = 0;

    for (r = profile_records(); r; r = r->next, n++)
        code_range(r, &from, &to);
    all = calloc(n + 1, sizeof *all);
    *count = all ? n : 0;
    if (to)
        mix_read(from - 16, to + 4096, &mix);
    for (r = profile_records(), n = 0; all && r; r = r->next, n++)
        if (r->kernel->flags & SOFTGPU_LIBRARY)
            fill_library(&all[n], r);
        else
            fill(&all[n], r, &mix);
    mix_free(&mix);
    return all;
}
