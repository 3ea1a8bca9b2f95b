/* SPDX-License-Identifier: MIT */
/* The report of findings.  Groups at the same source lines are merged, groups
 * that another one explains are dropped, the rest is sorted and printed as
 * text and as JSON. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "finding_group.h"

static struct finding_group *groups[GROUPS_MAX];
static int group_count = -1; /* finalize_groups() has not run */

static const struct {
    const char *name, *description;
} kinds[] = {
#define X(name, text, description) {text, description},
    SOFTGPU_FINDING_KINDS(X)
#undef X
};

/* --- order and merging ---------------------------------------------------- */

static int compare_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

/* By kind, then by source line: independent of the schedule. */
static int compare_groups(const struct finding_group *a,
                          const struct finding_group *b)
{
    int order = (int)a->finding.kind - (int)b->finding.kind;

    order = order ? order : compare_source_lines(&a->location, &b->location);
    order = order ? order : compare_source_lines(&a->other, &b->other);
    return order ? order : compare_text(a->finding.kernel, b->finding.kernel);
}

static int compare_fully(const void *remaining, const void *right)
{
    const struct finding_group *a = *(struct finding_group *const *)remaining;
    const struct finding_group *b = *(struct finding_group *const *)right;
    int order = compare_groups(a, b);

    if (!order)
        order = (a->finding.pc > b->finding.pc)
                - (a->finding.pc < b->finding.pc);
    return order ? order
                 : (a->finding.other > b->finding.other)
                       - (a->finding.other < b->finding.other);
}

/* In a warp two stores of one element say more than a store and a load: several
 * lanes change it, and no __syncwarp() helps. */
static int is_better_example(const struct softgpu_finding *a,
                             const struct softgpu_finding *b)
{
    return a->kind == SOFTGPU_FIND_LOCKSTEP
                   && a->is_two_stores != b->is_two_stores
               ? a->is_two_stores
               : finding_precedes(a, b);
}

static void merge_group(struct finding_group *into,
                        const struct finding_group *from)
{
    uint64_t count = into->count + from->count;

    if (is_better_example(&from->finding, &into->finding))
        *into = *from;
    into->count = count;
}

static void merge_same_lines(void)
{
    int kept = 0;

    for (int i = 0; i < group_count; i++)
        if (kept && !compare_groups(groups[kept - 1], groups[i]))
            merge_group(groups[kept - 1], groups[i]);
        else
            groups[kept++] = groups[i];
    group_count = kept;
}

/* --- findings that others explain ----------------------------------------- */

static int is_explained(const struct finding_group *finding_group)
{
    for (int i = 0; i < group_count; i++)
        if (groups[i] != finding_group
            && finding_explains(groups[i], finding_group))
            return 1;
    return 0;
}

static void drop_explained(void)
{
    struct finding_group *remaining[GROUPS_MAX];
    int kept = 0;

    for (int i = 0; i < group_count; i++)
        if (!is_explained(groups[i]))
            remaining[kept++] = groups[i];
    memcpy(groups, remaining, (size_t)kept * sizeof *remaining);
    group_count = kept;
}

/* Threads diverged to two calls: name the first in the source first. */
static void order_by_source(struct finding_group *g)
{
    const struct source_line location = g->location;
    const uintptr_t pc = g->finding.pc;

    if ((g->finding.kind != SOFTGPU_FIND_BARRIER_DIVERGED
         && g->finding.kind != SOFTGPU_FIND_BAD_MASK)
        || !g->other.line
        || compare_source_lines(&g->location, &g->other) <= 0)
        return;
    g->location = g->other;
    g->other = location;
    g->finding.pc = g->finding.other;
    g->finding.other = pc;
}

/* --- one line, one finding ------------------------------------------------ */

/* Is it a line that the group does not name yet?  Groups come sorted. */
static int is_new_other(const struct finding_group *into,
                        const struct source_line *other)
{
    const int known = into->other_lines < 3 ? into->other_lines - 1 : 2;

    if (!other->line || !compare_source_lines(&into->other, other))
        return 0;
    for (int i = 0; i < known; i++)
        if (!compare_source_lines(&into->more[i], other))
            return 0;
    return 1;
}

/* The same defect with another line. */
static void merge_other_line(struct finding_group *into,
                             const struct source_line *other)
{
    if (!is_new_other(into, other))
        return;
    if (into->other_lines >= 1 && into->other_lines < 3)
        into->more[into->other_lines - 1] = *other;
    into->other_lines++;
}

static int is_same_cause(const struct finding_group *a,
                         const struct finding_group *b)
{
    return a->finding.kind == b->finding.kind
           && is_same_source_line(&a->location, &b->location);
}

/* Is groups[at] the first of its kernel among those from `first` on? */
static int is_new_kernel(int first, int at)
{
    for (int i = first; i < at; i++)
        if (!compare_text(groups[i]->finding.kernel,
                          groups[at]->finding.kernel))
            return 0;
    return 1;
}

/* Groups of one line differ in their other lines, or are of several kernels
 * that call one function. */
static void merge_same_causes(void)
{
    struct finding_group *kept[GROUPS_MAX];
    int count = 0, first = 0;

    for (int i = 0; i < group_count; i++) {
        struct finding_group *last = count ? kept[count - 1] : NULL;

        groups[i]->other_lines = groups[i]->other.line != 0;
        groups[i]->kernels = 1;
        if (!last || !is_same_cause(last, groups[i])) {
            kept[count++] = groups[first = i];
            continue;
        }
        last->count += groups[i]->count;
        last->kernels += is_new_kernel(first, i);
        merge_other_line(last, &groups[i]->other);
    }
    memcpy(groups, kept, (size_t)count * sizeof *kept);
    group_count = count;
}

/* See softgpu_suppress_read(). */
static int is_suppressed(const struct finding_group *g)
{
    return finding_is_race(g->finding.kind) && g->finding.atomic
           && (softgpu_is_suppressed(g->finding.pc)
               || softgpu_is_suppressed(g->finding.other));
}

static void drop_suppressed(void)
{
    int kept = 0;

    for (int i = 0; i < group_count; i++)
        if (!is_suppressed(groups[i]))
            groups[kept++] = groups[i];
    group_count = kept;
}

/* CUB's merges load the key after the last one, and do not use it. */
static int is_unused_key(const struct finding_group *g)
{
    return g->finding.kind == SOFTGPU_FIND_UNINIT_SHARED
           && !strncmp(g->location.header, "cub/", 4);
}

/* Look up the groups' source lines. */
static void find_lines(void)
{
    int kept = 0;

    for (int i = 0; i < group_count; i++) {
        struct finding_group *g = groups[i];

        softgpu_source_line(g->finding.pc, &g->location);
        softgpu_source_line(g->finding.other, &g->other);
        order_by_source(g);
        if (!is_unused_key(g))
            groups[kept++] = g;
    }
    group_count = kept;
}

static void finalize_groups(void)
{
    if (group_count >= 0)
        return;
    group_count = copy_groups(groups);
    drop_suppressed();
    find_lines();
    qsort(groups, (size_t)group_count, sizeof *groups, compare_fully);
    merge_same_lines();
    drop_explained();
    merge_same_causes();
}

int softgpu_count_findings(void)
{
    finalize_groups();
    return group_count;
}

/* --- text ----------------------------------------------------------------- */

/* Of an object without debug information the function is known. */
static void print_location(FILE *out, const struct finding_group *g)
{
    const struct source_line *location = &g->location;
    const uintptr_t call = g->finding.pc ? g->finding.pc - 1 : 0;
    const char *name = !location->line && call
        ? softgpu_function_name((const void *)call) : NULL;

    if (location->line)
        fprintf(out, "%s:%d:%d: ", location->file, location->line,
                location->column);
    else if (name)
        fprintf(out, "%s(), compiled without -g: ", name);
}

static void print_other_lines(FILE *out, const struct finding_group *g)
{
    const int named = g->other_lines < 3 ? g->other_lines : 3;

    if (!g->other.line)
        return;
    fprintf(out, "    see also: %s:%d:%d", g->other.file, g->other.line,
            g->other.column);
    for (int i = 0; i + 1 < named; i++)
        fprintf(out, ", %s:%d:%d", g->more[i].file, g->more[i].line,
                g->more[i].column);
    if (g->other_lines > named)
        fprintf(out, " and %d more lines", g->other_lines - named);
    fputc('\n', out);
}

static void print_group(FILE *out, const struct finding_group *finding_group)
{
    const struct softgpu_finding *finding = &finding_group->finding;

    print_location(out, finding_group);
    fprintf(out, "%s\n    %s\n", kinds[finding->kind].description,
            finding_group->message);
    if (finding->kernel)
        fprintf(out, "    in %s, block (%u,%u,%u), thread (%u,%u,%u)",
                finding->kernel, finding->block.x, finding->block.y,
                finding->block.z, finding->thread.x, finding->thread.y,
                finding->thread.z);
    if (finding->kernel && finding_group->count > 1)
        fprintf(out, "; seen %llu times",
                (unsigned long long)finding_group->count);
    if (finding->kernel && finding_group->kernels > 1)
        fprintf(out, " in %d kernels", finding_group->kernels);
    if (finding->kernel)
        fputc('\n', out);
    print_other_lines(out, finding_group);
}

void softgpu_print_findings(FILE *out)
{
    finalize_groups();
    for (int i = 0; i < group_count; i++)
        print_group(out, groups[i]);
    if (group_count)
        fprintf(out, "softgpu: %d finding%s\n", group_count,
                group_count == 1 ? "" : "s");
}

/* --- JSON ----------------------------------------------------------------- */

static json_t *json_index(uint3 index)
{
    return json_pack("[i,i,i]", (int)index.x, (int)index.y, (int)index.z);
}

static json_t *json_group(const struct finding_group *finding_group)
{
    const struct softgpu_finding *finding = &finding_group->finding;

    return json_pack("{s:s, s:s?, s:s, s:i, s:i, s:s, s:i, s:i, s:i, s:o, s:o, "
                     "s:I, s:s}",
                     "kind", kinds[finding->kind].name, "kernel",
                     finding->kernel, "file", finding_group->location.file,
                     "line", finding_group->location.line, "column",
                     finding_group->location.column, "other_file",
                     finding_group->other.file, "other_line",
                     finding_group->other.line, "other_lines",
                     finding_group->other_lines, "kernels",
                     finding_group->kernels, "block",
                     json_index(finding->block), "thread",
                     json_index(finding->thread), "count",
                     (json_int_t)finding_group->count, "message",
                     finding_group->message);
}

struct json_t *softgpu_findings_json(void)
{
    json_t *list = json_array();

    finalize_groups();
    for (int i = 0; i < group_count; i++)
        json_array_append_new(list, json_group(groups[i]));
    return list;
}
