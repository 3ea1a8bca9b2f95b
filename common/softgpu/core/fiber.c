/* SPDX-License-Identifier: MIT */
/** @file
 *  Stacks are allocated in slabs, one mmap() each; the system commits a page
 *  at its first use.  The tops of the stacks have different offsets within the
 *  page (cache coloring): tops with equal low bits compete for the same cache
 *  sets, which made a block of 1024 threads 2.4 times slower.  Guard pages lie
 *  below each of the first stacks; later stacks have none, because the system
 *  limits the number of mappings.
 *
 *  This is the only file that calls the sanitizer's fiber interface.
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
enum { STACK_PAGES = 273 }; /* frames are several times larger with ASan */
#else
enum { STACK_PAGES = 81 };
#endif
/* Local arrays take up to MOST_LOCAL_BYTES, and a block's 32 gangs up to
 * MOST_FRAME_BYTES each (common/softgpu/vectors). */
enum { GANG_STACK_PAGES = 529 };

enum {
    PAGE = 4096,
    /* an odd number of pages: with a power of two the tops of all stacks
     * would compete for two sets of the TLB */
    STACK_BYTES = STACK_PAGES * PAGE,
    GANG_STACK_BYTES = GANG_STACK_PAGES * PAGE,
    GUARD_BYTES = 16 * PAGE, /* below a stack; a larger frame may skip it */
    SLAB_STACKS = 64,
    /* of all workers: each guard needs two of the 65530 mappings allowed */
    GUARDED_SLABS_MAX = 320,
    STACKS_MAX = 65536,  /* of one worker; each uses some 8 KB */
    COLORS = 47         /* offsets of tops: the hot part stays in one page */
};

struct slab {
    struct slab *next;
    char *memory;
    struct stack stacks[SLAB_STACKS];
};

struct stacks {
    struct stack *free;
    struct slab *slabs;
    unsigned count;     /* slabs */
    size_t stack_bytes; /* of each */
};

static atomic_uint slab_count; /* of all workers */

static size_t bytes_of(enum stack_kind kind)
{
    return kind == GANG_STACKS ? GANG_STACK_BYTES : STACK_BYTES;
}

/* Under a limit of the address space (RLIMIT_AS) stacks may use a quarter of
 * it, since device memory is reserved in it, too.  Without this limit, more
 * and more blocks would start while the resident ones spin. */
size_t softgpu_stack_limit(enum stack_kind kind, unsigned workers)
{
    static _Atomic size_t room;
    size_t all = atomic_load_explicit(&room, memory_order_relaxed);

    if (!all) {
        struct rlimit space;
        const bool bounded = getrlimit(RLIMIT_AS, &space) == 0
                             && space.rlim_cur != RLIM_INFINITY;

        all = bounded ? space.rlim_cur / 4 : SIZE_MAX;
        atomic_store_explicit(&room, all + !all, memory_order_relaxed);
    }
    all /= workers * bytes_of(kind);
    return all < STACKS_MAX ? all : STACKS_MAX;
}

struct stacks *softgpu_stack_pool_new(enum stack_kind kind)
{
    struct stacks *stacks = calloc(1, sizeof *stacks);

    if (stacks)
        stacks->stack_bytes = bytes_of(kind);
    return stacks;
}

/* Stacks begin at different cache lines (colors), because the tops of all
 * stacks would else map to the same cache sets. */
static void initialize_stack(struct stack *s, char *memory, size_t bytes,
                             unsigned index, bool guard)
{
    const size_t color = index % COLORS * 64;
    s->base = memory + GUARD_BYTES;
    s->top = memory + bytes - color;
    s->bytes = (size_t)((char *)s->top - s->base);
    if (guard)
        mprotect(memory, GUARD_BYTES, PROT_NONE);
}

static void push_free_stack(struct stacks *stacks, struct stack *s)
{
    s->next = stacks->free;
    stacks->free = s;
}

/* Memory for many stacks at once; pages are committed when a thread uses
 * them. */
static bool add_slab(struct stacks *stacks)
{
    struct slab *slab = malloc(sizeof *slab);
    if (!slab)
        return false;
    const size_t bytes = stacks->stack_bytes;
    slab->memory = mmap(NULL, SLAB_STACKS * bytes,
                        PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (slab->memory == MAP_FAILED) {
        free(slab);
        return false;
    }
    slab->next = stacks->slabs;
    stacks->slabs = slab;
    stacks->count++;
    const bool guard = atomic_fetch_add(&slab_count, 1) < GUARDED_SLABS_MAX;
    for (int i = SLAB_STACKS - 1; i >= 0; i--) {
        initialize_stack(&slab->stacks[i], slab->memory + (size_t)i * bytes,
                         bytes, stacks->count * SLAB_STACKS + (unsigned)i, guard);
        push_free_stack(stacks, &slab->stacks[i]);
    }
    return true;
}

#ifdef SOFTGPU_ASAN
/* The frames that its last thread does not leave by returning are poisoned:
 * those above this one, if the thread releases its own stack.  All of a stack
 * has 140 KB of shadow memory.  CURRENT_THREAD is NULL meanwhile, so that a
 * signal preempts nothing in the sanitizer's code. */
static void unpoison_stack(const struct stack *s)
{
    char *const here = __builtin_frame_address(0), *const top = s->top;
    char *const from = here >= s->base && here < top ? here : s->base;
    struct softgpu_thread *const thread = CURRENT_THREAD;

    CURRENT_THREAD = NULL;
    __asan_unpoison_memory_region(from, (size_t)(top - from));
    CURRENT_THREAD = thread;
}
#else
static void unpoison_stack(const struct stack *s)
{
    (void)s;
}
#endif

/* The stack used last is still in the cache. */
struct stack *softgpu_stack_acquire(struct stacks *stacks)
{
    if (!stacks->free && !add_slab(stacks))
        return NULL;
    struct stack *s = stacks->free;
    stacks->free = s->next;
    if (s->next) { /* the next thread to start will use this stack */
        __builtin_prefetch((char *)s->next->top - 64, 1);
        __builtin_prefetch((char *)s->next->top - 128, 1);
        __builtin_prefetch((char *)s->next->top - 192, 1);
    }
    return s;
}

void softgpu_stack_release(struct stacks *stacks, struct stack *s)
{
    unpoison_stack(s);
    push_free_stack(stacks, s);
}

void softgpu_stack_pool_reset(struct stacks *stacks)
{
    stacks->free = NULL;
    for (struct slab *slab = stacks->slabs; slab; slab = slab->next)
        for (int i = SLAB_STACKS - 1; i >= 0; i--)
            softgpu_stack_release(stacks, &slab->stacks[i]);
}

bool softgpu_stack_overflowed(const struct stacks *stacks, const void *address)
{
    const size_t p = (size_t)address; /* perhaps of no object */
    for (const struct slab *slab = stacks->slabs; slab; slab = slab->next) {
        const size_t memory = (size_t)slab->memory;
        if (p + GUARD_BYTES >= memory
            && p < memory + SLAB_STACKS * stacks->stack_bytes)
            return true;
    }
    return false;
}

#ifdef SOFTGPU_ASAN

/* The OS thread's own stack, known when it first switches to a fiber. */
static _Thread_local struct native_stack native;
/* The thread that runs after the switch.  CURRENT_THREAD is NULL meanwhile, so
 * that a signal does not start another switch. */
static _Thread_local struct softgpu_thread *switch_target;

struct native_stack softgpu_fiber_set_native(struct native_stack stack)
{
    const struct native_stack before = native;
    native = stack;
    return before;
}

/* Its variables, and what an ending fiber saves, must not lie on the fake
 * stack, where the sanitizer looks for uses after a return: the first call
 * frees that of a fiber that ends. */
__attribute__((no_sanitize_address))
void *softgpu_fiber_switch(void **save, void *to, void *result,
                           const struct stack *to_stack, bool over)
{
    void *fake = NULL, *discarded_sp;
    if (over)
        save = &discarded_sp;
    switch_target = CURRENT_THREAD;
    CURRENT_THREAD = NULL;
    __sanitizer_start_switch_fiber(
        over ? NULL : &fake, to_stack ? to_stack->base : native.bottom,
        to_stack ? to_stack->bytes : native.bytes);
    result = softgpu_switch(save, to, result);
    __sanitizer_finish_switch_fiber(fake, NULL, NULL);
    CURRENT_THREAD = switch_target;
    return result;
}

void softgpu_fiber_finish_entry(void)
{
    const void *bottom;
    size_t bytes;
    __sanitizer_finish_switch_fiber(NULL, &bottom, &bytes);
    CURRENT_THREAD = switch_target;
    if (!native.bottom)
        native = (struct native_stack){bottom, bytes};
}

void softgpu_fiber_finish_exit(void)
{
    /* more than the frames below softgpu_exit_fibers() take */
    enum { ABANDONED = 1 << 16 };
    const char *below = __builtin_frame_address(0);
    const char *bottom = native.bottom;

    if (below - bottom > ABANDONED)
        bottom = below - ABANDONED;
    __asan_unpoison_memory_region(bottom, (size_t)(below - bottom));
}

#endif
