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
    const struct softgpu_thread *thread;
    const struct warp *warp;
    uint3 id;         /**< of the thread */
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

/* Once for a program. */
static void tell(const struct access *now, const struct access *last,
                 const void *site)
{
    const struct softgpu_grid *grid = CURRENT_BLOCK->worker->run->grid;
    const uint3 a = now->id, b = last->id;
    char location[256];

    if (atomic_exchange(&notes, 0) <= 0)
        return;
    softgpu_format_location(location, sizeof location, site,
                            grid->kernel->file);
    fflush(stdout);
    fprintf(stderr,
            "softgpu: %s relies on the lanes of a warp running in lockstep: "
            "thread (%u,%u,%u) %s%s what thread (%u,%u,%u) has %s, "
            "with no __syncwarp() between; cards since Volta do not promise "
            "lockstep (softcc --lockstep runs the program as older ones did)\n",
            grid->kernel->name, a.x, a.y, a.z,
            now->is_store ? "stores" : "loads", location, b.x, b.y, b.z,
            last->is_store ? "stored" : "loaded");
}

int softgpu_note_lockstep(const void *at, int is_store)
{
    const struct softgpu_block *b = CURRENT_BLOCK;
    struct softgpu_thread *me = CURRENT_THREAD;
    if (!b || !me || b->thread_loop || b->gang_threads)
        return 1;
    const struct access now = {at, me, me->warp, me->id,
                               b->worker->run->start_ns, b->order,
                               epoch_of(b, me->warp), is_store != 0};
    struct access before;
    struct access *last = &accesses[(uintptr_t)at / 4 % ENTRIES];
    pthread_mutex_lock(&lock);
    before = *last;
    *last = now;
    pthread_mutex_unlock(&lock);
    if (before.at == at && before.thread != me && before.warp == me->warp
        && before.started == now.started && before.order == now.order
        && before.epoch == now.epoch && before.is_store != now.is_store)
        tell(&now, &before, __builtin_return_address(0));
    return atomic_fetch_sub_explicit(&notes, 1, memory_order_relaxed) > 1;
}
