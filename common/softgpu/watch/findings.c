/* SPDX-License-Identifier: MIT */
/* Findings while the program runs: a small list of groups behind a mutex. */
#include "findings.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "group.h"



enum { EXCUSED = 64 }; /* reads that atomics prove */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct group *groups[GROUPS_MAX];
static int group_count;
static uintptr_t excused[EXCUSED];
static int excused_count;

static int compare_index(uint3 a, uint3 b)
{
    if (a.z != b.z)
        return a.z < b.z ? -1 : 1;
    if (a.y != b.y)
        return a.y < b.y ? -1 : 1;
    return a.x < b.x ? -1 : a.x > b.x;
}

int group_is_smaller(const struct softgpu_sighting *a,
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
    if (group_count == GROUPS_MAX)
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
    if (group && (group->count++ == 0 || group_is_smaller(seen, &group->seen))) {
        group->seen = *seen;
        va_start(arguments, format);
        vsnprintf(group->message, sizeof group->message, format, arguments);
        va_end(arguments);
    }
    pthread_mutex_unlock(&lock);
}

int softgpu_is_excused(uintptr_t code)
{
    for (int i = 0; i < excused_count; i++)
        if (excused[i] == code)
            return 1;
    return 0;
}

void softgpu_excuse(uintptr_t code)
{
    pthread_mutex_lock(&lock);
    if (excused_count < EXCUSED && !softgpu_is_excused(code))
        excused[excused_count++] = code;
    pthread_mutex_unlock(&lock);
}

int groups_take(struct group **all)
{
    int n = group_count;

    memcpy(all, groups, (size_t)n * sizeof *groups);
    return n;
}
