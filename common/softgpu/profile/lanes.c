/* SPDX-License-Identifier: MIT */
/* Logging: what the running thread does goes to its lane's log, unless it is
 * the software GPU's own business.  A thread whose log is full gives way until
 * the other lanes of its warp have come as far. */
#include "lanes.h"

#include <stdlib.h>
#include <string.h>

#include "../core/fiber.h"
#include "../core/symbols.h"
#include "../watch/modes.h"
#include "../watch/watch.h"

enum {
    FIRST_ROOM = 64,    /* events a lane */
    MOST_ROOM = 4096,   /* 96 KB */
    PATIENCE = 64,      /* turns that a thread gives the others */
    TLS_REACH = 4096    /* bytes round softgpu_tls */
};
/* Logs of all blocks that are resident now; beyond it they stay as they are. */
#define MOST_BYTES (1ull << 30)

extern char __executable_start, _end; /* the program, from the linker */

static _Atomic uint64_t logged_bytes;

/* Where a thread's copy of the parameters lies, below the top of its stack:
 * at the same place for all threads of a kernel. */
static SOFTGPU_TLS struct {
    uintptr_t below;
    size_t bytes;
} parameters;

void profile_parameters(const void *p, size_t bytes)
{
    parameters.below = (uintptr_t)softgpu_tls.thread->stack->top - (uintptr_t)p;
    parameters.bytes = bytes;
}

static bool is_parameter(const struct stack *stack, uintptr_t address)
{
    return address - ((uintptr_t)stack->top - parameters.below)
           < parameters.bytes;
}

/* --- whose is it? -------------------------------------------------------- */

/* Thread-local variables, results of warp calls, parameters: registers or
 * hidden constants on a card. */
static bool is_runtime(const struct softgpu_block *b, uintptr_t address)
{
    const struct softgpu_grid *grid = b->worker->run->grid;
    size_t warps = (b->count + WARP_LANES - 1) / WARP_LANES;

    return address - ((uintptr_t)&softgpu_tls - TLS_REACH) < 2 * TLS_REACH
           || address - (uintptr_t)b->warps < warps * sizeof *b->warps
           || address - (uintptr_t)grid->closure < grid->closure_bytes;
}

static int global_kind(uint32_t flags)
{
    if (flags & ACCESS_ATOMIC && flags & ACCESS_WRITE)
        return PICTURE_GLOBAL_ATOMIC;
    return flags & ACCESS_WRITE ? PICTURE_GLOBAL_STORE : PICTURE_GLOBAL_LOAD;
}

static int shared_kind(uint32_t flags)
{
    if (flags & ACCESS_ATOMIC && flags & ACCESS_WRITE)
        return PICTURE_SHARED_ATOMIC;
    return flags & ACCESS_WRITE ? PICTURE_SHARED_STORE : PICTURE_SHARED_LOAD;
}

static bool is_program(uintptr_t address)
{
    return address >= (uintptr_t)&__executable_start
           && address < (uintptr_t)&_end;
}

/* Of the program's own memory, __constant__ variables, literals and what else
 * is only read are constants; __device__ variables are global memory. */
static bool is_constant(uintptr_t address)
{
    static SOFTGPU_TLS const struct softgpu_symbol *recent;

    if (!recent
        || address - (uintptr_t)recent->address >= recent->bytes)
        recent = softgpu_symbol_at((const void *)address);
    return !recent || recent->kind == SOFTGPU_CONSTANT_VARIABLE;
}

/* The kind of an access; -1: not the program's. */
static int kind_of(const struct softgpu_block *b, uintptr_t address,
                   uint32_t flags)
{
    const struct stack *stack = softgpu_tls.thread->stack;

    if (address - (uintptr_t)softgpu_tls.shared < softgpu_tls.shared_bytes)
        return shared_kind(flags);
    if (address - (uintptr_t)stack->base < stack->bytes)
        return is_parameter(stack, address) ? -1 : SITE_LOCAL;
    if (is_runtime(b, address))
        return -1;
    if (!(flags & ACCESS_WRITE) && is_program(address) && is_constant(address))
        return SITE_CONSTANT;
    return global_kind(flags);
}

/* --- the log ------------------------------------------------------------- */

static bool grow(struct lane *lane)
{
    uint32_t room = lane->room ? 2 * lane->room : FIRST_ROOM;
    struct event *more;

    if (room > MOST_ROOM
        || (lane->room && atomic_load(&logged_bytes) > MOST_BYTES))
        return false;
    more = realloc(lane->events, room * sizeof *more);
    if (!more)
        return false;
    atomic_fetch_add(&logged_bytes, (room - lane->room) * sizeof *more);
    lane->events = more;
    lane->room = room;
    return true;
}

/* Let the others of the warp come as far, then play. */
static void wait_for_room(struct block_profile *p, uint32_t index)
{
    struct lane *lane = &p->lanes[index];

    for (unsigned turn = 0; lane->count == lane->room; turn++) {
        bool last = turn == PATIENCE;

        warp_play(p, index / WARP_LANES, last);
        if (last)
            p->split++;
        if (lane->count < lane->room || last)
            break;
        p->block->spun = 0; /* this is progress */
        softgpu_yield();
    }
    if (lane->count == lane->room)
        lane->head = lane->count = 0; /* without memory there is no log */
}

/* The function that the thread is in: those that it has left are forgotten. */
static struct frame *frame_at(struct lane *lane, uint16_t depth)
{
    while (lane->inside && lane->frames[lane->inside - 1].depth < depth)
        lane->inside--; /* keys fall with depth */
    return lane->inside ? &lane->frames[lane->inside - 1] : NULL;
}

/* The thread enters a basic block. */
static uint16_t enter(struct block_profile *p, struct lane *lane, uint64_t key)
{
    uint16_t depth = (uint16_t)(key >> KEY_SHIFT);
    uint16_t node = flow_node(&p->flow, key & LOW48);
    struct frame *frame = frame_at(lane, depth);

    if (frame && (frame->depth == depth || lane->inside == FRAMES)) {
        flow_edge(&p->flow, frame->node, node);
        *frame = (struct frame){depth, node};
    } else {
        flow_enter(&p->flow, node);
        lane->frames[lane->inside++] = (struct frame){depth, node};
    }
    return node;
}

static void note(struct block_profile *p, uint64_t key, uint64_t place)
{
    uint32_t index = index_of(p->block, softgpu_tls.thread);
    struct lane *lane = &p->lanes[index];
    const struct frame *frame;
    uint16_t node;

    if (place >> KIND_SHIFT == SITE_BLOCK)
        node = enter(p, lane, key);
    else
        node = (frame = frame_at(lane, (uint16_t)(key >> KEY_SHIFT)))
                   ? frame->node : 0;
    lane->last = key;
    p->events++;
    if (lane->count == lane->room && !grow(lane)) {
        if (!lane->room)
            return;
        wait_for_room(p, index);
    }
    lane->events[lane->count++] = (struct event){key, place, node};
}

static uint64_t key_of(uintptr_t code, uintptr_t frame)
{
    uintptr_t depth = ((uintptr_t)softgpu_tls.thread->stack->top - frame) / 16;

    depth = depth < 0xffff ? depth : 0xffff;
    return (uint64_t)(0xffff - depth) << KEY_SHIFT | (code & LOW48);
}

static struct block_profile *here(void)
{
    return softgpu_tls.block ? softgpu_tls.block->profile : NULL;
}

/* A loop that waits looks at one word again and again, how often is chance:
 * only the first look stays in the log. */
static bool waits(struct lane *lane, uint64_t key, uint64_t place)
{
    const struct event *before;

    if (!lane->polled)
        return false;
    before = &lane->events[lane->polled - 1];
    if (before->key != key || before->place != place)
        return false;
    lane->count = lane->polled;
    return true;
}

static void note_access(struct block_profile *p, uint64_t key,
                        const volatile void *at, uint32_t bytes,
                        uint32_t flags)
{
    struct lane *lane = &p->lanes[index_of(p->block, softgpu_tls.thread)];
    int kind = kind_of(p->block, (uintptr_t)at, flags);
    uint64_t place = (uint64_t)kind << KIND_SHIFT
                     | (uint64_t)bytes << BYTES_SHIFT
                     | ((uintptr_t)at & LOW48);
    bool looks = flags & (ACCESS_VOLATILE | ACCESS_ATOMIC)
                 && !(flags & ACCESS_WRITE);

    if (kind < 0 || (looks && waits(lane, key, place)))
        return;
    note(p, key, place);
    lane->polled = looks ? lane->count : 0;
}

void profile_access(const volatile void *at, uint32_t bytes, uint32_t flags,
                    uintptr_t code, uintptr_t frame)
{
    struct block_profile *p = here();

    if (p)
        note_access(p, key_of(code, frame), at, bytes, flags);
}

/* A row of a box that TMA copies: one thread asks, whole sectors come. */
enum { TENSOR_ROW = 128 };

/* The copy is as deep in the stack as what the thread did last. */
void lanes_copied(void *to, const void *from, size_t bytes, const void *site)
{
    struct block_profile *p = here();
    uint64_t key = (uintptr_t)site & LOW48;
    size_t part = bytes == 8 || bytes % 16 == 0 ? bytes < 16 ? 8 : 16 : 4;

    if (bytes == TENSOR_ROW)
        part = RULE_SECTOR;
    if (!p)
        return;
    key |= p->lanes[index_of(p->block, softgpu_tls.thread)].last & ~LOW48;
    for (size_t i = 0; i < bytes; i += part) {
        if (from)
            note_access(p, key, (const char *)from + i,
                        (uint32_t)part | ASYNC, 0);
        if (to)
            note_access(p, key, (char *)to + i, (uint32_t)part, ACCESS_WRITE);
    }
}

void profile_basic_block(uintptr_t code, uintptr_t frame)
{
    struct block_profile *p = here();

    if (p)
        note(p, key_of(code, frame), (uint64_t)SITE_BLOCK << KIND_SHIFT);
}

/* --- the block ----------------------------------------------------------- */

static int make_room(struct block_profile *p, uint32_t threads)
{
    uint32_t warps = (threads + WARP_LANES - 1) / WARP_LANES;
    struct lane *lanes = realloc(p->lanes, threads * sizeof *lanes);
    struct warp_trace *traces;

    if (!lanes)
        return -1;
    p->lanes = lanes;
    traces = realloc(p->warps, warps * sizeof *traces);
    if (!traces)
        return -1;
    p->warps = traces;
    memset(lanes + p->lane_room, 0,
           (threads - p->lane_room) * sizeof *lanes);
    p->lane_room = threads;
    return 0;
}

int lanes_begin(struct block_profile *p, struct softgpu_block *b)
{
    uint32_t warps = (b->count + WARP_LANES - 1) / WARP_LANES;

    p->block = b;
    p->events = p->split = 0;
    sites_clear(&p->sites);
    if (flow_clear(&p->flow) != 0
        || (b->count > p->lane_room && make_room(p, b->count) != 0))
        return -1;
    for (uint32_t i = 0; i < b->count; i++) {
        p->lanes[i].head = p->lanes[i].count = 0;
        p->lanes[i].last = 0;
        p->lanes[i].inside = p->lanes[i].polled = 0;
    }
    memset(p->warps, 0, warps * sizeof *p->warps);
    return 0;
}

void lanes_meet(struct block_profile *p)
{
    for (uint32_t i = 0; i * WARP_LANES < p->block->count; i++)
        warp_play(p, i, true);
}

void lanes_end(struct block_profile *p)
{
    lanes_meet(p);
    count_ends(p);
}
