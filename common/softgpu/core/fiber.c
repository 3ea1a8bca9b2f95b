/* SPDX-License-Identifier: MIT */
/** @file
 *  Stacks come in slabs, one mmap each, committed page by page as they are
 *  used.  Their tops lie at different offsets modulo the page: tops that agree
 *  in their low bits fight for the same lines of the cache, which made a block
 *  of 1024 threads 2.4 times slower.  A guard page lies below each of the
 *  first stacks; later ones go without, because the kernel counts mappings.
 *
 *  The only file that knows of the sanitizers' fiber calls.
 */
#define _GNU_SOURCE
#include "fiber.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

#ifdef SOFTGPU_ASAN
#include "block.h"
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
enum { STACK_PAGES = 273 }; /* its frames are several times larger */
#else
enum { STACK_PAGES = 81 };
#endif

enum {
    PAGE = 4096,
    /* an odd number of pages: with a power of two the tops of all stacks
     * would share two sets of the TLB */
    STACK_BYTES = STACK_PAGES * PAGE,
    GUARD_BYTES = 16 * PAGE, /* the lowest; a larger frame may jump over it */
    SLAB_STACKS = 64,
    /* of all workers: each guard costs two of the 65530 mappings allowed */
    GUARDED_SLABS = 320,
    STACKS_MAX = 65536,  /* of one worker, some 8 KB each in use */
    COLOURS = 47         /* offsets of tops; the hot part stays in one page */
};

struct slab {
    struct slab *next;
    char *memory;
    struct stack stacks[SLAB_STACKS];
};

struct stacks {
    struct stack *free;
    struct slab *slabs;
    unsigned count; /* slabs */
};

static atomic_uint all_slabs; /* of all workers */

/* Who may hold little address space gets a quarter of it for stacks, as the
 * device's memory is reserved in it, too: blocks that spin have more blocks
 * started beside them until there is no room. */
size_t softgpu_stacks_room(unsigned workers)
{
    static _Atomic size_t room;
    size_t all = atomic_load_explicit(&room, memory_order_relaxed);

    if (!all) {
        struct rlimit space;
        const bool bounded = getrlimit(RLIMIT_AS, &space) == 0
                             && space.rlim_cur != RLIM_INFINITY;

        all = bounded ? space.rlim_cur / 4 / STACK_BYTES : SIZE_MAX;
        atomic_store_explicit(&room, all + !all, memory_order_relaxed);
    }
    all /= workers;
    return all < STACKS_MAX ? all : STACKS_MAX;
}

struct stacks *softgpu_stacks_new(void)
{
    return calloc(1, sizeof(struct stacks));
}

static void carve(struct stack *s, char *memory, unsigned number, bool guard)
{
    const size_t colour = number % COLOURS * 64;
    s->base = memory + GUARD_BYTES;
    s->top = memory + STACK_BYTES - colour;
    s->bytes = (size_t)((char *)s->top - s->base);
    if (guard)
        mprotect(memory, GUARD_BYTES, PROT_NONE);
}

static bool add_slab(struct stacks *stacks)
{
    struct slab *slab = malloc(sizeof *slab);
    if (!slab)
        return false;
    slab->memory = mmap(NULL, (size_t)SLAB_STACKS * STACK_BYTES,
                        PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (slab->memory == MAP_FAILED) {
        free(slab);
        return false;
    }
    slab->next = stacks->slabs;
    stacks->slabs = slab;
    stacks->count++;
    const bool guard = atomic_fetch_add(&all_slabs, 1) < GUARDED_SLABS;
    for (int i = SLAB_STACKS - 1; i >= 0; i--) {
        carve(&slab->stacks[i], slab->memory + (size_t)i * STACK_BYTES,
              stacks->count * SLAB_STACKS + (unsigned)i, guard);
        softgpu_stack_give(stacks, &slab->stacks[i]);
    }
    return true;
}

static struct stack *take(struct stacks *stacks)
{
    if (!stacks->free && !add_slab(stacks))
        return NULL;
    struct stack *s = stacks->free;
    stacks->free = s->next;
    if (s->next) { /* threads start in rows: the next one's first frames */
        __builtin_prefetch((char *)s->next->top - 64, 1);
        __builtin_prefetch((char *)s->next->top - 128, 1);
        __builtin_prefetch((char *)s->next->top - 192, 1);
    }
    return s;
}

#ifdef SOFTGPU_ASAN
/* A thread that a fault ended never left its frames: their marks remain. */
static void wipe(const struct stack *s)
{
    __asan_unpoison_memory_region(s->base, s->bytes);
}
#else
static void wipe(const struct stack *s)
{
    (void)s;
}
#endif

struct stack *softgpu_stack_take(struct stacks *stacks)
{
    struct stack *s = take(stacks);
    if (s)
        wipe(s);
    return s;
}

void softgpu_stack_give(struct stacks *stacks, struct stack *s)
{
    s->next = stacks->free;
    stacks->free = s;
}

void softgpu_stacks_reset(struct stacks *stacks)
{
    stacks->free = NULL;
    for (struct slab *slab = stacks->slabs; slab; slab = slab->next)
        for (int i = SLAB_STACKS - 1; i >= 0; i--) {
#ifdef SOFTGPU_ASAN
            __asan_unpoison_memory_region(slab->stacks[i].base,
                                          slab->stacks[i].bytes);
#endif
            softgpu_stack_give(stacks, &slab->stacks[i]);
        }
}

bool softgpu_stack_overflowed(const struct stacks *stacks, const void *address)
{
    const char *p = address;
    for (const struct slab *slab = stacks->slabs; slab; slab = slab->next)
        if (p + GUARD_BYTES >= slab->memory
            && p < slab->memory + (size_t)SLAB_STACKS * STACK_BYTES)
            return true;
    return false;
}

#ifdef SOFTGPU_ASAN

/* The OS thread's own stack, learnt when a fiber is first entered from it. */
static _Thread_local const void *native_bottom;
static _Thread_local size_t native_bytes;
/* Who runs when the switch is over: nobody does as long as it lasts, for a
 * signal must not start another one. */
static _Thread_local struct softgpu_thread *arriving;

void *softgpu_fiber_switch(void **save, void *to, void *result,
                           const struct stack *to_stack, bool over)
{
    void *fake = NULL;
    arriving = CURRENT_THREAD;
    CURRENT_THREAD = NULL;
    __sanitizer_start_switch_fiber(
        over ? NULL : &fake, to_stack ? to_stack->base : native_bottom,
        to_stack ? to_stack->bytes : native_bytes);
    result = softgpu_switch(save, to, result);
    __sanitizer_finish_switch_fiber(fake, NULL, NULL);
    CURRENT_THREAD = arriving;
    return result;
}

void softgpu_fiber_arrive(void)
{
    const void *bottom;
    size_t bytes;
    __sanitizer_finish_switch_fiber(NULL, &bottom, &bytes);
    CURRENT_THREAD = arriving;
    if (!native_bottom) {
        native_bottom = bottom;
        native_bytes = bytes;
    }
}

void softgpu_fiber_home(void)
{
    enum { ABANDONED = 1 << 16 }; /* bytes that abandoning may take, and more */
    const char *below = __builtin_frame_address(0);
    const char *bottom = native_bottom;

    if (below - bottom > ABANDONED)
        bottom = below - ABANDONED;
    __asan_unpoison_memory_region(bottom, (size_t)(below - bottom));
}

#endif
