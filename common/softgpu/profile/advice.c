/* SPDX-License-Identifier: MIT */
/* Applies all rules to a kernel and keeps the advice with the largest gains. */
#include "advice.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advice_rules.h"
#include "text_format.h"

/* A gain below this share of the time is not promised. */
#define MIN_GAIN_SHARE 0.02

double advice_gain(const struct advisor *a,
                   const struct kernel_profile *improved)
{
    double gain =
        a->k->model.us - model_changed_us(a->card, a->k, improved);

    return gain > 0 ? gain : 0;
}

/* Where only the launch overhead is modeled, it is the work. */
double advice_work(const struct advisor *a)
{
    double work = a->k->model.us - ceiling_us(a->k, "launch");

    return work > 0 ? work : a->k->model.us;
}

/* The largest ceiling, or the largest other than `but`; launch overhead is
 * reported separately. */
static const char *largest_ceiling(const struct kernel_profile *k,
                                   const char *but)
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

/* Append "; modeled 2.9 times as fast." */
static void append_gain(const struct advisor *a, struct advice *advice)
{
    double work = advice_work(a);
    /* more than all work: it saves launch overhead */
    double base = advice->gain > work ? a->k->model.us : work;
    double share = ratio(advice->gain, base);
    size_t n = strlen(advice->text), room = sizeof advice->text - n;

    if (advice->gain < 0 || work <= 0 || !largest_ceiling(a->k, NULL))
        snprintf(advice->text + n, room, ".");
    else if (share < MIN_GAIN_SHARE)
        snprintf(advice->text + n, room,
                 "; the gain is small while the limit is %s.",
                 ceiling_label(largest_ceiling(a->k, NULL)));
    else
        snprintf(advice->text + n, room, "; modeled %.3g times as fast%s.",
                 share < 0.99 ? 1 / (1 - share) : 100,
                 base < 0.75 * a->k->model.us ? ", without launch overhead"
                                              : "");
}

void advice_add(struct advisor *a, const struct line_profile *where,
                double gain, const char *format, ...)
{
    struct advice *advice = &a->list[a->count];
    va_list arguments;

    if (a->count == MAX_CANDIDATES)
        return;
    a->count++;
    advice->gain = gain;
    advice->order = 0;
    advice->file = where ? where->file : NULL;
    advice->line = where ? where->line : 0;
    va_start(arguments, format);
    vsnprintf(advice->text, sizeof advice->text - 64, format, arguments);
    va_end(arguments);
    append_gain(a, advice);
}

/* Rows are built for each call: a kernel has few lines, and advice is
 * generated once. */
struct access_row advice_access_row(const struct counters *c,
                                    enum access_kind kind)
{
    struct access_row rows[ACCESS_KINDS];
    size_t n = build_access_rows(c, rows);

    for (size_t i = 0; i < n; i++)
        if (rows[i].kind == kind)
            return rows[i];
    return (struct access_row){.kind = kind, .what = "", .unit = ""};
}

/* Kinds of rows and of patterns have the same order. */
static int is_pattern_of(const struct access_pattern *p,
                         const struct line_profile *l, enum access_kind kind)
{
    return (int)p->kind == (int)kind && p->line == l->line
           && strcmp(p->file, l->file) == 0;
}

/* Compute the stride between neighboring active lanes, and the longest run of
 * lanes that access consecutive addresses. */
static void compute_stride(const struct access_pattern *p,
                           struct lane_stride *to)
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

/* The stride of the first pattern of this line and kind with two active
 * neighbors. */
struct lane_stride advice_lane_stride(const struct kernel_profile *k,
                                      const struct line_profile *line,
                                      enum access_kind kind)
{
    struct lane_stride pattern = {0};

    for (size_t i = 0; i < k->pattern_count && !pattern.known; i++)
        if (is_pattern_of(&k->patterns[i], line, kind))
            compute_stride(&k->patterns[i], &pattern);
    return pattern;
}

int advice_has_fields(const struct kernel_profile *k, int64_t stride)
{
    int64_t first = -1;

    for (size_t i = 0; i < k->pattern_count; i++) {
        struct lane_stride p = {0};

        compute_stride(&k->patterns[i], &p);
        if (!p.known || (p.stride != stride && p.stride != -stride))
            continue;
        if (first >= 0 && first != p.first % stride)
            return 1;
        first = p.first % stride;
    }
    return 0;
}

/* a - b, or 0: the counters of an inconsistent report may have b > a. */
static uint64_t saturating_sub(uint64_t from, uint64_t what)
{
    return from > what ? from - what : 0;
}

/* Keep this share of a counter. */
static void scale_counter(uint64_t *value, double share)
{
    *value = (uint64_t)((double)*value * share);
}

static uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Fewer sectors reduce L2 traffic by the same share.  DRAM traffic falls only
 * where caches had not absorbed the excess. */
static void remove_global_excess(struct counters *c,
                                 const struct access_row *row)
{
    uint64_t excess = saturating_sub(row->transactions, row->ideal);
    int loads = row->kind == ACCESS_GLOBAL_LOAD;
    uint64_t *sectors = loads ? &c->global_load_sectors
                              : &c->global_store_sectors;
    uint64_t *l2 = loads ? &c->l2_read_sectors : &c->l2_write_sectors;
    uint64_t *dram = loads ? &c->dram_read_bytes : &c->dram_write_bytes;
    double share = ratio((double)saturating_sub(*sectors, excess),
                         (double)*sectors);

    *sectors = saturating_sub(*sectors, excess);
    if (loads)
        scale_counter(&c->global_load_wavefronts, share);
    scale_counter(l2, share);
    *dram = min_u64(*dram, 32 * *sectors);
}

/* Reduce the counters of the kernel by the excess of this row. */
static void remove_excess(struct counters *c, const struct access_row *row)
{
    const uint64_t excess = saturating_sub(row->transactions, row->ideal);

    switch (row->kind) {
    case ACCESS_GLOBAL_LOAD:
    case ACCESS_GLOBAL_STORE:
        remove_global_excess(c, row);
        break;
    case ACCESS_SHARED_LOAD:
        c->shared_load_wavefronts =
            saturating_sub(c->shared_load_wavefronts, excess);
        c->shared_load_conflicts =
            saturating_sub(c->shared_load_conflicts, excess);
        break;
    case ACCESS_SHARED_STORE:
        c->shared_store_wavefronts =
            saturating_sub(c->shared_store_wavefronts, excess);
        c->shared_store_conflicts =
            saturating_sub(c->shared_store_conflicts, excess);
        break;
    case ACCESS_GLOBAL_ATOMIC:
        scale_counter(&c->global_atomic_hottest, row->efficiency);
        c->global_atomic_passes =
            saturating_sub(c->global_atomic_passes, excess);
        break;
    case ACCESS_SHARED_ATOMIC:
        c->shared_atomic_passes =
            saturating_sub(c->shared_atomic_passes, excess);
        break;
    case ACCESS_CONSTANT_LOAD:
        c->constant_passes = saturating_sub(c->constant_passes, excess);
        break;
    default:
        break;
    }
}

/* The row that the advice describes. */
struct flagged_row {
    const struct line_profile *line;
    struct access_row row;
};

/* Sectors, wavefronts or passes beyond the ideal. */
static uint64_t excess_moved(const struct access_row *row)
{
    return saturating_sub(row->transactions, row->ideal);
}

/* Apply a rule to a line: remove the excess of its rows, remember the worst
 * row.  @return 1 if a row is affected */
static int remove_line_excess(const struct advisor *a,
                              const struct advice_rule *rule,
                              const struct line_profile *l,
                              struct counters *improved,
                              struct flagged_row *worst)
{
    int kinds = rule->kinds[0] == rule->kinds[1] ? 1 : 2, is_affected = 0;

    for (int n = 0; n < kinds; n++) {
        struct access_row row = advice_access_row(&l->counters, rule->kinds[n]);

        if (!row.requests || !rule->is_affected(a, l, &row))
            continue;
        remove_excess(improved, &row);
        is_affected = 1;
        if (!worst->line || excess_moved(&row) > excess_moved(&worst->row))
            *worst = (struct flagged_row){l, row};
    }
    return is_affected;
}

/* One piece of advice for one cause: it names the worst line and counts the
 * others; the gain is that of all of them. */
void advice_apply_rule(struct advisor *a, const struct advice_rule *rule)
{
    struct kernel_profile improved = *a->k;
    struct flagged_row worst = {0};
    int lines = 0;
    double gain;
    char text[ADVICE_BYTES], more[48] = "";

    for (size_t i = 0; i < a->k->line_count; i++)
        lines += remove_line_excess(a, rule, &a->k->lines[i], &improved.total,
                                    &worst);
    if (!lines)
        return;
    if (lines > 1)
        snprintf(more, sizeof more, " (and at %d more line%s)", lines - 1,
                 lines == 2 ? "" : "s");
    gain = advice_gain(a, &improved);
    if (rule->gain_required && gain < MIN_GAIN_SHARE * advice_work(a))
        return;
    rule->write_sentence(a, worst.line, &worst.row, text);
    advice_add(a, worst.line, gain, "%s%s", text, more);
}

/* Equal gains are ordered by line, so that the order of the rules does not
 * matter. */
static int by_gain(const void *left, const void *right)
{
    const struct advice *a = left, *b = right;

    if (a->order != b->order)
        return a->order - b->order;
    if (a->gain != b->gain)
        return a->gain > b->gain ? -1 : 1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return strcmp(a->text, b->text);
}

/* How to reduce a ceiling that no inefficient access raises; in parentheses. */
static const char *ceiling_hint(const char *ceiling)
{
    static const char *const hints[][2] = {
        {"issue", " (wider accesses and fewer index computations need fewer "
                  "instructions)"},
        {"fp", " (the kernel is compute bound)"},
        {"lsu", " (wider accesses, or values kept in registers, need fewer "
                "requests)"},
        {"shared", " (values kept in registers need fewer accesses)"},
        {"l2", " (a tile in shared memory would be read from L2 only once)"},
        {"dram", " (only fewer bytes would take less time)"},
        {"atomics", " (a reduction before them leaves fewer)"},
        {"latency", " (more warps, or more independent loads in each, hide "
                    "it)"},
    };

    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (strcmp(hints[i][0], ceiling) == 0)
            return hints[i][1];
    return "";
}

/* The largest ceiling and the second largest one. */
static void describe_limiter(const struct advisor *a, struct advice *out)
{
    const struct kernel_profile *k = a->k;
    const char *first = largest_ceiling(k, NULL),
               *second = largest_ceiling(k, first);
    double work = advice_work(a), us = k->model.us;
    int n = 0;

    memset(out, 0, sizeof *out);
    if (!first) {
        snprintf(out->text, sizeof out->text, "Nothing stands out.");
        return;
    }
    if (us - work > us / 2)
        n = snprintf(out->text, sizeof out->text,
                     "Launch overhead is %.0f %% of the modeled time, as there "
                     "is little work. ",
                     100 * (us - work) / us);
    n += snprintf(out->text + n, sizeof out->text - (size_t)n,
                  "The limit now is %s, %.0f %% of the modeled work%s",
                  ceiling_label(first), 100 * ratio(ceiling_us(k, first), work),
                  a->count ? "" : ceiling_hint(first));
    if (second)
        n += snprintf(out->text + n, sizeof out->text - (size_t)n,
                      "; next comes %s with %.0f %%", ceiling_label(second),
                      100 * ratio(ceiling_us(k, second), work));
    snprintf(out->text + n, sizeof out->text - (size_t)n, ".");
}

/* All rules are applied; the three largest gains are returned. */
size_t advise(const struct kernel_profile *k, const struct softgpu_card *card,
              struct advice *out)
{
    struct advisor a = {.k = k, .card = card};
    size_t n;

    if (k->blocks && !k->blocks_watched)
        return 0; /* nothing was counted */
    advise_global(&a);
    advise_shared(&a);
    advise_launch_shape(&a);
    advise_splits(&a);
    qsort(a.list, a.count, sizeof *a.list, by_gain);
    n = a.count < MAX_ADVICE ? a.count : MAX_ADVICE;
    memcpy(out, a.list, n * sizeof *out);
    if (n < MAX_ADVICE)
        describe_limiter(&a, &out[n++]);
    return n;
}
