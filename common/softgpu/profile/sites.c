/* SPDX-License-Identifier: MIT */
/* Sites: an array, and a hash table with open addressing of indices into it. */
#include "sites.h"

#include <stdlib.h>
#include <string.h>

static uint32_t hash(uint64_t code, int kind)
{
    return (uint32_t)((code + (uint64_t)kind * 0x100000001b3u)
                      * 0x9e3779b97f4a7c15u >> 32);
}

/* The slot of the site, or the one to put it into. */
static uint32_t *find_slot(const struct sites *s, uint64_t code, int kind)
{
    uint32_t mask = 2 * s->capacity - 1, i = hash(code, kind) & mask;

    while (s->index[i]) {
        const struct site *site = &s->items[s->index[i] - 1];

        if (site->code == code && site->kind == kind)
            break;
        i = (i + 1) & mask;
    }
    return &s->index[i];
}

static int grow_table(struct sites *s)
{
    uint32_t capacity = s->capacity ? 2 * s->capacity : 64;
    struct site *all = realloc(s->items, capacity * sizeof *all);
    uint32_t *index;

    if (all)
        s->items = all;
    index = all ? calloc(2 * (size_t)capacity, sizeof *index) : NULL;
    if (!index)
        return -1;
    free(s->index);
    s->index = index;
    s->capacity = capacity;
    for (uint32_t i = 0; i < s->count; i++)
        *find_slot(s, s->items[i].code, s->items[i].kind) = i + 1;
    return 0;
}

int sites_find_or_add(struct sites *s, uint64_t code, int kind)
{
    uint32_t *slot;

    if (s->capacity && *(slot = find_slot(s, code, kind)))
        return (int)*slot - 1;
    if (s->count == s->capacity && grow_table(s) != 0)
        return -1;
    slot = find_slot(s, code, kind);
    memset(&s->items[s->count], 0, sizeof *s->items);
    s->items[s->count].code = code;
    s->items[s->count].kind = kind;
    *slot = ++s->count;
    return (int)*slot - 1;
}

const struct site *sites_lookup(const struct sites *s, uint64_t code, int kind)
{
    uint32_t slot = s->capacity ? *find_slot(s, code, kind) : 0;

    return slot ? &s->items[slot - 1] : NULL;
}

/* Does b cost more than a, or the same in an earlier block or warp? */
static int is_costlier(const struct sample *b, const struct sample *a)
{
    if (b->cost != a->cost)
        return b->cost > a->cost;
    if (b->linear != a->linear)
        return b->linear < a->linear;
    return b->warp < a->warp;
}

int sites_add(struct sites *to, const struct sites *from)
{
    for (uint32_t i = 0; i < from->count; i++) {
        const struct site *one = &from->items[i];
        int index = sites_find_or_add(to, one->code, one->kind);
        struct site *sum;

        if (index < 0)
            return -1;
        sum = &to->items[index];
        counters_add(&sum->counters, &one->counters);
        sum->warp_executions += one->warp_executions;
        sum->thread_executions += one->thread_executions;
        sum->diverged += one->diverged;
        if (one->sample.cost && is_costlier(&one->sample, &sum->sample))
            sum->sample = one->sample;
    }
    return 0;
}

uint64_t sites_global_requests(const struct sites *sites)
{
    uint64_t requests = 0;

    for (uint32_t i = 0; i < sites->count; i++) {
        const struct counters *c = &sites->items[i].counters;

        requests += c->global_load_requests + c->global_store_requests
                    + c->global_atomic_requests;
    }
    return requests;
}

void sites_clear(struct sites *s)
{
    s->count = 0;
    if (s->capacity)
        memset(s->index, 0, 2 * (size_t)s->capacity * sizeof *s->index);
}

void sites_free(struct sites *s)
{
    free(s->items);
    free(s->index);
    memset(s, 0, sizeof *s);
}
