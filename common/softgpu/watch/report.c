/* SPDX-License-Identifier: MIT */
/* Findings when the program ends: groups of the same lines become one, what
 * only follows from another finding is dropped, the rest is sorted and told
 * as text and as JSON. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "group.h"

static struct group *groups[GROUPS_MAX];
static int group_count = -1; /* not settled yet */

static const struct {
    const char *name, *words;
} kinds[] = {
#define X(name, text, words) {text, words},
    SOFTGPU_FINDING_KINDS(X)
#undef X
};

/* --- which groups are one? --------------------------------------------------- */

static int compare_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

static int compare_line(const struct source_line *a,
                        const struct source_line *b)
{
    int files = strcmp(a->file, b->file);

    return files ? files : (a->line > b->line) - (a->line < b->line);
}

/* Most telling kind first, then by place: the order never depends on which
 * thread came first. */
static int compare(const struct group *a, const struct group *b)
{
    int order = (int)a->seen.kind - (int)b->seen.kind;

    order = order ? order : compare_line(&a->place, &b->place);
    order = order ? order : compare_line(&a->other, &b->other);
    return order ? order : compare_text(a->seen.kernel, b->seen.kernel);
}

static int by_weight(const void *left, const void *right)
{
    const struct group *a = *(struct group *const *)left;
    const struct group *b = *(struct group *const *)right;
    int order = compare(a, b);

    if (!order)
        order = (a->seen.code > b->seen.code) - (a->seen.code < b->seen.code);
    return order ? order
                 : (a->seen.other > b->seen.other)
                       - (a->seen.other < b->seen.other);
}

static void merge(struct group *into, const struct group *from)
{
    uint64_t count = into->count + from->count;

    if (group_is_smaller(&from->seen, &into->seen))
        *into = *from;
    into->count = count;
}

static void merge_lines(void)
{
    int kept = 0;

    for (int i = 0; i < group_count; i++)
        if (kept && !compare(groups[kept - 1], groups[i]))
            merge(groups[kept - 1], groups[i]);
        else
            groups[kept++] = groups[i];
    group_count = kept;
}

/* --- what follows from what? -------------------------------------------------- */

static int is_race(enum softgpu_finding_kind kind)
{
    return kind == SOFTGPU_FIND_RACE_SHARED || kind == SOFTGPU_FIND_RACE_GLOBAL
           || kind == SOFTGPU_FIND_RACE_BLOCKS || kind == SOFTGPU_FIND_LOCKSTEP;
}

static int is_bad_address(enum softgpu_finding_kind kind)
{
    return kind <= SOFTGPU_FIND_MISALIGNED;
}

/* How bad a race between two lines is. */
static int race_rank(enum softgpu_finding_kind kind)
{
    return kind == SOFTGPU_FIND_LOCKSTEP      ? 0
           : kind == SOFTGPU_FIND_RACE_GLOBAL ? 1
                                              : 2;
}

static int same_place(const struct source_line *a, const struct source_line *b)
{
    return a->line && !compare_line(a, b);
}

/* b says nothing that a does not explain. */
static int explains(const struct group *a, const struct group *b)
{
    const enum softgpu_finding_kind x = a->seen.kind, y = b->seen.kind;
    const int here = same_place(&a->place, &b->place);

    if (compare_text(a->seen.kernel, b->seen.kernel))
        return 0;
    if (is_race(x) && is_race(y)) /* the same pair, only closer together */
        return here && !compare_line(&a->other, &b->other)
               && race_rank(x) > race_rank(y);
    if (y == SOFTGPU_FIND_UNINIT_SHARED || y == SOFTGPU_FIND_UNINIT_GLOBAL)
        return (is_race(x) && (here || same_place(&a->other, &b->place)))
               || (x == SOFTGPU_FIND_OUT_OF_BOUNDS && here);
    if (y == SOFTGPU_FIND_MEMSET_SIZE || x == SOFTGPU_FIND_MEMSET_SIZE)
        return 0;
    return y == SOFTGPU_FIND_FAULT && is_bad_address(x)
           && (here || !b->place.line);
}

static int is_explained(const struct group *group)
{
    for (int i = 0; i < group_count; i++)
        if (groups[i] != group && explains(groups[i], group))
            return 1;
    return 0;
}

static void drop_explained(void)
{
    struct group *left[GROUPS_MAX];
    int kept = 0;

    for (int i = 0; i < group_count; i++)
        if (!is_explained(groups[i]))
            left[kept++] = groups[i];
    memcpy(groups, left, (size_t)kept * sizeof *left);
    group_count = kept;
}

/* Of two calls that threads parted to, the first in the source. */
static void put_in_order(struct group *g)
{
    const struct source_line place = g->place;
    const uintptr_t code = g->seen.code;

    if ((g->seen.kind != SOFTGPU_FIND_BARRIER_DIVERGED
         && g->seen.kind != SOFTGPU_FIND_BAD_MASK)
        || !g->other.line || compare_line(&g->place, &g->other) <= 0)
        return;
    g->place = g->other;
    g->other = place;
    g->seen.code = g->seen.other;
    g->seen.other = code;
}

/* A race of a first guess with the atomic that proves it. */
static int is_excused(const struct group *g)
{
    return is_race(g->seen.kind) && g->seen.atomic
           && (softgpu_is_excused(g->seen.code)
               || softgpu_is_excused(g->seen.other));
}

static void drop_excused(void)
{
    int kept = 0;

    for (int i = 0; i < group_count; i++)
        if (!is_excused(groups[i]))
            groups[kept++] = groups[i];
    group_count = kept;
}

static void settle(void)
{
    if (group_count >= 0)
        return;
    group_count = groups_take(groups);
    drop_excused();
    for (int i = 0; i < group_count; i++) {
        softgpu_source_line(groups[i]->seen.code, &groups[i]->place);
        softgpu_source_line(groups[i]->seen.other, &groups[i]->other);
        put_in_order(groups[i]);
    }
    qsort(groups, (size_t)group_count, sizeof *groups, by_weight);
    merge_lines();
    drop_explained();
}

int softgpu_finding_groups(void)
{
    settle();
    return group_count;
}

/* --- text ---------------------------------------------------------------------- */

static void print_place(FILE *out, const struct source_line *place)
{
    if (place->line)
        fprintf(out, "%s:%d:%d: ", place->file, place->line, place->column);
}

static void print_group(FILE *out, const struct group *group)
{
    const struct softgpu_sighting *seen = &group->seen;

    print_place(out, &group->place);
    fprintf(out, "%s\n    %s\n", kinds[seen->kind].words, group->message);
    if (seen->kernel)
        fprintf(out, "    in %s, block (%u,%u,%u), thread (%u,%u,%u)",
                seen->kernel, seen->block.x, seen->block.y, seen->block.z,
                seen->thread.x, seen->thread.y, seen->thread.z);
    if (seen->kernel && group->count > 1)
        fprintf(out, "; seen %llu times", (unsigned long long)group->count);
    if (seen->kernel)
        fputc('\n', out);
    if (group->other.line)
        fprintf(out, "    the other: %s:%d:%d\n", group->other.file,
                group->other.line, group->other.column);
}

void softgpu_findings_text(FILE *out)
{
    settle();
    for (int i = 0; i < group_count; i++)
        print_group(out, groups[i]);
    if (group_count)
        fprintf(out, "softgpu: %d finding%s\n", group_count,
                group_count == 1 ? "" : "s");
}

/* --- JSON ---------------------------------------------------------------------- */

static json_t *json_index(uint3 index)
{
    return json_pack("[i,i,i]", (int)index.x, (int)index.y, (int)index.z);
}

static json_t *json_group(const struct group *group)
{
    const struct softgpu_sighting *seen = &group->seen;

    return json_pack("{s:s, s:s?, s:s, s:i, s:i, s:s, s:i, s:o, s:o, s:I, s:s}",
                     "kind", kinds[seen->kind].name, "kernel", seen->kernel,
                     "file", group->place.file, "line", group->place.line,
                     "column", group->place.column,
                     "other_file", group->other.file,
                     "other_line", group->other.line,
                     "block", json_index(seen->block),
                     "thread", json_index(seen->thread),
                     "count", (json_int_t)group->count,
                     "message", group->message);
}

struct json_t *softgpu_findings_json(void)
{
    json_t *list = json_array();

    settle();
    for (int i = 0; i < group_count; i++)
        json_array_append_new(list, json_group(groups[i]));
    return list;
}
