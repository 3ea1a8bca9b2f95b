/* SPDX-License-Identifier: MIT */
/** @file
 *  Calls in which the lanes of a warp take part together.
 *
 *  Each mask in use has a slot.  A lane leaves its value there and waits for
 *  the slot's epoch to rise; the last live lane of the mask raises it and goes
 *  straight on.  Between two lanes the turn goes to the next lane of the same
 *  warp, so that a warp works on 32 stacks, not on all of the block's.
 */
#include "hooks.h"
#include "turn.h"

/* A slot where nobody waits and whose results everybody has fetched. */
static bool slot_is_free(const struct softgpu_thread *lanes, unsigned count,
                         const struct warp_slot *slot)
{
    if (slot->arrived)
        return false;
    for (unsigned i = 0; i < count; i++)
        if (lanes[i].word == &slot->epoch)
            return false;
    return true;
}

static void refuse_whole(void)
{
    if (CURRENT_BLOCK->whole)
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE,
                     "a warp call in a kernel that was compiled as having "
                     "none");
}

/* More masks than slots: take one over. */
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

static struct warp_slot *find_slot(struct warp *w, unsigned mask)
{
    refuse_whole();
    for (unsigned i = 0; i < w->used; i++)
        if (w->slots[i].mask == mask)
            return &w->slots[i];
    if (w->used == WARP_SLOTS)
        return reuse_slot(w, mask);
    struct warp_slot *slot = &w->slots[w->used++];
    slot->mask = mask;
    slot->arrived = 0;
    return slot;
}

static void complete(struct warp_slot *slot)
{
    const uint32_t epoch =
        atomic_load_explicit(&slot->epoch, memory_order_relaxed);
    SOFTGPU_HOOK(warp_call, (slot->mask, slot->arrived));
    slot->values[epoch & 1][SOFTGPU_LANES_AT] = slot->arrived;
    slot->arrived = 0;
    atomic_store_explicit(&slot->epoch, epoch + 1, memory_order_relaxed);
    CURRENT_BLOCK->spun = 0;
}

void softgpu_warp_exit(struct warp *w)
{
    for (unsigned i = 0; i < w->used; i++) {
        struct warp_slot *slot = &w->slots[i];
        if (slot->arrived && slot->arrived == (slot->mask & w->live))
            complete(slot);
    }
}

/* The next lane cannot run: give way to another one, else as usual. */
static void *wait_in_warp(struct softgpu_thread *me)
{
    struct softgpu_block *b = CURRENT_BLOCK;
    struct softgpu_thread *first = me - lane_of(me);
    struct softgpu_thread *begins =
        b->started < b->count ? b->order[b->started] : NULL;
    struct softgpu_thread *t = me;
    for (unsigned i = 1; i < me->warp->lanes; i++) {
        t = t + 1 == first + me->warp->lanes ? first : t + 1;
        if (is_runnable(t))
            return softgpu_go(me, t);
        if (t == begins)
            return softgpu_start(me, t);
    }
    return softgpu_wait(me);
}

static void refuse(unsigned mask, unsigned lane)
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
        refuse(mask, lane_of(me));
    return __builtin_expect(w->slots[0].mask == mask, 1) ? &w->slots[0]
                                                         : find_slot(w, mask);
}

/* Which of the slot's two buffers this call uses. */
static inline unsigned side(const struct warp_slot *slot)
{
    return atomic_load_explicit(&slot->epoch, memory_order_relaxed) & 1;
}

/* Arrive and wait for the others; returns result.  The wait is the last thing
 * done, so that the switch back leads straight into the kernel. */
static inline void *meet(struct softgpu_thread *me, struct warp_slot *slot,
                         void *result)
{
    const struct warp *w = me->warp;
    const unsigned lane = lane_of(me);
    slot->arrived |= 1u << lane;
    me->result = result;
    if (slot->arrived == (slot->mask & w->live)) {
        complete(slot);
        return result;
    }
    CURRENT_BLOCK->in_step = false;
    set_wait(me, &slot->epoch,
             atomic_load_explicit(&slot->epoch, memory_order_relaxed));
    struct softgpu_thread *next = lane + 1 == w->lanes ? me - lane : me + 1;
    if (__builtin_expect(is_runnable(next), 1))
        return softgpu_go(me, next);
    return wait_in_warp(me);
}

const uint64_t *softgpu_warp_gather(unsigned mask, uint64_t value)
{
    struct softgpu_thread *me = CURRENT_THREAD;
    struct warp_slot *slot =
        slot_for(me, mask, __builtin_return_address(0));
    uint64_t *values = slot->values[side(slot)];
    values[lane_of(me)] = value;
    return meet(me, slot, values);
}

void softgpu_warp_combine(uint64_t value, softgpu_combine *combine)
{
    struct softgpu_thread *me = CURRENT_THREAD;
    struct warp_slot *slot = slot_for(me, ~0u, __builtin_return_address(0));
    uint64_t *values = slot->values[side(slot)];

    if (me->warp->live != ~0u)
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE,
                     "a matrix instruction needs all 32 lanes of the warp; "
                     "only those of 0x%08x are there", me->warp->live);
    values[lane_of(me)] = value;
    if ((slot->arrived | 1u << lane_of(me)) == ~0u) {
        combine(values);
        me->site = __builtin_return_address(0); /* not one within combine */
    }
    meet(me, slot, values);
}

const unsigned *softgpu_warp_vote(unsigned mask, int predicate)
{
    struct softgpu_thread *me = CURRENT_THREAD;
    struct warp_slot *slot =
        slot_for(me, mask, __builtin_return_address(0));
    uint32_t *ayes = &slot->ayes[side(slot)];
    const uint32_t mine = (uint32_t)(predicate != 0) << lane_of(me);
    *ayes = slot->arrived ? *ayes | mine : mine;
    return meet(me, slot, ayes);
}

void softgpu_warp_sync(unsigned mask)
{
    struct softgpu_thread *me = CURRENT_THREAD;
    struct warp_slot *slot =
        slot_for(me, mask, __builtin_return_address(0));
    struct warp *w = me->warp;
    w->steps += (slot->arrived | 1u << lane_of(me)) == (mask & w->live);
    meet(me, slot, NULL);
}

/* --- which lanes are here? ----------------------------------------------- */

enum { LOCKSTEP_ROUNDS = 32 }; /* then all go on: one may wait for another */

/* The first place in the source where lanes wait in softgpu_lockstep: that is
 * how lanes that went different ways come together again.  0: all go on. */
static uint32_t furthest_behind(struct warp *w)
{
    uint32_t first = 0;
    for (unsigned i = w->active; i; i &= i - 1) {
        const uint32_t place = w->places[__builtin_ctz(i)];
        if (place && (!first || place < first))
            first = place;
    }
    w->rounds = first == w->behind ? w->rounds + 1 : 0;
    w->behind = first;
    return w->rounds % LOCKSTEP_ROUNDS == LOCKSTEP_ROUNDS - 1 ? 0 : first;
}

/* Lanes that wait in the same call get one answer: each other; lanes that must
 * still wait, 0. */
static unsigned resolve(struct warp *w, const struct softgpu_thread *first)
{
    const unsigned waiting = w->active;
    const uint32_t behind = furthest_behind(w);
    for (unsigned i = waiting; i; i &= i - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(i);
        w->groups[lane] = 0;
        if (behind && w->places[lane] && w->places[lane] != behind)
            continue;
        for (unsigned j = waiting; j; j &= j - 1) {
            const unsigned other = (unsigned)__builtin_ctz(j);
            if (first[other].site == first[lane].site)
                w->groups[lane] |= 1u << other;
        }
    }
    w->active = 0;
    atomic_fetch_add_explicit(&w->active_epoch, 1, memory_order_relaxed);
    CURRENT_BLOCK->spun = 0;
    return waiting != 0;
}

unsigned softgpu_warp_resolve(struct softgpu_block *b)
{
    unsigned resolved = 0;
    if (b->whole)
        return 0;
    for (unsigned i = 0; i < b->count; i += WARP_LANES)
        if (b->warps[i / WARP_LANES].active)
            resolved += resolve(&b->warps[i / WARP_LANES], b->threads + i);
    return resolved;
}

/* A lane other than `me` that could still come here. */
static bool others_may_come(const struct warp *w,
                            const struct softgpu_thread *first,
                            const struct softgpu_thread *me)
{
    for (unsigned left = w->live & ~w->active; left; left &= left - 1) {
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
    refuse_whole();
    me->site = __builtin_return_address(0);
    w->active |= 1u << lane;
    if (!others_may_come(w, me - lane, me)) {
        resolve(w, me - lane);
        return w->groups[lane];
    }
    CURRENT_BLOCK->in_step = false;
    set_wait(me, &w->active_epoch,
             atomic_load_explicit(&w->active_epoch, memory_order_relaxed));
    wait_in_warp(me);
    return w->groups[lane];
}

void softgpu_lockstep(unsigned place)
{
    struct softgpu_thread *me = CURRENT_THREAD;
    struct warp *w = me->warp;
    const unsigned lane = lane_of(me);
    refuse_whole();
    me->site = __builtin_return_address(0);
    w->places[lane] = place;
    do {
        w->active |= 1u << lane;
        if (!others_may_come(w, me - lane, me)) {
            resolve(w, me - lane);
            continue;
        }
        CURRENT_BLOCK->in_step = false;
        set_wait(me, &w->active_epoch,
                 atomic_load_explicit(&w->active_epoch, memory_order_relaxed));
        wait_in_warp(me);
    } while (!w->groups[lane]);
    w->places[lane] = 0;
}
