/* SPDX-License-Identifier: MIT */
/* Findings: a small list of groups behind a mutex, sorted when it is told. */
#include "findings.h"

#include <jansson.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"

#define MAX_GROUPS 512 /* a program with more defects has others to fix first */

struct group {
    struct softgpu_sighting seen; /* the example: smallest block and thread */
    uint64_t count;
    char message[320];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct group *groups[MAX_GROUPS];
static int group_count;

static const struct {
    const char *name, *words;
} kinds[] = {
#define X(name, text, words) {text, words},
    SOFTGPU_FINDING_KINDS(X)
#undef X
};

static int compare_index(uint3 a, uint3 b)
{
    if (a.z != b.z)
        return a.z < b.z ? -1 : 1;
    if (a.y != b.y)
        return a.y < b.y ? -1 : 1;
    return a.x < b.x ? -1 : a.x > b.x;
}

static int is_smaller(const struct softgpu_sighting *a,
                      const struct softgpu_sighting *b)
{
    int by_block = compare_index(a->block, b->block);

    return by_block < 0
           || (by_block == 0 && compare_index(a->thread, b->thread) < 0);
}

/* The same two places; which of them came second is chance. */
static int same_pair(const struct softgpu_sighting *a,
                     const struct softgpu_sighting *b)
{
    return (a->code == b->code && a->other == b->other)
           || (a->code == b->other && a->other == b->code && b->other);
}

static struct group *group_of(const struct softgpu_sighting *seen)
{
    struct group *fresh;
    int i;

    for (i = 0; i < group_count; i++) {
        const struct softgpu_sighting *old = &groups[i]->seen;

        if (old->kind == seen->kind && old->kernel == seen->kernel
            && same_pair(old, seen))
            return groups[i];
    }
    if (group_count == MAX_GROUPS)
        return NULL;
    fresh = calloc(1, sizeof *fresh);
    if (fresh)
        groups[group_count++] = fresh;
    return fresh;
}

void softgpu_find(const struct softgpu_sighting *seen, const char *format, ...)
{
    struct group *group;
    va_list arguments;

    pthread_mutex_lock(&lock);
    group = group_of(seen);
    if (group && (group->count++ == 0 || is_smaller(seen, &group->seen))) {
        group->seen = *seen;
        va_start(arguments, format);
        vsnprintf(group->message, sizeof group->message, format, arguments);
        va_end(arguments);
    }
    pthread_mutex_unlock(&lock);
}

int softgpu_finding_groups(void)
{
    return group_count;
}

/* Most telling kind first, then by place, so that order never depends on
 * which thread came first. */
static int by_weight(const void *left, const void *right)
{
    const struct group *a = *(struct group *const *)left;
    const struct group *b = *(struct group *const *)right;

    if (a->seen.kind != b->seen.kind)
        return (int)a->seen.kind - (int)b->seen.kind;
    if (a->seen.code != b->seen.code)
        return a->seen.code < b->seen.code ? -1 : 1;
    return a->seen.other < b->seen.other ? -1 : a->seen.other > b->seen.other;
}

static void print_place(FILE *out, const struct source_line *place)
{
    if (place->line)
        fprintf(out, "%s:%d:%d: ", place->file, place->line, place->column);
}

static void print_group(FILE *out, const struct group *group)
{
    const struct softgpu_sighting *seen = &group->seen;
    struct source_line place, other;

    softgpu_source_line(seen->code, &place);
    softgpu_source_line(seen->other, &other);
    print_place(out, &place);
    fprintf(out, "%s\n    %s\n", kinds[seen->kind].words, group->message);
    if (seen->kernel)
        fprintf(out, "    in %s, block (%u,%u,%u), thread (%u,%u,%u)",
                seen->kernel, seen->block.x, seen->block.y, seen->block.z,
                seen->thread.x, seen->thread.y, seen->thread.z);
    if (seen->kernel && group->count > 1)
        fprintf(out, "; seen %llu times", (unsigned long long)group->count);
    if (seen->kernel)
        fputc('\n', out);
    if (other.line)
        fprintf(out, "    the other: %s:%d:%d\n", other.file, other.line,
                other.column);
}

void softgpu_findings_text(FILE *out)
{
    int i;

    qsort(groups, (size_t)group_count, sizeof *groups, by_weight);
    for (i = 0; i < group_count; i++)
        print_group(out, groups[i]);
    if (group_count)
        fprintf(out, "softgpu: %d finding%s\n", group_count,
                group_count == 1 ? "" : "s");
}

static json_t *json_index(uint3 index)
{
    return json_pack("[i,i,i]", (int)index.x, (int)index.y, (int)index.z);
}

static json_t *json_group(const struct group *group)
{
    const struct softgpu_sighting *seen = &group->seen;
    struct source_line place, other;

    softgpu_source_line(seen->code, &place);
    softgpu_source_line(seen->other, &other);
    return json_pack("{s:s, s:s?, s:s, s:i, s:i, s:s, s:i, s:o, s:o, s:I, s:s}",
                     "kind", kinds[seen->kind].name, "kernel", seen->kernel,
                     "file", place.file, "line", place.line,
                     "column", place.column, "other_file", other.file,
                     "other_line", other.line, "block", json_index(seen->block),
                     "thread", json_index(seen->thread),
                     "count", (json_int_t)group->count,
                     "message", group->message);
}

struct json_t *softgpu_findings_json(void)
{
    json_t *list = json_array();
    int i;

    qsort(groups, (size_t)group_count, sizeof *groups, by_weight);
    for (i = 0; i < group_count; i++)
        json_array_append_new(list, json_group(groups[i]));
    return list;
}
