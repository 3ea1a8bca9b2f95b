/* SPDX-License-Identifier: MIT */
/* Release and acquire.  Each synchronization variable has a log of releases; a
 * thread that acquires remembers the length of the log.  What a block has
 * acquired is a list that only grows at its head, so that a release can refer
 * to it: that makes the order transitive.  Cost: an entry for each release, a
 * search when two accesses conflict, nothing otherwise. */
#include "happens_before.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "block_fences.h"
#include "block_order.h"
#include "pending_reads.h"
#include "shadow_words.h"
#include "shared_shadow.h"
#include "sync_variable.h"
#include "warp_order.h"

struct order {
    struct block_fences fences;
    struct warp_order warp[MAX_BLOCK_THREADS / WARP_LANES];
    struct pending_reads pending;
    struct acquired *acquired; /* the latest first */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
uint32_t hb_launch_number = 1; /* 0 is no tag */
static _Atomic int any_fence; /* in this launch */
static _Atomic int any_flag;  /* likewise: an atomic or volatile access */

void hb_begin_grid(const struct run *run)
{
    (void)run;
    atomic_store(&any_fence, 0);
    atomic_store(&any_flag, 0);
    shadow_reset();
}

void hb_end_grid(const struct run *run)
{
    hb_launch_number += atomic_load(&run->grid_epoch) + 1;
    sync_variables_free();
    handed_fences_free();
}

int hb_any_flag(void)
{
    return atomic_load_explicit(&any_flag, memory_order_relaxed);
}

struct order *hb_new_order(void)
{
    return calloc(1, sizeof(struct order));
}

/* hb_end_grid() has freed the variables. */
void hb_resume_block(struct watch_block *block)
{
    block->order->pending.count = 0;
    block->order->acquired = NULL;
    block->order->fences.handed_over = NULL;
    if (block->tag)
        block->tag = hb_launch_number;
}

/* Without a cooperative launch the block's tag changes only there. */
void hb_begin_block(struct watch_block *block)
{
    const struct run *run = block->block->worker->run;
    struct order *order = block->order;

    block->tag = run->grid->cooperative ? 0 : hb_launch_number;
    block->sequence = block->launches = block->first_fence = 0;
    block_fences_begin(&order->fences);
    order->pending.count = 0;
    order->acquired = NULL;
    block_order_begin(block);
}

static uint32_t running_thread(const struct watch_block *block)
{
    return (uint32_t)(softgpu_tls.thread - block->block->threads);
}

static struct warp_order *warp_of(const struct watch_block *block,
                                  uint32_t thread)
{
    return &block->order->warp[thread / WARP_LANES];
}

/* --- acquire -------------------------------------------------------------- */

/* Acquire what the thread has read; what all threads have, for ALL_THREADS.
 * The caller holds the lock. */
static void acquire_pending(const struct watch_block *block, uint32_t thread)
{
    struct order *order = block->order;
    const uint32_t calls =
        thread == ALL_THREADS ? 0 : warp_of(block, thread)->calls;

    order->acquired = pending_reads_acquire(&order->pending, thread, calls,
                                            block->interval, order->acquired);
}

void hb_warp_call(const struct watch_block *block)
{
    warp_of(block, running_thread(block))->calls++;
}

static void begin_interval(struct watch_block *block)
{
    enum { WRAP = 1 << 28 }; /* init_mask[] has 28 bits for the number */

    if (++block->interval == WRAP) { /* numbers start again: clear the shadow */
        memset(block->cells, 0, block->words * sizeof *block->cells);
        memset(block->init_mask, 0, block->words * sizeof *block->init_mask);
        memset(block->keys, 0, block->words * sizeof *block->keys);
        memset(&block->order->fences, 0, sizeof block->order->fences);
        memset(block->order->warp, 0, sizeof block->order->warp);
        block_order_begin(block);
        block->ordered_interval = 1;
        block->interval = block->first_interval = 1;
    }
    block->first_fence = 0;
    block->returned = block->block->count - block->block->live;
    block_fences_begin_interval(&block->order->fences);
    if (block->order->pending.count) {
        pthread_mutex_lock(&lock);
        acquire_pending(block, ALL_THREADS);
        pthread_mutex_unlock(&lock);
    }
}

void hb_begin_interval(struct watch_block *block)
{
    begin_interval(block);
    block_order_all(block);
    shared_shadow_new_interval(block);
}

void hb_begin_acquired_interval(struct watch_block *block)
{
    begin_interval(block);
    block_order_some(block);
    shared_shadow_new_interval(block);
}

/* The running thread's later writes release what precedes its fence. */
static void release_fence(struct watch_block *block, uint32_t thread,
                          int device)
{
    const struct thread_fence fence = {
        block->sequence, block->interval,
        (uint16_t)softgpu_tls.thread->warp->syncwarp_count};

    if (!block->first_fence)
        block->first_fence = block->sequence;
    if (!device)
        return;
    block_fences_add(&block->order->fences, thread, &fence);
    warp_order_add_fence(warp_of(block, thread), thread, block->interval,
                         block->sequence);
    if (!atomic_load_explicit(&any_fence, memory_order_relaxed))
        atomic_store(&any_fence, 1);
}

void hb_fence(struct watch_block *block, uint32_t flags)
{
    const uint32_t thread = running_thread(block);

    block->sequence++;
    if (flags & FENCE_ACQUIRE && flags & FENCE_DEVICE
        && block->order->pending.count) {
        pthread_mutex_lock(&lock);
        acquire_pending(block, thread);
        pthread_mutex_unlock(&lock);
    }
    block_order_fence(block, flags);
    if (flags & FENCE_RELEASE)
        release_fence(block, thread, (flags & FENCE_DEVICE) != 0);
}

int hb_releases_in_block(const struct watch_block *block,
                         const struct access_record *writer)
{
    return block->first_fence && writer->sequence >= block->first_fence
           && writer->interval == block->interval;
}

/* --- atomic and volatile accesses ----------------------------------------- */

/* The accesses that the running thread releases when it writes a variable.
 * The caller holds the lock.
 * @return 0 when no fence precedes the write */
static int make_release(const struct watch_block *block,
                        struct release_entry *entry)
{
    struct order *order = block->order;
    const uint32_t thread = running_thread(block);
    const struct thread_fence *fence = &order->fences.last[thread];

    *entry = (struct release_entry){
        .block = (uint32_t)block->block->linear,
        .thread = thread,
        .interval = block->interval,
        .sequence = block->sequence,
        .fence_at_start = order->fences.sequence_at_start,
        .knowledge = order->acquired,
    };
    if (fence->sequence && fence->interval >= block->first_interval) {
        entry->fence = fence->sequence;
        entry->fence_interval = fence->interval;
        entry->fence_warp_interval = fence->warp_interval;
    }
    warp_order_find_fences(warp_of(block, thread), entry);
    if (entry->fence_at_start && entry->fence_interval != block->interval)
        entry->handed_over =
            block_fences_handed_over(&order->fences, block->block->count);
    return entry->fence || entry->fence_at_start || entry->warp_fence;
}

/* The load that this OS thread executes after the callback.  Until then
 * another OS thread may release and store the value that it reads. */
static SOFTGPU_TLS struct {
    struct watch_block *block;
    uintptr_t address;
    uint32_t thread;
    int acquires, is_stated; /* its memory order */
} pending_load;

void hb_atomic_access(const struct access *a)
{
    struct watch_block *block = a->block;
    const int writes = a->flags & ACCESS_WRITE;
    struct release_entry entry;
    struct sync_variable *w;

    block->sequence += writes != 0;
    pending_load.block = reads_value(a) ? block : NULL;
    pending_load.address = a->address;
    pending_load.thread = running_thread(block);
    pending_load.acquires = (a->flags & ACCESS_ACQUIRE) != 0;
    pending_load.is_stated = (a->flags & ACCESS_STATED) != 0;
    watch_defer();
    shared_shadow_disable();
    if (!hb_any_flag())
        atomic_store_explicit(&any_flag, 1, memory_order_relaxed);
    if (!atomic_load_explicit(&any_fence, memory_order_relaxed))
        return;
    pthread_mutex_lock(&lock);
    if (writes && make_release(block, &entry)) {
        w = sync_variable_find(a->address, 1);
        if (w)
            sync_release(w, &entry);
    }
    pthread_mutex_unlock(&lock);
}

void hb_finish_load(void)
{
    struct watch_block *block = pending_load.block;
    struct sync_variable *w;

    pending_load.block = NULL;
    if (!block || !atomic_load_explicit(&any_fence, memory_order_relaxed))
        return;
    pthread_mutex_lock(&lock);
    w = sync_variable_find(pending_load.address, 0);
    if (w) {
        const struct sync_read read = {
            w, pending_load.thread,
            warp_of(block, pending_load.thread)->calls, pending_load.is_stated};

        pending_reads_add(&block->order->pending, &read);
    }
    if (w && pending_load.acquires)
        acquire_pending(block, pending_load.thread);
    pthread_mutex_unlock(&lock);
}

/* --- cuda::barrier -------------------------------------------------------- */

/* The variable of a phase: one of the bytes of the barrier's word, of which
 * nothing else is reported. */
static struct sync_variable *phase_variable(const volatile void *object,
                                            uint64_t phase)
{
    return sync_variable_find((uintptr_t)object + phase % sizeof phase, 1);
}

/* Threads of other blocks will acquire what the running thread did. */
static void release_phase(struct watch_block *block,
                          const volatile void *object, uint64_t phase)
{
    const uint32_t thread = running_thread(block);
    struct barrier_arrival *arrival = &block->arrival;
    const int again = arrival->barrier == object && arrival->phase == phase
                      && arrival->thread != thread;
    struct release_entry entry;
    struct sync_variable *w;

    *arrival = (struct barrier_arrival){object, phase,
                                        again ? ALL_THREADS : thread};
    block->sequence++;
    pthread_mutex_lock(&lock);
    make_release(block, &entry);
    entry.fence = block->sequence;
    entry.fence_interval = block->interval;
    entry.fence_warp_interval =
        (uint16_t)softgpu_tls.thread->warp->syncwarp_count;
    w = phase_variable(object, phase);
    if (w)
        sync_release(w, &entry);
    pthread_mutex_unlock(&lock);
}

/* The running thread acquires what was released into a phase. */
static void acquire_phase(struct watch_block *block,
                          const volatile void *object, uint64_t phase)
{
    struct order *order = block->order;
    struct sync_variable *w;

    pthread_mutex_lock(&lock);
    w = phase_variable(object, phase);
    if (w)
        order->acquired = sync_acquire(order->acquired, w, w->count,
                                       running_thread(block), block->interval);
    pthread_mutex_unlock(&lock);
}

/* Has no other thread of the block arrived for the phase? */
static int arrived_alone(const struct watch_block *block,
                         const volatile void *object, uint64_t phase)
{
    const struct barrier_arrival *arrival = &block->arrival;

    return arrival->barrier != object || arrival->phase != phase
           || arrival->thread == running_thread(block);
}

/* All releases into a phase precede its first acquire, which begins an interval
 * of the block. */
void hb_cuda_barrier(unsigned how, const volatile void *object, uint64_t phase)
{
    struct watch_block *w = watch_current_block();
    const int wide = how & SOFTGPU_OF_DEVICE && !softgpu_is_shared(object);

    if (!w)
        return;
    watch_run_deferred();
    if (!(how & SOFTGPU_ACQUIRES)) {
        w->barrier = NULL;
        w->sequence++;
        block_order_arrive(w, object, phase);
        if (wide)
            release_phase(w, object, phase);
        return;
    }
    if ((w->barrier != object || w->phase != phase)
        && !(wide && arrived_alone(w, object, phase))) {
        w->barrier = object;
        w->phase = phase;
        hb_begin_acquired_interval(w);
    }
    block_order_wait(w, object, phase);
    if (wide)
        acquire_phase(w, object, phase);
}

/* --- queries -------------------------------------------------------------- */

int hb_has_acquired(const struct watch_block *block)
{
    return block->order->acquired != NULL;
}

int hb_happens_before(const struct watch_block *block,
                      const struct access_record *other)
{
    const struct order *order = block->order;
    int found;

    if (!order->acquired)
        return 0;
    pthread_mutex_lock(&lock);
    found = sync_acquired(order->acquired, running_thread(block),
                          block->interval, other);
    pthread_mutex_unlock(&lock);
    return found;
}
