/* SPDX-License-Identifier: MIT */
/* Sites: an array and an open hash table of places in it. */
#include "sites.h"

#include <stdlib.h>
#include <string.h>

static uint32_t hash(uint64_t code, int kind)
{
    return (uint32_t)((code + (uint64_t)kind * 0x100000001b3u)
                      * 0x9e3779b97f4a7c15u >> 32);
}

/* Where in the index the site is, or would be. */
static uint32_t *slot_of(const struct sites *s, uint64_t code, int kind)
{
    uint32_t mask = 2 * s->room - 1, i = hash(code, kind) & mask;

    while (s->index[i]) {
        const struct site *site = &s->all[s->index[i] - 1];

        if (site->code == code && site->kind == kind)
            break;
        i = (i + 1) & mask;
    }
    return &s->index[i];
}

static int grow(struct sites *s)
{
    uint32_t room = s->room ? 2 * s->room : 64;
    struct site *all = realloc(s->all, room * sizeof *all);
    uint32_t *index;

    if (all)
        s->all = all;
    index = all ? calloc(2 * (size_t)room, sizeof *index) : NULL;
    if (!index)
        return -1;
    free(s->index);
    s->index = index;
    s->room = room;
    for (uint32_t i = 0; i < s->count; i++)
        *slot_of(s, s->all[i].code, s->all[i].kind) = i + 1;
    return 0;
}

int site_at(struct sites *s, uint64_t code, int kind)
{
    uint32_t *slot;

    if (s->room && *(slot = slot_of(s, code, kind)))
        return (int)*slot - 1;
    if (s->count == s->room && grow(s) != 0)
        return -1;
    slot = slot_of(s, code, kind);
    memset(&s->all[s->count], 0, sizeof *s->all);
    s->all[s->count].code = code;
    s->all[s->count].kind = kind;
    *slot = ++s->count;
    return (int)*slot - 1;
}

const struct site *sites_find(const struct sites *s, uint64_t code, int kind)
{
    uint32_t slot = s->room ? *slot_of(s, code, kind) : 0;

    return slot ? &s->all[slot - 1] : NULL;
}

/* Does b show more than a, or the same earlier? */
static int is_better(const struct sample *b, const struct sample *a)
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
        const struct site *one = &from->all[i];
        int place = site_at(to, one->code, one->kind);
        struct site *sum;

        if (place < 0)
            return -1;
        sum = &to->all[place];
        counters_add(&sum->counters, &one->counters);
        sum->runs += one->runs;
        sum->lanes += one->lanes;
        sum->parted += one->parted;
        if (one->sample.cost && is_better(&one->sample, &sum->sample))
            sum->sample = one->sample;
    }
    return 0;
}

void sites_clear(struct sites *s)
{
    s->count = 0;
    if (s->room)
        memset(s->index, 0, 2 * (size_t)s->room * sizeof *s->index);
}

void sites_free(struct sites *s)
{
    free(s->all);
    free(s->index);
    memset(s, 0, sizeof *s);
}
