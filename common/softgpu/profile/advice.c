/* SPDX-License-Identifier: MIT */
/* Gather what the rules say, keep what gains most. */
#include "advice.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advice_rules.h"
#include "text_format.h"

/* Less than this share of the time is nothing to promise. */
#define WORTH_SAYING 0.02

double advice_gain(const struct advisor *a, const struct kernel_profile *cured)
{
    struct kernel_profile timed = *cured;
    double gain;

    model_kernel(a->card, &timed);
    gain = a->k->model.us - timed.model.us;
    return gain > 0 ? gain : 0;
}

/* "; modelled 2.9 times as fast." */
static void put_gain(const struct advisor *a, struct advice *advice)
{
    double us = a->k->model.us, share = ratio(advice->gain, us);
    size_t n = strlen(advice->text), room = sizeof advice->text - n;

    if (advice->gain < 0 || us <= 0)
        snprintf(advice->text + n, room, ".");
    else if (share < WORTH_SAYING)
        snprintf(advice->text + n, room, "; this gains nothing yet, as %s "
                 "%s the limit.", say_ceiling(a->k->model.limiter),
                 strcmp(a->k->model.limiter, "lsu") == 0
                         || strcmp(a->k->model.limiter, "atomics") == 0
                     ? "are" : "is");
    else
        snprintf(advice->text + n, room, "; modelled %.3g times as fast.",
                 share < 0.99 ? 1 / (1 - share) : 100);
}

void advice_add(struct advisor *a, const struct line_profile *where, double gain,
                const char *format, ...)
{
    struct advice *advice = &a->list[a->count];
    va_list arguments;

    if (a->count == RULES_MOST)
        return;
    a->count++;
    advice->gain = gain;
    advice->file = where ? where->file : NULL;
    advice->line = where ? where->line : 0;
    va_start(arguments, format);
    vsnprintf(advice->text, sizeof advice->text - 64, format, arguments);
    va_end(arguments);
    put_gain(a, advice);
}

struct access_row advice_row(const struct counters *c, enum access_kind kind)
{
    struct access_row rows[ACCESS_KINDS];
    size_t n = access_rows(c, rows);

    for (size_t i = 0; i < n; i++)
        if (rows[i].kind == kind)
            return rows[i];
    return (struct access_row){.kind = kind, .what = "", .unit = ""};
}

/* Kinds of row and of picture come in the same order. */
static int shows(const struct access_picture *p, const struct line_profile *l,
                 enum access_kind kind)
{
    return (int)p->kind == (int)kind && p->line == l->line
           && strcmp(p->file, l->file) == 0;
}

static void read_pattern(const struct access_picture *p, struct lane_pattern *to)
{
    int pairs = 0, same = 1, run = 1;

    to->bytes = p->bytes;
    to->first = -1;
    to->run = 1;
    for (int i = 0; i < 32; i++)
        if (p->lanes[i] >= 0 && to->first < 0)
            to->first = p->lanes[i];
    for (int i = 1; i < 32; i++) {
        int64_t step = p->lanes[i] - p->lanes[i - 1];

        if (p->lanes[i] < 0 || p->lanes[i - 1] < 0)
            continue;
        same = same && (pairs == 0 || step == to->stride);
        if (pairs++ == 0)
            to->stride = step;
        run = step == (int64_t)p->bytes ? run + 1 : 1;
        to->run = run > to->run ? run : to->run;
    }
    to->known = pairs > 0;
    if (!same)
        to->stride = 0;
}

struct lane_pattern advice_pattern(const struct kernel_profile *k,
                                   const struct line_profile *line,
                                   enum access_kind kind)
{
    struct lane_pattern pattern = {0};

    for (size_t i = 0; i < k->picture_count && !pattern.known; i++)
        if (shows(&k->pictures[i], line, kind))
            read_pattern(&k->pictures[i], &pattern);
    return pattern;
}

static uint64_t less(uint64_t from, uint64_t what)
{
    return from > what ? from - what : 0;
}

static void shrink(uint64_t *value, double share)
{
    *value = (uint64_t)((double)*value * share);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Fewer sectors mean as much less traffic below, but DRAM saves nothing that
 * a cache had already saved. */
static void cure_global(struct counters *c, const struct access_row *row)
{
    uint64_t excess = less(row->moved, row->ideal);
    int loads = row->kind == ACCESS_GLOBAL_LOAD;
    uint64_t *sectors = loads ? &c->global_load_sectors
                              : &c->global_store_sectors;
    uint64_t *l2 = loads ? &c->l2_read_sectors : &c->l2_write_sectors;
    uint64_t *dram = loads ? &c->dram_read_bytes : &c->dram_write_bytes;
    double share = ratio((double)less(*sectors, excess), (double)*sectors);

    *sectors = less(*sectors, excess);
    shrink(l2, share);
    *dram = least(*dram, 32 * *sectors);
}

/* Take from the sums what this row has too much. */
static void cure(struct counters *c, const struct access_row *row)
{
    uint64_t excess = less(row->moved, row->ideal);

    switch (row->kind) {
    case ACCESS_GLOBAL_LOAD:
    case ACCESS_GLOBAL_STORE:
        cure_global(c, row);
        break;
    case ACCESS_SHARED_LOAD:
        c->shared_load_wavefronts = less(c->shared_load_wavefronts, excess);
        c->shared_load_conflicts = less(c->shared_load_conflicts, excess);
        break;
    case ACCESS_SHARED_STORE:
        c->shared_store_wavefronts = less(c->shared_store_wavefronts, excess);
        c->shared_store_conflicts = less(c->shared_store_conflicts, excess);
        break;
    case ACCESS_GLOBAL_ATOMIC:
        shrink(&c->global_atomic_hottest, row->used);
        c->global_atomic_passes = less(c->global_atomic_passes, excess);
        break;
    case ACCESS_SHARED_ATOMIC:
        c->shared_atomic_passes = less(c->shared_atomic_passes, excess);
        break;
    case ACCESS_CONSTANT_LOAD:
        c->constant_passes = less(c->constant_passes, excess);
        break;
    default:
        break;
    }
}

void advice_rows(struct advisor *a, const struct row_rule *rule)
{
    struct kernel_profile cured = *a->k;
    const struct line_profile *worst = NULL;
    uint64_t most = 0;
    int others = -1;
    char text[ADVICE_BYTES], more[48] = "";

    for (size_t i = 0; i < a->k->line_count; i++) {
        const struct line_profile *l = &a->k->lines[i];
        struct access_row row = advice_row(&l->counters, rule->kind);

        if (!row.requests || !rule->sick(a, l, &row))
            continue;
        cure(&cured.total, &row);
        others++;
        if (!worst || row.moved - row.ideal > most) {
            worst = l;
            most = row.moved - row.ideal;
        }
    }
    if (!worst)
        return;
    if (others)
        snprintf(more, sizeof more, " (and at %d more line%s)", others,
                 others == 1 ? "" : "s");
    struct access_row row = advice_row(&worst->counters, rule->kind);
    rule->say(a, worst, &row, text);
    advice_add(a, worst, advice_gain(a, &cured), "%s%s", text, more);
}

static int by_gain(const void *left, const void *right)
{
    const struct advice *a = left, *b = right;

    if (a->gain != b->gain)
        return a->gain > b->gain ? -1 : 1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return strcmp(a->text, b->text);
}

/* What the time consists of now, with the runner-up. */
static void say_what_limits(const struct advisor *a, struct advice *out)
{
    const struct model_time *model = &a->k->model;
    const char *first = model->limiter, *second = NULL;
    double next = 0;

    out->gain = 0;
    out->file = NULL;
    out->line = 0;
    for (size_t i = 0; model_ceilings[i]; i++)
        if (strcmp(model_ceilings[i], first ? first : "") != 0
            && model->ceiling[i] > next) {
            next = model->ceiling[i];
            second = model_ceilings[i];
        }
    if (model->us <= 0)
        snprintf(out->text, sizeof out->text, "Nothing stands out.");
    else if (!second)
        snprintf(out->text, sizeof out->text,
                 "The limit now is %s.", say_ceiling(first));
    else
        snprintf(out->text, sizeof out->text,
                 "The limit now is %s, %.0f %% of the modelled time; next comes "
                 "%s with %.0f %%.", say_ceiling(first),
                 100 * ratio(ceiling_us(a->k, first), model->us),
                 say_ceiling(second), 100 * ratio(next, model->us));
}

size_t advise(const struct kernel_profile *k, const struct softgpu_card *card,
              struct advice *out)
{
    struct advisor a = {.k = k, .card = card};
    size_t n;

    advise_global(&a);
    advise_shared(&a);
    advise_shape(&a);
    qsort(a.list, a.count, sizeof *a.list, by_gain);
    n = a.count < ADVICE_MOST ? a.count : ADVICE_MOST;
    memcpy(out, a.list, n * sizeof *out);
    if (n < ADVICE_MOST)
        say_what_limits(&a, &out[n++]);
    return n;
}
