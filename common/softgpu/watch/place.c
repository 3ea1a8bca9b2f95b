/* SPDX-License-Identifier: MIT */
/* Where an address lies.  Allocations, alive and freed, are kept in one list
 * sorted by address; each OS thread remembers the ones it met last. */
#include "watch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../host/device.h"
#include "place.h"
#include "pool.h"
#include "sample.h"
#include "words.h"

enum {
    RECENT_BITS = 7,
    RECENT = 1 << RECENT_BITS, /* by code address */
    NEAR = 1 << 20,           /* how far off still tells which one was meant */
    TLS_REACH = 4096,         /* bytes round softgpu_tls */
    CELL_BUDGET_MB = 2048     /* for all allocations together */
};

extern char __executable_start, _end; /* the program, from the linker */

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct watched **list; /* by base; a freed one may overlap others */
static size_t count, room;
static size_t cell_bytes;
static SOFTGPU_TLS struct watched *recent[RECENT];

/* Index of the first entry with base > address. */
static size_t after(uintptr_t address)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (list[middle]->base > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The entry that covers the address; the live one first. */
static struct watched *covering(uintptr_t address, int freed_too)
{
    struct watched *freed = NULL;
    size_t i = after(address);

    while (i-- > 0) {
        if (address < list[i]->end && !list[i]->freed_at)
            return list[i];
        if (address < list[i]->end && !freed)
            freed = list[i];
        if (!list[i]->freed_at)
            break; /* live ones do not overlap: none before it reaches here */
    }
    return freed_too ? freed : NULL;
}

struct watched *watch_find(uintptr_t address, int freed_too)
{
    struct watched *found;

    pthread_rwlock_rdlock(&lock);
    found = covering(address, freed_too);
    pthread_rwlock_unlock(&lock);
    return found;
}

/* One that a pointer may have run out of; the heap of kernels lies amid all
 * that the host owns. */
static int may_be_near(const struct watched *w)
{
    return !w->freed_at && w->kind != SOFTGPU_REGISTERED;
}

struct watched *watch_nearest(uintptr_t address)
{
    struct watched *best = NULL;
    size_t i;

    pthread_rwlock_rdlock(&lock);
    for (i = after(address); i-- > 0;)
        if (may_be_near(list[i])) {
            best = address - list[i]->end < NEAR ? list[i] : NULL;
            break;
        }
    for (i = after(address); i < count; i++)
        if (may_be_near(list[i])) {
            uintptr_t ahead = list[i]->base - address;

            if (ahead < NEAR && (!best || ahead < address - best->end))
                best = list[i];
            break;
        }
    pthread_rwlock_unlock(&lock);
    return best;
}

int watch_is_device_address(uintptr_t address)
{
    for (int i = 0; i < softgpu_device_count(); i++)
        if (softgpu_arena_owns(&softgpu_device_at(i)->arena,
                               (const void *)address))
            return 1;
    return 0;
}

static size_t words_of(const struct watched *w)
{
    return (w->end - w->base + 3) / 4;
}

static size_t granule_bytes(const struct watched *w)
{
    return (words_of(w) / GRANULE_WORDS + 1) * sizeof *w->granules;
}

/* Room for what is known of each word; none for what exceeds the budget. */
static void give_cells(struct watched *w)
{
    size_t bytes = words_of(w) * sizeof *w->cells;

    if (w->kind == SOFTGPU_DEVICE_MEMORY)
        w->known = watch_reserve(words_of(w));
    if (cell_bytes + bytes > (size_t)CELL_BUDGET_MB << 20)
        sample_left_out(w->end - w->base);
    else
        w->granules = watch_reserve(granule_bytes(w));
    if (w->granules)
        w->cells = watch_reserve(bytes);
    if (w->cells)
        cell_bytes += bytes;
}

static void take_cells(struct watched *w)
{
    size_t bytes = words_of(w) * sizeof *w->cells;

    watch_release(w->known, words_of(w));
    watch_release(w->granules, granule_bytes(w));
    watch_release(w->cells, bytes);
    if (w->cells)
        cell_bytes -= bytes;
    w->known = NULL;
    w->granules = NULL;
    w->cells = NULL;
}

/* New memory takes the place of what was freed there. */
static void forget_freed(uintptr_t from, uintptr_t to)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (!list[i]->freed_at || list[i]->end <= from || list[i]->base >= to)
            list[kept++] = list[i]; /* the others may be in `recent` still */
    count = kept;
}

static void insert(struct watched *w)
{
    size_t at;

    if (count == room) {
        size_t more = room ? 2 * room : 64;
        struct watched **grown = realloc(list, more * sizeof *list);

        if (!grown)
            abort(); /* a watcher without memory would be silent */
        list = grown;
        room = more;
    }
    at = after(w->base);
    memmove(list + at + 1, list + at, (count - at) * sizeof *list);
    list[at] = w;
    count++;
}

void place_allocated(const struct softgpu_allocation *a, uintptr_t site)
{
    struct watched *w = calloc(1, sizeof *w);

    if (!w)
        abort();
    w->base = (uintptr_t)a->ptr;
    w->end = w->base + a->bytes;
    w->kind = a->kind;
    w->allocated_at = site;
    pthread_rwlock_wrlock(&lock);
    give_cells(w);
    forget_freed(w->base, w->end);
    insert(w);
    pthread_rwlock_unlock(&lock);
}

void place_freed(const struct softgpu_allocation *a, uintptr_t site)
{
    struct watched *w;

    pthread_rwlock_wrlock(&lock);
    w = covering((uintptr_t)a->ptr, 0);
    if (w) {
        w->freed_at = site;
        take_cells(w);
    }
    pthread_rwlock_unlock(&lock);
}

void place_heap(void *p, size_t bytes, uintptr_t site)
{
    const struct softgpu_allocation a = {.ptr = p, .bytes = bytes,
                                         .kind = SOFTGPU_REGISTERED};

    place_allocated(&a, site);
}

void place_heap_freed(void *p, uintptr_t site)
{
    const struct watched *w = watch_find((uintptr_t)p, 0);
    const struct softgpu_allocation a = {.ptr = p};

    if (w && w->base == (uintptr_t)p && w->kind == SOFTGPU_REGISTERED)
        place_freed(&a, site);
}

void place_each_live(void (*visit)(const struct watched *))
{
    size_t i;

    for (i = 0; i < count; i++)
        if (!list[i]->freed_at)
            visit(list[i]);
}

static int is_local(uintptr_t address)
{
    const struct softgpu_block *b = softgpu_tls.block;
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);

    return address >= here
           && address < (uintptr_t)watch_stack_top(b->worker);
}

/* Thread-local variables lie right below the thread pointer; of these kernels
 * read threadIdx and its like. */
static int is_thread_local(uintptr_t address)
{
    uintptr_t here = (uintptr_t)&softgpu_tls;

    return address - (here - TLS_REACH) < 2 * TLS_REACH;
}

/* Results of warp calls, which inlined functions read. */
static int is_warp_state(uintptr_t address)
{
    const struct softgpu_block *b = softgpu_tls.block;
    size_t warps = (b->count + WARP_LANES - 1) / WARP_LANES;

    return address - (uintptr_t)b->warps < warps * sizeof *b->warps;
}

/* Variables of the program, literals. */
int watch_is_program(uintptr_t address)
{
    const uintptr_t begin = (uintptr_t)&__executable_start;

    return address - begin < (uintptr_t)&_end - begin;
}

/* The parameters, and what the runtime keeps for the thread. */
static int is_runtime(uintptr_t address)
{
    const struct softgpu_grid *grid = softgpu_tls.block->worker->run->grid;

    return address - (uintptr_t)grid->closure < grid->closure_bytes
           || is_thread_local(address) || is_warp_state(address);
}

static inline struct watched **recent_at(uintptr_t code)
{
    return &recent[(uint32_t)code * 0x9e3779b1u >> (32 - RECENT_BITS)];
}

/* Kernels meet the same few arrays at the same lines. */
static struct watched *find_soon(const struct access *access)
{
    struct watched **slot = recent_at(access->code);
    struct watched *w = *slot;

    if (w && access->address - w->base < w->end - w->base && !w->freed_at)
        return w;
    return *slot = watch_find(access->address, 0);
}

void watch_place(struct access *access)
{
    uintptr_t in_shared = access->address - (uintptr_t)softgpu_tls.shared;

    access->memory = NULL;
    if (in_shared < softgpu_tls.shared_bytes) {
        access->region = REGION_SHARED;
    } else if (is_local(access->address)) {
        access->region = REGION_LOCAL;
    } else if (watch_is_program(access->address)) {
        access->region = REGION_SYMBOL;
    } else if ((access->memory = find_soon(access)) != NULL) {
        access->region = REGION_DEVICE;
    } else if (is_runtime(access->address)) {
        access->region = REGION_SYMBOL;
    } else {
        access->region = REGION_NONE;
    }
}

int place_nothing_new(const volatile void *p, uint32_t bytes, uintptr_t code)
{
    const struct watched *w = *recent_at(code);
    const uintptr_t at = (uintptr_t)p;

    return w && at - w->base < w->end - w->base && at + bytes <= w->end
           && !w->freed_at && words_covered(w, p, bytes, code);
}
