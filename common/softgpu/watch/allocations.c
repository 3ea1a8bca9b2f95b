/* SPDX-License-Identifier: MIT */
/* Allocations, alive and freed, are kept in one array sorted by address. */
#include "allocations.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/softgpu/host/device.h"
#include "record_pool.h"
#include "sampling.h"

enum {
    MAX_DISTANCE = 1 << 20, /* bytes to the nearest allocation of a message */
    CELL_BUDGET_MB = 2048   /* shadow cells of all allocations together */
};

SOFTGPU_TLS struct allocation *recent_allocations[1 << RECENT_BITS];

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct allocation **allocations; /* by base; freed ones may overlap */
static size_t count, capacity;
static size_t cell_bytes;

/* Index of the first entry with base > address. */
static size_t first_above(uintptr_t address)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (allocations[middle]->base > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The allocation that holds the address: a live one rather than a freed. */
static struct allocation *find_covering(uintptr_t address, int freed_too)
{
    struct allocation *freed = NULL;
    size_t i = first_above(address);

    while (i-- > 0) {
        if (address < allocations[i]->end && !allocations[i]->freed_at)
            return allocations[i];
        if (address < allocations[i]->end && !freed)
            freed = allocations[i];
        if (!allocations[i]->freed_at)
            break; /* live ones do not overlap: none before this reaches here */
    }
    return freed_too ? freed : NULL;
}

struct allocation *allocation_find(uintptr_t address, int freed_too)
{
    struct allocation *found;

    pthread_rwlock_rdlock(&lock);
    found = find_covering(address, freed_too);
    pthread_rwlock_unlock(&lock);
    return found;
}

/* Can a pointer have run out of it?  A kernel's malloc takes memory from the
 * host's heap, where anything may be next to it. */
static int is_nearest_candidate(const struct allocation *m)
{
    return !m->freed_at && m->kind != SOFTGPU_REGISTERED;
}

struct allocation *allocation_nearest(uintptr_t address)
{
    struct allocation *best = NULL;
    size_t i;

    pthread_rwlock_rdlock(&lock);
    for (i = first_above(address); i-- > 0;)
        if (is_nearest_candidate(allocations[i])) {
            best = address - allocations[i]->end < MAX_DISTANCE ? allocations[i]
                                                                : NULL;
            break;
        }
    for (i = first_above(address); i < count; i++)
        if (is_nearest_candidate(allocations[i])) {
            uintptr_t ahead = allocations[i]->base - address;

            if (ahead < MAX_DISTANCE && (!best || ahead < address - best->end))
                best = allocations[i];
            break;
        }
    pthread_rwlock_unlock(&lock);
    return best;
}

struct allocation *allocation_above(uintptr_t address)
{
    struct allocation *found = NULL;

    pthread_rwlock_rdlock(&lock);
    for (size_t i = first_above(address); i < count && !found; i++)
        if (is_nearest_candidate(allocations[i]))
            found = allocations[i];
    pthread_rwlock_unlock(&lock);
    return found && found->base - address < MAX_DISTANCE ? found : NULL;
}

struct allocation *allocation_find_at(uintptr_t address, uintptr_t pc)
{
    struct allocation *found = allocation_recent(address, pc);

    if (!found)
        *recent_allocation(pc) = found = allocation_find(address, 0);
    return found;
}

int is_device_address(uintptr_t address)
{
    for (int i = 0; i < softgpu_device_count(); i++)
        if (softgpu_arena_contains(&softgpu_device_at(i)->arena,
                                   (const void *)address))
            return 1;
    return 0;
}

/* --- shadow memory -------------------------------------------------------- */

static size_t word_count(const struct allocation *m)
{
    return (m->end - m->base + 3) / 4;
}

static size_t granule_bytes(const struct allocation *m)
{
    return (word_count(m) / GRANULE_WORDS + 1) * sizeof *m->granules;
}

/* Cells and granules are left out beyond the budget: then there is initcheck
 * but no racecheck. */
static void allocate_shadow(struct allocation *m)
{
    size_t bytes = word_count(m) * sizeof *m->cells;

    if (m->kind == SOFTGPU_DEVICE_MEMORY)
        m->init_mask = watch_reserve(word_count(m));
    if (cell_bytes + bytes > (size_t)CELL_BUDGET_MB << 20)
        sampling_skip_allocation(m->end - m->base);
    else
        m->granules = watch_reserve(granule_bytes(m));
    if (m->granules)
        m->cells = watch_reserve(bytes);
    if (m->cells)
        cell_bytes += bytes;
}

static void free_shadow(struct allocation *m)
{
    size_t bytes = word_count(m) * sizeof *m->cells;

    watch_release(m->init_mask, word_count(m));
    watch_release(m->granules, granule_bytes(m));
    watch_release(m->cells, bytes);
    if (m->cells)
        cell_bytes -= bytes;
    m->init_mask = NULL;
    m->granules = NULL;
    m->cells = NULL;
}

/* --- the array ------------------------------------------------------------ */

/* A new allocation reuses the addresses of freed ones.  Those are not freed
 * here: another OS thread may have them in recent_allocations. */
static void drop_freed(uintptr_t from, uintptr_t to)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (!allocations[i]->freed_at || allocations[i]->end <= from
            || allocations[i]->base >= to)
            allocations[kept++] = allocations[i];
    count = kept;
}

static void insert_sorted(struct allocation *m)
{
    size_t at;

    if (count == capacity) {
        size_t larger = capacity ? 2 * capacity : 64;
        struct allocation **grown = realloc(allocations,
                                         larger * sizeof *allocations);

        if (!grown)
            abort(); /* going on without the entry would miss defects */
        allocations = grown;
        capacity = larger;
    }
    at = first_above(m->base);
    memmove(allocations + at + 1, allocations + at,
            (count - at) * sizeof *allocations);
    allocations[at] = m;
    count++;
}

struct allocation *allocation_make_shadow(uintptr_t base, uintptr_t end)
{
    struct allocation *m = calloc(1, sizeof *m);

    if (!m)
        abort();
    m->base = base;
    m->end = end;
    m->kind = SOFTGPU_MANAGED; /* the host may write it */
    pthread_rwlock_wrlock(&lock);
    allocate_shadow(m);
    pthread_rwlock_unlock(&lock);
    return m;
}

void allocation_add(const struct softgpu_allocation *a, uintptr_t site)
{
    struct allocation *m = calloc(1, sizeof *m);

    if (!m)
        abort();
    m->base = (uintptr_t)a->ptr;
    m->end = m->base + a->bytes;
    m->kind = a->kind;
    m->allocated_at = site;
    pthread_rwlock_wrlock(&lock);
    allocate_shadow(m);
    drop_freed(m->base, m->end);
    insert_sorted(m);
    pthread_rwlock_unlock(&lock);
}

void allocation_mark_freed(const struct softgpu_allocation *a, uintptr_t site)
{
    struct allocation *m;

    pthread_rwlock_wrlock(&lock);
    m = find_covering((uintptr_t)a->ptr, 0);
    if (m) {
        m->freed_at = site;
        free_shadow(m);
    }
    pthread_rwlock_unlock(&lock);
}

void allocation_note_refused_free(const void *p)
{
    struct allocation *m;

    pthread_rwlock_wrlock(&lock);
    m = find_covering((uintptr_t)p, 0);
    if (m && m->base == (uintptr_t)p)
        m->free_refused = 1;
    pthread_rwlock_unlock(&lock);
}

void allocation_add_heap(void *p, size_t bytes, uintptr_t site)
{
    const struct softgpu_allocation a = {.ptr = p, .bytes = bytes,
                                         .kind = SOFTGPU_REGISTERED};

    allocation_add(&a, site);
}

bool allocation_free_heap(void *p, uintptr_t site)
{
    const struct allocation *m = allocation_find((uintptr_t)p, 0);
    const struct softgpu_allocation a = {.ptr = p};

    if (!m || m->base != (uintptr_t)p || m->kind != SOFTGPU_REGISTERED)
        return false;
    allocation_mark_freed(&a, site);
    return true;
}

void allocation_each_live(void (*visit)(const struct allocation *))
{
    size_t i;

    for (i = 0; i < count; i++)
        if (!allocations[i]->freed_at)
            visit(allocations[i]);
}
