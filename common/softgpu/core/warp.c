/* SPDX-License-Identifier: MIT */
/** @file
 *  Warp calls (shuffle, vote, __syncwarp, active mask): the lanes of a warp
 *  take part together.
 *
 *  Each mask in use has a slot.  A lane stores its value there and waits until
 *  the slot's epoch has been incremented; the last live lane of the mask
 *  increments it and continues at once.  A waiting lane switches to the next
 *  lane of its warp, so that a warp uses 32 stacks, not those of all threads
 *  of the block.
 */
#include "hooks.h"
#include "thread_switch.h"

/* No lane waits in the slot, and every lane has read its results. */
static bool slot_is_free(const struct softgpu_thread *lanes, unsigned count,
                         const struct warp_slot *slot)
{
    if (slot->arrived)
        return false;
    for (unsigned i = 0; i < count; i++)
        if (lanes[i].wait_word == &slot->epoch)
            return false;
    return true;
}

/* softcc has promised that the kernel has no warp call. */
static void reject_thread_loop(void)
{
    if (CURRENT_BLOCK->thread_loop)
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE,
                     "a warp call in a kernel that was compiled as having "
                     "none");
}

/* All slots have a mask: reuse a free one. */
static struct warp_slot *reuse_slot(struct warp *w, unsigned mask)
{
    const struct softgpu_thread *me = CURRENT_THREAD;
    for (unsigned i = 0; i < WARP_SLOTS; i++)
        if (slot_is_free(me - lane_of(me), w->lanes, &w->slots[i])) {
            w->slots[i].mask = mask;
            return &w->slots[i];
        }
    softgpu_fail(SOFTGPU_LAUNCH_FAILURE,
                 "lanes of one warp wait in more than %d different masks",
                 WARP_SLOTS);
}

/* Calls under one mask share a slot: several groups of lanes may be in calls at
 * once. */
static struct warp_slot *find_slot(struct warp *w, unsigned mask)
{
    reject_thread_loop();
    for (unsigned i = 0; i < w->slot_count; i++)
        if (w->slots[i].mask == mask)
            return &w->slots[i];
    if (w->slot_count == WARP_SLOTS)
        return reuse_slot(w, mask);
    struct warp_slot *slot = &w->slots[w->slot_count++];
    slot->mask = mask;
    slot->arrived = 0;
    return slot;
}

/* Lanes that do not take part have a value, too. */
static void set_absent(uint64_t *values, uint32_t arrived)
{
    const uint64_t pattern = SOFTGPU_LANE_POISON;
    const uint64_t value = CURRENT_BLOCK->worker->run->poison
                               ? pattern << 48 | pattern << 32 | pattern << 16
                                     | pattern
                               : 0;
    for (uint32_t absent = ~arrived; absent; absent &= absent - 1)
        values[__builtin_ctz(absent)] = value;
}

/* The results of this call stay until the call after the next one, while late
 * lanes read them. */
static void complete_call(struct warp_slot *slot)
{
    const uint32_t epoch =
        atomic_load_explicit(&slot->epoch, memory_order_relaxed);
    SOFTGPU_HOOK(warp_call, (slot->mask, slot->arrived));
    if (slot->arrived != ~0u)
        set_absent(slot->values[epoch & 1], slot->arrived);
    slot->values[epoch & 1][SOFTGPU_LANE_MASK_ENTRY] = slot->arrived;
    slot->arrived = 0;
    atomic_store_explicit(&slot->epoch, epoch + 1, memory_order_relaxed);
    CURRENT_BLOCK->yield_count = 0;
}

void softgpu_warp_lane_exited(struct warp *w)
{
    for (unsigned i = 0; i < w->slot_count; i++) {
        struct warp_slot *slot = &w->slots[i];
        if (slot->arrived && slot->arrived == (slot->mask & w->live))
            complete_call(slot);
    }
}

/* The next lane is not runnable: switch to another lane of the warp, else
 * suspend the thread as usual. */
static void *wait_in_warp(struct softgpu_thread *me)
{
    struct softgpu_block *b = CURRENT_BLOCK;
    struct softgpu_thread *first = me - lane_of(me);
    struct softgpu_thread *begins =
        b->started < b->count ? b->start_order[b->started] : NULL;
    struct softgpu_thread *t = me;
    for (unsigned i = 1; i < me->warp->lanes; i++) {
        t = t + 1 == first + me->warp->lanes ? first : t + 1;
        if (is_runnable(t))
            return softgpu_switch_to_thread(me, t);
        if (t == begins)
            return softgpu_start_thread(me, t);
    }
    return softgpu_suspend_thread(me);
}

/* Undefined in CUDA, hence an error here. */
static void reject_lane_outside_mask(unsigned mask, unsigned lane)
{
    softgpu_fail(SOFTGPU_LAUNCH_FAILURE,
                 "lane %u makes a warp call with mask 0x%08x, which leaves "
                 "lane %u out",
                 lane, mask, lane);
}

/* The running lane's slot for this mask. */
static inline struct warp_slot *slot_for(struct softgpu_thread *me,
                                         unsigned mask, const void *site)
{
    struct warp *w = me->warp;
    me->site = site;
    if (__builtin_expect(!(mask >> lane_of(me) & 1), 0))
        reject_lane_outside_mask(mask, lane_of(me));
    return __builtin_expect(w->slots[0].mask == mask, 1) ? &w->slots[0]
                                                         : find_slot(w, mask);
}

/* Which of the slot's two buffers this call uses. */
static inline unsigned buffer_index(const struct warp_slot *slot)
{
    return atomic_load_explicit(&slot->epoch, memory_order_relaxed) & 1;
}

/* Arrive, wait for the other lanes, return `result`.  The wait is a tail call,
 * so that the switch back returns directly into the kernel. */
static inline void *arrive_and_wait(struct softgpu_thread *me,
                                    struct warp_slot *slot, void *result)
{
    const struct warp *w = me->warp;
    const unsigned lane = lane_of(me);
    slot->arrived |= 1u << lane;
    me->result = result;
    if (slot->arrived == (slot->mask & w->live)) {
        complete_call(slot);
        return result;
    }
    CURRENT_BLOCK->in_ring_order = false;
    set_wait(me, &slot->epoch,
             atomic_load_explicit(&slot->epoch, memory_order_relaxed));
    struct softgpu_thread *next = lane + 1 == w->lanes ? me - lane : me + 1;
    if (__builtin_expect(is_runnable(next), 1))
        return softgpu_switch_to_thread(me, next);
    return wait_in_warp(me);
}

const uint64_t *softgpu_warp_gather(unsigned mask, uint64_t value)
{
    struct softgpu_thread *me = CURRENT_THREAD;
    struct warp_slot *slot =
        slot_for(me, mask, __builtin_return_address(0));
    uint64_t *values = slot->values[buffer_index(slot)];
    values[lane_of(me)] = value;
    return arrive_and_wait(me, slot, values);
}

void softgpu_warp_combine(uint64_t value, softgpu_warp_function *combine)
{
    struct softgpu_thread *me = CURRENT_THREAD;
    struct warp_slot *slot = slot_for(me, ~0u, __builtin_return_address(0));
    uint64_t *values = slot->values[buffer_index(slot)];

    if (me->warp->live != ~0u)
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE,
                     SOFTGPU_NEEDS_ALL_LANES " of the warp; only those of "
                     "0x%08x are there", me->warp->live);
    values[lane_of(me)] = value;
    if ((slot->arrived | 1u << lane_of(me)) == ~0u) {
        combine(values);
        me->site = __builtin_return_address(0); /* combine() changed it */
    }
    arrive_and_wait(me, slot, values);
}

const unsigned *softgpu_warp_vote(unsigned mask, int predicate)
{
    struct softgpu_thread *me = CURRENT_THREAD;
    struct warp_slot *slot =
        slot_for(me, mask, __builtin_return_address(0));
    uint32_t *votes = &slot->votes[buffer_index(slot)];
    const uint32_t mine = (uint32_t)(predicate != 0) << lane_of(me);
    *votes = slot->arrived ? *votes | mine : mine;
    return arrive_and_wait(me, slot, votes);
}

void softgpu_warp_sync(unsigned mask)
{
    struct softgpu_thread *me = CURRENT_THREAD;
    struct warp_slot *slot =
        slot_for(me, mask, __builtin_return_address(0));
    struct warp *w = me->warp;
    w->syncwarp_count +=
        (slot->arrived | 1u << lane_of(me)) == (mask & w->live);
    arrive_and_wait(me, slot, NULL);
}

/* --- active mask and lockstep -------------------------------------------- */

/* After so many rounds all lanes resume: one may wait for another. */
enum { LOCKSTEP_ROUNDS = 32 };

/* The lowest source position where lanes wait in softgpu_lockstep().  Only its
 * lanes resume: so diverged lanes reconverge.  0: all lanes resume. */
static uint32_t lowest_position(struct warp *w)
{
    uint32_t first = 0;
    for (unsigned i = w->active_mask_waiters; i; i &= i - 1) {
        const uint32_t position = w->source_positions[__builtin_ctz(i)];
        if (position && (!first || position < first))
            first = position;
    }
    w->resumed_rounds =
        first == w->resumed_position ? w->resumed_rounds + 1 : 0;
    w->resumed_position = first;
    return w->resumed_rounds % LOCKSTEP_ROUNDS == LOCKSTEP_ROUNDS - 1 ? 0
                                                                      : first;
}

/* Do all live lanes of the warp wait in the same call? */
static bool is_converged(const struct warp *w,
                         const struct softgpu_thread *first)
{
    const unsigned waiting = w->active_mask_waiters;
    if (waiting != w->live)
        return false;
    const unsigned one = (unsigned)__builtin_ctz(waiting);
    for (unsigned i = waiting; i; i &= i - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(i);
        if (w->source_positions[lane] != w->source_positions[one]
            || first[lane].site != first[one].site)
            return false;
    }
    return true;
}

/* End the wait: each lane looks at its group. */
static void resume_waiters(struct warp *w)
{
    w->active_mask_waiters = 0;
    atomic_fetch_add_explicit(&w->active_epoch, 1, memory_order_relaxed);
    CURRENT_BLOCK->yield_count = CURRENT_BLOCK->long_runs = 0;
}

/* The result for lanes that wait in the same call is the mask of these lanes;
 * for lanes that must still wait it is 0. */
static unsigned complete_active_mask(struct warp *w,
                                     const struct softgpu_thread *first)
{
    const unsigned waiting = w->active_mask_waiters;
    if (waiting && is_converged(w, first)) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            w->active_groups[lane] = waiting;
        w->resumed_rounds = 0;
        resume_waiters(w);
        return 1;
    }
    const uint32_t resumed_position = lowest_position(w);
    for (unsigned i = waiting; i; i &= i - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(i);
        w->active_groups[lane] = 0;
        if (resumed_position && w->source_positions[lane]
            && w->source_positions[lane] != resumed_position)
            continue;
        for (unsigned j = waiting; j; j &= j - 1) {
            const unsigned other = (unsigned)__builtin_ctz(j);
            if (first[other].site == first[lane].site)
                w->active_groups[lane] |= 1u << other;
        }
    }
    resume_waiters(w);
    return waiting != 0;
}

unsigned softgpu_complete_active_masks(struct softgpu_block *b)
{
    unsigned resolved = 0;
    if (b->thread_loop)
        return 0;
    for (unsigned i = 0; i < b->count; i += WARP_LANES)
        if (b->warps[i / WARP_LANES].active_mask_waiters)
            resolved +=
                complete_active_mask(&b->warps[i / WARP_LANES], b->threads + i);
    return resolved;
}

/* Is there a lane other than `me` that can still make this call? */
static bool others_may_arrive(const struct warp *w,
                              const struct softgpu_thread *first,
                              const struct softgpu_thread *me)
{
    for (unsigned left = w->live & ~w->active_mask_waiters; left;
         left &= left - 1) {
        const struct softgpu_thread *t = first + __builtin_ctz(left);
        if (t != me && (!t->sp || is_runnable(t)))
            return true;
    }
    return false;
}

unsigned softgpu_active_mask(void)
{
    struct softgpu_thread *me = CURRENT_THREAD;
    struct warp *w = me->warp;
    const unsigned lane = lane_of(me);
    reject_thread_loop();
    me->site = __builtin_return_address(0);
    w->active_mask_waiters |= 1u << lane;
    if (!others_may_arrive(w, me - lane, me)) {
        complete_active_mask(w, me - lane);
        return w->active_groups[lane];
    }
    CURRENT_BLOCK->in_ring_order = false;
    set_wait(me, &w->active_epoch,
             atomic_load_explicit(&w->active_epoch, memory_order_relaxed));
    wait_in_warp(me);
    return w->active_groups[lane];
}

void softgpu_lockstep(unsigned position)
{
    struct softgpu_thread *me = CURRENT_THREAD;
    struct warp *w = me->warp;
    const unsigned lane = lane_of(me);
    reject_thread_loop();
    me->site = __builtin_return_address(0);
    w->source_positions[lane] = position;
    do {
        w->active_mask_waiters |= 1u << lane;
        if (!others_may_arrive(w, me - lane, me)) {
            complete_active_mask(w, me - lane);
            continue;
        }
        CURRENT_BLOCK->in_ring_order = false;
        set_wait(me, &w->active_epoch,
                 atomic_load_explicit(&w->active_epoch, memory_order_relaxed));
        wait_in_warp(me);
    } while (!w->active_groups[lane]);
    w->source_positions[lane] = 0;
}
