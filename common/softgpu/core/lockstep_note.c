/* SPDX-License-Identifier: MIT */
/** @file
 *  Does a program rely on the lanes of a warp running in lockstep?
 *
 *  softcc marks the loads and the store of statements such as
 *  `s[i] += s[i ^ 8]`.  Where a lane loads a word of shared memory that another
 *  lane of its warp has stored, or stores one that another has loaded, and no
 *  barrier and no warp call of the warp has completed in between, the result
 *  depends on the order of the lanes: one line says so.
 */
#include <pthread.h>
#include <stdio.h>

#include "fault.h"
#include "hooks.h"

enum {
    ENTRIES = 1024,  /* of the table, by address */
    NOTES = 1 << 16  /* accesses that are looked at, of the whole program */
};

/** The last access to a word, in an interval between two synchronizations. */
struct access {
    const void *at;
    unsigned thread;  /**< its linear index in the block */
    uint64_t started; /**< of its grid, ns */
    uint64_t order;   /**< of its block */
    uint32_t epoch;   /**< of its warp */
    bool is_store;
};

static _Atomic int notes = NOTES; /* that are left */
static struct access accesses[ENTRIES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the table */

/* It changes with each barrier of the block and each call of the warp. */
static uint32_t epoch_of(const struct softgpu_block *b, const struct warp *w)
{
    uint32_t sum = atomic_load_explicit(&b->epoch, memory_order_relaxed)
                   + atomic_load_explicit(&w->active_epoch,
                                          memory_order_relaxed);
    for (unsigned i = 0; i < w->slot_count; i++)
        sum += atomic_load_explicit(&w->slots[i].epoch, memory_order_relaxed);
    return sum;
}

static unsigned linear_index(uint3 id)
{
    return (id.z * blockDim.y + id.y) * blockDim.x + id.x;
}

static uint3 thread_index_of(unsigned linear)
{
    const unsigned row = linear / blockDim.x;
    return (uint3){linear % blockDim.x, row % blockDim.y, row / blockDim.y};
}

/* Is the result of both accesses that of lanes in lockstep? */
static bool relies_on_order(const struct access *now, const struct access *last)
{
    return last->at == now->at && last->thread != now->thread
           && last->thread / WARP_LANES == now->thread / WARP_LANES
           && last->started == now->started && last->order == now->order
           && last->epoch == now->epoch && last->is_store != now->is_store;
}

/* Once for a program. */
static void print_note(const struct access *now, const struct access *last,
                       const char *location)
{
    const uint3 a = thread_index_of(now->thread);
    const uint3 b = thread_index_of(last->thread);

    if (atomic_exchange(&notes, 0) <= 0)
        return;
    fflush(stdout);
    fprintf(stderr,
            "softgpu: %s relies on the lanes of a warp running in lockstep: "
            "thread (%u,%u,%u) %s%s what thread (%u,%u,%u) has %s, "
            "with no __syncwarp() between; cards since Volta do not promise "
            "lockstep (softcc --lockstep runs the program as older ones did)\n",
            CURRENT_BLOCK->worker->run->grid->kernel->name, a.x, a.y, a.z,
            now->is_store ? "stores" : "loads", location, b.x, b.y, b.z,
            last->is_store ? "stored" : "loaded");
}

/* Record an access.  @return the one to the same word before it */
static struct access replace_access(const struct access *now)
{
    struct access *last = &accesses[(uintptr_t)now->at / 4 % ENTRIES], before;

    pthread_mutex_lock(&lock);
    before = *last;
    *last = *now;
    pthread_mutex_unlock(&lock);
    return before;
}

int softgpu_note_lockstep(const void *at, int is_store)
{
    const struct softgpu_block *b = CURRENT_BLOCK;
    struct softgpu_thread *me = CURRENT_THREAD;
    if (!b || !me || b->thread_loop || b->gang_threads)
        return 1;
    const struct access now = {at, linear_index(me->id),
                               b->worker->run->start_ns, b->order,
                               epoch_of(b, me->warp), is_store != 0};
    const struct access before = replace_access(&now);
    if (relies_on_order(&now, &before)) {
        char location[256];
        softgpu_format_location(location, sizeof location,
                                __builtin_return_address(0),
                                b->worker->run->grid->kernel->file);
        print_note(&now, &before, location);
    }
    return atomic_fetch_sub_explicit(&notes, 1, memory_order_relaxed) > 1;
}

int softgpu_note_gang(const void *const *at, unsigned active, int is_store,
                      unsigned first, uint32_t epoch, const char *file,
                      int line)
{
    const struct softgpu_block *b = CURRENT_BLOCK;
    first += linear_index(CURRENT_THREAD->id);
    for (unsigned lane = 0; lane < SOFTGPU_GANG_THREADS; lane++) {
        if (!(active >> lane & 1) || !softgpu_is_shared(at[lane]))
            continue;
        const struct access now = {at[lane], first + lane,
                                   b->worker->run->start_ns, b->order, epoch,
                                   is_store != 0};
        const struct access before = replace_access(&now);
        if (relies_on_order(&now, &before)) {
            char location[256];
            softgpu_format_line(location, sizeof location, file, line,
                                b->worker->run->grid->kernel->file);
            print_note(&now, &before, location);
        }
    }
    const int used = __builtin_popcount(active);
    return atomic_fetch_sub_explicit(&notes, used, memory_order_relaxed) > used;
}
