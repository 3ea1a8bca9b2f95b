/* SPDX-License-Identifier: MIT */
/* Logs the accesses and basic blocks of the running thread.  Accesses of the
 * software GPU itself are left out.  A thread whose log is full yields until
 * the other lanes of its warp have logged as much. */
#include "lane_log.h"

#include <stdlib.h>
#include <string.h>

#include "common/softgpu/core/code_range.h"
#include "common/softgpu/core/fiber.h"
#include "common/softgpu/core/symbols.h"
#include "common/softgpu/instrument/address_space.h"
#include "profiler.h"

enum {
    MIN_LOG_EVENTS = 64,   /* per lane */
    MAX_LOG_EVENTS = 4096, /* 96 KB */
    MAX_YIELDS = 64 /* before a warp with a full log is replayed as it is */
};
/* Limit for the logs of all resident blocks: above it they do not grow. */
#define MAX_LOG_BYTES (1ull << 30)

static _Atomic uint64_t logged_bytes;

static SOFTGPU_TLS struct lane_parameters parameters;

void profile_set_parameters(const void *p, size_t bytes)
{
    parameters.below = (uintptr_t)softgpu_tls.thread->stack->top - (uintptr_t)p;
    parameters.bytes = bytes;
}

struct lane_parameters profile_swap_parameters(struct lane_parameters other)
{
    const struct lane_parameters before = parameters;

    parameters = other;
    return before;
}

static bool is_parameter(const struct stack *stack, uintptr_t address)
{
    return address - ((uintptr_t)stack->top - parameters.below)
           < parameters.bytes;
}

/* --- kinds of memory ----------------------------------------------------- */

static int global_kind(uint32_t flags)
{
    if (flags & ACCESS_ATOMIC && flags & ACCESS_WRITE)
        return PATTERN_GLOBAL_ATOMIC;
    return flags & ACCESS_WRITE ? PATTERN_GLOBAL_STORE : PATTERN_GLOBAL_LOAD;
}

static int shared_kind(uint32_t flags)
{
    if (flags & ACCESS_ATOMIC && flags & ACCESS_WRITE)
        return PATTERN_SHARED_ATOMIC;
    return flags & ACCESS_WRITE ? PATTERN_SHARED_STORE : PATTERN_SHARED_LOAD;
}

/* In the program image, __constant__ variables, literals and other read-only
 * data are constant memory; __device__ variables are global memory. */
static bool is_constant(uintptr_t address)
{
    static SOFTGPU_TLS const struct softgpu_symbol *recent;

    if (!recent
        || address - (uintptr_t)recent->address >= recent->bytes)
        recent = softgpu_symbol_at((const void *)address);
    return !recent || recent->kind == SOFTGPU_CONSTANT_VARIABLE;
}

/* The kind of an access; -1: it is not the program's. */
static int access_kind_of(const struct softgpu_block *b, uintptr_t address,
                          uint32_t flags)
{
    const struct stack *stack = softgpu_tls.thread->stack;

    if (address - (uintptr_t)softgpu_tls.shared < softgpu_tls.shared_bytes)
        return shared_kind(flags);
    if (address - (uintptr_t)stack->base < stack->bytes)
        return is_parameter(stack, address) ? -1 : SITE_LOCAL;
    if (is_runtime_memory(b, address))
        return -1;
    if (!(flags & ACCESS_WRITE) && softgpu_is_in_image(address)
        && is_constant(address))
        return SITE_CONSTANT;
    return global_kind(flags);
}

/* --- the log ------------------------------------------------------------- */

static bool grow_log(struct lane *lane)
{
    uint32_t capacity = lane->capacity ? 2 * lane->capacity : MIN_LOG_EVENTS;
    struct event *more;

    if (capacity > MAX_LOG_EVENTS
        || (lane->capacity && atomic_load(&logged_bytes) > MAX_LOG_BYTES))
        return false;
    more = realloc(lane->events, capacity * sizeof *more);
    if (!more)
        return false;
    atomic_fetch_add(&logged_bytes, (capacity - lane->capacity) * sizeof *more);
    lane->events = more;
    lane->capacity = capacity;
    return true;
}

/* Yield to the other lanes of the warp, then replay. */
static void yield_until_replayed(struct block_profile *p, uint32_t index)
{
    struct lane *lane = &p->lanes[index];

    for (unsigned yields = 0; lane->count == lane->capacity; yields++) {
        bool last = yields == MAX_YIELDS;

        warp_replay(p, index / WARP_LANES, last);
        if (last)
            p->split++;
        if (lane->count < lane->capacity || last)
            break;
        p->block->yield_count = 0; /* this is progress, no deadlock */
        softgpu_yield();
    }
    if (lane->count == lane->capacity)
        lane->head = lane->count = 0; /* out of memory: the events are lost */
}

/* The innermost frame at this depth.  Frames of functions that the thread has
 * returned from are dropped. */
static struct frame *frame_at_depth(struct lane *lane, uint16_t depth)
{
    while (lane->frame_count
           && lane->frames[lane->frame_count - 1].depth < depth)
        lane->frame_count--; /* depths in keys fall as the stack grows */
    return lane->frame_count ? &lane->frames[lane->frame_count - 1] : NULL;
}

/* The thread enters a basic block. */
static uint16_t enter_basic_block(struct block_profile *p, struct lane *lane,
                                  uint64_t key)
{
    uint16_t depth = (uint16_t)(key >> DEPTH_SHIFT);
    uint16_t node = flow_graph_node(&p->flow, key & ADDRESS_MASK);
    struct frame *frame = frame_at_depth(lane, depth);

    if (frame && (frame->depth == depth || lane->frame_count == MAX_FRAMES)) {
        flow_graph_add_edge(&p->flow, frame->node, node);
        *frame = (struct frame){depth, node};
    } else {
        flow_graph_mark_entry(&p->flow, node);
        lane->frames[lane->frame_count++] = (struct frame){depth, node};
    }
    return node;
}

static void append_event(struct block_profile *p, uint64_t key, uint64_t access)
{
    uint32_t index = index_of(p->block, softgpu_tls.thread);
    struct lane *lane = &p->lanes[index];
    const struct frame *frame;
    uint16_t node;

    if (access >> KIND_SHIFT == SITE_BASIC_BLOCK)
        node = enter_basic_block(p, lane, key);
    else
        node = (frame = frame_at_depth(lane, (uint16_t)(key >> DEPTH_SHIFT)))
                   ? frame->node : 0;
    lane->last_key = key;
    p->events++;
    if (lane->count == lane->capacity && !grow_log(lane)) {
        if (!lane->capacity)
            return;
        yield_until_replayed(p, index);
    }
    lane->events[lane->count++] = (struct event){key, access, node};
}

static uint64_t event_key(uintptr_t code, uintptr_t frame)
{
    uintptr_t depth = ((uintptr_t)softgpu_tls.thread->stack->top - frame) / 16;

    depth = depth < 0xffff ? depth : 0xffff;
    return (uint64_t)(0xffff - depth) << DEPTH_SHIFT | (code & ADDRESS_MASK);
}

static struct block_profile *current_block_profile(void)
{
    return softgpu_tls.block ? softgpu_tls.block->profile : NULL;
}

/* Does a spin loop load the same word again?  The number of iterations is
 * arbitrary, so only the first load stays in the log. */
static bool is_repeated_poll(struct lane *lane, uint64_t key, uint64_t access)
{
    const struct event *previous;

    if (!lane->poll_event)
        return false;
    previous = &lane->events[lane->poll_event - 1];
    if (previous->key != key || previous->access != access)
        return false;
    lane->count = lane->poll_event;
    return true;
}

static void append_access(struct block_profile *p, uint64_t key,
                          const volatile void *at, uint32_t bytes,
                          uint32_t flags)
{
    struct lane *lane = &p->lanes[index_of(p->block, softgpu_tls.thread)];
    int kind = access_kind_of(p->block, (uintptr_t)at, flags);
    uint64_t access = (uint64_t)kind << KIND_SHIFT
                     | (uint64_t)bytes << BYTES_SHIFT
                     | ((uintptr_t)at & ADDRESS_MASK);
    bool is_poll = flags & ACCESS_LOAD_ONLY
                   || (flags & (ACCESS_VOLATILE | ACCESS_ATOMIC)
                       && !(flags & ACCESS_WRITE));

    if (kind < 0 || (is_poll && is_repeated_poll(lane, key, access)))
        return;
    if (kind == SITE_LOCAL && flags & ACCESS_LIBRARY)
        return; /* most such variables are registers on a card */
    append_event(p, key, access);
    lane->poll_event = is_poll ? lane->count : 0;
}

void profile_access(const volatile void *at, uint32_t bytes, uint32_t flags,
                    uintptr_t code, uintptr_t frame)
{
    struct block_profile *p = current_block_profile();

    if (p)
        append_access(p, event_key(code, frame), at, bytes, flags);
}

/* A row of a box that TMA copies: one thread issues it, whole sectors move. */
enum { TMA_ROW_BYTES = 128 };

/* The copy gets the stack depth of the thread's last event. */
void block_log_async_copy(void *to, const void *from, size_t bytes,
                          const void *site, int posted)
{
    struct block_profile *p = current_block_profile();
    uint64_t key = (uintptr_t)site & ADDRESS_MASK;
    size_t width = bytes == 8 || bytes % 16 == 0 ? bytes < 16 ? 8 : 16 : 4;

    if (bytes == TMA_ROW_BYTES)
        width = SECTOR_BYTES;
    (void)posted;
    if (!p)
        return;
    key |= p->lanes[index_of(p->block, softgpu_tls.thread)].last_key
           & ~ADDRESS_MASK;
    for (size_t i = 0; i < bytes; i += width) {
        if (from)
            append_access(p, key, (const char *)from + i,
                          (uint32_t)width | ASYNC, 0);
        if (to)
            append_access(p, key, (char *)to + i, (uint32_t)width,
                          ACCESS_WRITE);
    }
}

void profile_basic_block(uintptr_t code, uintptr_t frame)
{
    struct block_profile *p = current_block_profile();

    if (p)
        append_event(p, event_key(code, frame),
                     (uint64_t)SITE_BASIC_BLOCK << KIND_SHIFT);
}

/* --- blocks -------------------------------------------------------------- */

static int reserve_threads(struct block_profile *p, uint32_t threads)
{
    uint32_t warps = (threads + WARP_LANES - 1) / WARP_LANES;
    struct lane *lanes = realloc(p->lanes, threads * sizeof *lanes);
    struct warp_state *traces;

    if (!lanes)
        return -1;
    p->lanes = lanes;
    traces = realloc(p->warps, warps * sizeof *traces);
    if (!traces)
        return -1;
    p->warps = traces;
    memset(lanes + p->thread_capacity, 0,
           (threads - p->thread_capacity) * sizeof *lanes);
    p->thread_capacity = threads;
    return 0;
}

int block_log_begin(struct block_profile *p, struct softgpu_block *b)
{
    uint32_t warps = (b->count + WARP_LANES - 1) / WARP_LANES;

    p->block = b;
    p->events = p->split = p->phase_count = p->arrivals = 0;
    memset(p->phases, 0, sizeof p->phases);
    sites_clear(&p->sites);
    if (flow_graph_clear(&p->flow) != 0
        || (b->count > p->thread_capacity && reserve_threads(p, b->count) != 0))
        return -1;
    for (uint32_t i = 0; i < b->count; i++) {
        p->lanes[i].head = p->lanes[i].count = 0;
        p->lanes[i].last_key = 0;
        p->lanes[i].frame_count = p->lanes[i].poll_event = 0;
    }
    memset(p->warps, 0, warps * sizeof *p->warps);
    return 0;
}

void block_log_replay(struct block_profile *p)
{
    for (uint32_t i = 0; i * WARP_LANES < p->block->count; i++)
        warp_replay(p, i, true);
}

void block_log_end(struct block_profile *p)
{
    block_log_replay(p);
    count_block_end(p);
}
