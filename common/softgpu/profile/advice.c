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

/* Where nothing but the start is modelled, that is all there is. */
double advice_work(const struct advisor *a)
{
    double work = a->k->model.us - ceiling_us(a->k, "launch");

    return work > 0 ? work : a->k->model.us;
}

/* The longest ceiling, and the next after it; launches are told apart. */
static const char *longest(const struct kernel_profile *k, const char *but)
{
    const char *name = NULL;
    double most = 0;

    for (size_t i = 0; model_ceilings[i]; i++)
        if (strcmp(model_ceilings[i], "launch") != 0
            && (!but || strcmp(model_ceilings[i], but) != 0)
            && k->model.ceiling[i] > most) {
            most = k->model.ceiling[i];
            name = model_ceilings[i];
        }
    return name;
}

/* "; modelled 2.9 times as fast." */
static void put_gain(const struct advisor *a, struct advice *advice)
{
    double work = advice_work(a);
    /* more than all work: it saves launches */
    double base = advice->gain > work ? a->k->model.us : work;
    double share = ratio(advice->gain, base);
    size_t n = strlen(advice->text), room = sizeof advice->text - n;

    if (advice->gain < 0 || work <= 0 || !longest(a->k, NULL))
        snprintf(advice->text + n, room, ".");
    else if (share < WORTH_SAYING)
        snprintf(advice->text + n, room, "; it gains little while the limit is "
                 "%s.", say_ceiling(longest(a->k, NULL)));
    else
        snprintf(advice->text + n, room, "; modelled %.3g times as fast%s.",
                 share < 0.99 ? 1 / (1 - share) : 100,
                 base < 0.75 * a->k->model.us ? ", its start aside" : "");
}

void advice_add(struct advisor *a, const struct line_profile *where,
                double gain, const char *format, ...)
{
    struct advice *advice = &a->list[a->count];
    va_list arguments;

    if (a->count == RULES_MOST)
        return;
    a->count++;
    advice->gain = gain;
    advice->late = 0;
    advice->file = where ? where->file : NULL;
    advice->line = where ? where->line : 0;
    va_start(arguments, format);
    vsnprintf(advice->text, sizeof advice->text - 64, format, arguments);
    va_end(arguments);
    put_gain(a, advice);
}

/* Rows are made anew each time: a kernel has few lines, and advice is asked
 * for once. */
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

/* From each pair of neighbours that both took part: one step, or several; and
 * the longest run of lanes that touch byte after byte. */
static void read_pattern(const struct access_picture *p,
                         struct lane_pattern *to)
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

/* The first sample of this line and kind that has two neighbours in it. */
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

/* Differences of counters that a false report may have crossed. */
static uint64_t less(uint64_t from, uint64_t what)
{
    return from > what ? from - what : 0;
}

/* The share of a counter that stays. */
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
    const uint64_t excess = less(row->moved, row->ideal);

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

/* The row that is told of. */
struct sick_row {
    const struct line_profile *line;
    struct access_row row;
};

/* What was moved for nothing. */
static uint64_t excess(const struct access_row *row)
{
    return less(row->moved, row->ideal);
}

/* Cure the sick rows of a line; remember the worst. @return 1 if one is. */
static int cure_line(const struct advisor *a, const struct row_rule *rule,
                     const struct line_profile *l, struct counters *cured,
                     struct sick_row *worst)
{
    int kinds = rule->kinds[0] == rule->kinds[1] ? 1 : 2, sick = 0;

    for (int n = 0; n < kinds; n++) {
        struct access_row row = advice_row(&l->counters, rule->kinds[n]);

        if (!row.requests || !rule->sick(a, l, &row))
            continue;
        cure(cured, &row);
        sick = 1;
        if (!worst->line || excess(&row) > excess(&worst->row))
            *worst = (struct sick_row){l, row};
    }
    return sick;
}

/* One sentence for one cause: its worst line is named, the others are counted,
 * and the gain is of all of them. */
void advice_rows(struct advisor *a, const struct row_rule *rule)
{
    struct kernel_profile cured = *a->k;
    struct sick_row worst = {0};
    int lines = 0;
    double gain;
    char text[ADVICE_BYTES], more[48] = "";

    for (size_t i = 0; i < a->k->line_count; i++)
        lines += cure_line(a, rule, &a->k->lines[i], &cured.total, &worst);
    if (!lines)
        return;
    if (lines > 1)
        snprintf(more, sizeof more, " (and at %d more line%s)", lines - 1,
                 lines == 2 ? "" : "s");
    gain = advice_gain(a, &cured);
    if (rule->only_gains && gain < WORTH_SAYING * advice_work(a))
        return;
    rule->say(a, worst.line, &worst.row, text);
    advice_add(a, worst.line, gain, "%s%s", text, more);
}

/* Gains that are equal go by place, so that the order never depends on the
 * order of the rules. */
static int by_gain(const void *left, const void *right)
{
    const struct advice *a = left, *b = right;

    if (a->late != b->late)
        return a->late - b->late;
    if (a->gain != b->gain)
        return a->gain > b->gain ? -1 : 1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return strcmp(a->text, b->text);
}

/* What helps against a ceiling that nothing wasteful raises; in brackets. */
static const char *hint(const char *ceiling)
{
    static const char *const hints[][2] = {
        {"issue", " (wider accesses and fewer index sums need fewer of them)"},
        {"fp", " (arithmetic is what the card is for)"},
        {"lsu", " (wider accesses, or values kept in registers, need it less)"},
        {"shared", " (values kept in registers need it less)"},
        {"l2", " (a tile in shared memory would be read there but once)"},
        {"dram", " (only fewer bytes would take less)"},
        {"atomics", " (adding up before them leaves fewer)"},
        {"latency", " (more warps, or more loads under way in each, hide it)"},
    };

    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (strcmp(hints[i][0], ceiling) == 0)
            return hints[i][1];
    return "";
}

/* What the time consists of now, with the runner-up. */
static void say_what_limits(const struct advisor *a, struct advice *out)
{
    const struct kernel_profile *k = a->k;
    const char *first = longest(k, NULL), *second = longest(k, first);
    double work = advice_work(a), us = k->model.us;
    int n = 0;

    memset(out, 0, sizeof *out);
    if (!first) {
        snprintf(out->text, sizeof out->text, "Nothing stands out.");
        return;
    }
    if (us - work > us / 2)
        n = snprintf(out->text, sizeof out->text, "Starting takes %.0f %% of "
                     "the modelled time, as there is little work.  ",
                     100 * (us - work) / us);
    n += snprintf(out->text + n, sizeof out->text - (size_t)n,
                  "The limit now is %s, %.0f %% of the modelled work%s",
                  say_ceiling(first), 100 * ratio(ceiling_us(k, first), work),
                  a->count ? "" : hint(first));
    if (second)
        n += snprintf(out->text + n, sizeof out->text - (size_t)n,
                      "; next comes %s with %.0f %%", say_ceiling(second),
                      100 * ratio(ceiling_us(k, second), work));
    snprintf(out->text + n, sizeof out->text - (size_t)n, ".");
}

/* All rules look; the three that gain most are told. */
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
