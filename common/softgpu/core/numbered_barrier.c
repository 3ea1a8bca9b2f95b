/* SPDX-License-Identifier: MIT */
/** @file
 *  The 16 barriers of a block that PTX's bar.sync and bar.arrive name: some
 *  warps meet, or some arrive and go on while the others wait for them.
 */
#include "block.h"
#include "hooks.h"
#include "thread_switch.h"

/* A warp counts as 32 threads, even where the last one has fewer. */
static uint32_t weight_of(const struct softgpu_thread *t)
{
    return lane_of(t) == 0 ? 1 + WARP_LANES - t->warp->lanes : 1;
}

/* Have all threads arrived? */
static bool is_complete(const struct softgpu_block *b,
                        const struct numbered_barrier *n)
{
    const uint32_t all = (b->count + WARP_LANES - 1) / WARP_LANES * WARP_LANES;
    return n->expected ? n->arrived >= n->expected
                       : n->arrived + (b->count - b->live) >= all;
}

static void complete(struct softgpu_block *b, struct numbered_barrier *n,
                     const void *site)
{
    SOFTGPU_HOOK(numbered_barrier, (b, n->expected, site));
    n->arrived = n->expected = 0;
    b->yield_count = 0;
    atomic_fetch_add_explicit(&n->epoch, 1, memory_order_relaxed);
}

/* Where a thread waits at it, or NULL. */
static const void *waiting_site(const struct softgpu_block *b,
                                const struct numbered_barrier *n)
{
    for (uint32_t i = 0; i < b->count; i++)
        if (b->threads[i].wait_word == &n->epoch)
            return b->threads[i].site;
    return NULL;
}

void softgpu_numbered_barriers_thread_exited(struct softgpu_block *b)
{
    for (unsigned i = 0; i < NUMBERED_BARRIERS; i++) {
        struct numbered_barrier *n = &b->numbered[i];
        if (n->arrived && !n->expected && is_complete(b, n))
            complete(b, n, waiting_site(b, n));
    }
}

static void check_use(const struct softgpu_block *b, unsigned id,
                      unsigned threads)
{
    if (id >= NUMBERED_BARRIERS)
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE,
                     "a block has barriers 0 to 15, not %u", id);
    if (threads % WARP_LANES)
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE,
                     "barrier %u: %u threads are no whole warps", id, threads);
    if (b->thread_loop)
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE, "barrier %u in a kernel that was "
                     "compiled as having none", id);
    if (b->numbered[id].arrived && b->numbered[id].expected != threads)
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE,
                     "barrier %u: threads that wait expect %u threads, this "
                     "one %u", id, b->numbered[id].expected, threads);
}

void softgpu_numbered_barrier(unsigned id, unsigned threads, int wait)
{
    struct softgpu_block *b = CURRENT_BLOCK;
    struct softgpu_thread *me = CURRENT_THREAD;
    me->site = __builtin_return_address(0);
    check_use(b, id, threads);
    struct numbered_barrier *n = &b->numbered[id];
    uint32_t epoch = atomic_load_explicit(&n->epoch, memory_order_relaxed);
    softgpu_ordered(SOFTGPU_RELEASES, n, epoch);
    /* meanwhile other threads may have run */
    epoch = atomic_load_explicit(&n->epoch, memory_order_relaxed);
    b->uses_numbered = true;
    b->in_ring_order = false;
    n->expected = threads;
    n->arrived += weight_of(me);
    if (is_complete(b, n)) {
        complete(b, n, me->site);
    } else if (wait) {
        set_wait(me, &n->epoch, epoch);
        softgpu_suspend_thread(me);
    }
    if (wait)
        softgpu_ordered(SOFTGPU_ACQUIRES, n, epoch);
}
