/* SPDX-License-Identifier: MIT */
/* Findings while the program runs: an array of groups, under a lock. */
#include "findings.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "finding_group.h"

enum { MAX_SUPPRESSED = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct finding_group *groups[GROUPS_MAX];
static int group_count;
static uintptr_t suppressed[MAX_SUPPRESSED];
static int suppressed_count;

static int compare_index(uint3 a, uint3 b)
{
    if (a.z != b.z)
        return a.z < b.z ? -1 : 1;
    if (a.y != b.y)
        return a.y < b.y ? -1 : 1;
    return a.x < b.x ? -1 : a.x > b.x;
}

int finding_precedes(const struct softgpu_finding *a,
                     const struct softgpu_finding *b)
{
    int by_block = compare_index(a->block, b->block);

    return by_block < 0
           || (by_block == 0 && compare_index(a->thread, b->thread) < 0);
}

/* The same two instructions, in either order: that depends on the schedule. */
static int is_same_pair(const struct softgpu_finding *a,
                        const struct softgpu_finding *b)
{
    return (a->pc == b->pc && a->other == b->other)
           || (a->pc == b->other && a->other == b->pc && b->other);
}

static struct finding_group *find_or_add_group(
    const struct softgpu_finding *finding)
{
    struct finding_group *new_group;
    int i;

    for (i = 0; i < group_count; i++) {
        const struct softgpu_finding *old = &groups[i]->finding;

        if (old->kind == finding->kind && old->kernel == finding->kernel
            && is_same_pair(old, finding))
            return groups[i];
    }
    if (group_count == GROUPS_MAX)
        return NULL;
    new_group = calloc(1, sizeof *new_group);
    if (new_group)
        groups[group_count++] = new_group;
    return new_group;
}

void (*softgpu_forward_finding)(const struct softgpu_finding *finding,
                                const char *text);

void softgpu_report_finding(const struct softgpu_finding *finding,
                            const char *format, ...)
{
    struct finding_group *finding_group;
    va_list arguments;

    if (softgpu_forward_finding) {
        char text[sizeof finding_group->message];

        va_start(arguments, format);
        vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        softgpu_forward_finding(finding, text);
        return;
    }
    pthread_mutex_lock(&lock);
    finding_group = find_or_add_group(finding);
    if (finding_group
        && (finding_group->count++ == 0
            || finding_precedes(finding, &finding_group->finding))) {
        finding_group->finding = *finding;
        va_start(arguments, format);
        vsnprintf(finding_group->message, sizeof finding_group->message, format,
                  arguments);
        va_end(arguments);
    }
    pthread_mutex_unlock(&lock);
}

int softgpu_is_suppressed(uintptr_t pc)
{
    for (int i = 0; i < suppressed_count; i++)
        if (suppressed[i] == pc)
            return 1;
    return 0;
}

void softgpu_suppress_read(uintptr_t pc)
{
    pthread_mutex_lock(&lock);
    if (suppressed_count < MAX_SUPPRESSED && !softgpu_is_suppressed(pc))
        suppressed[suppressed_count++] = pc;
    pthread_mutex_unlock(&lock);
}

int copy_groups(struct finding_group **all)
{
    int n = group_count;

    memcpy(all, groups, (size_t)n * sizeof *groups);
    return n;
}
