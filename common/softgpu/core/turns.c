/* SPDX-License-Identifier: MIT */
/* Grids that take turns.  The trick: an OS thread stops only in the scheduler,
 * between two blocks, so nothing of a grid is saved or restored. */
#define _GNU_SOURCE
#include "turns.h"

#include <time.h>

#include "hooks.h"
#include "nested_grid.h"

enum { STALL_NS = 20000000 /* without progress, before others may begin */ };

/* A grid in flight, or a command that needs the turn. */
struct turn {
    struct run *run; /* NULL: of a command, or not in use */
    struct turn *next; /* in the queue */
    int device;
    bool is_used;
    bool was_passed; /* and its grid has not gone on since */
    unsigned inside; /* workers that run its blocks */
    unsigned parked; /* of those: that have stopped, until the turn passes */
    unsigned passes; /* how often the grid has passed the turn */
};

void (*softgpu_turn_begins)(int device);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t passed = PTHREAD_COND_INITIALIZER; /* or a place freed */
static struct turn turns[SOFTGPU_TURNS];
static struct turn *holder;       /* whose threads run; NULL: nobody's */
static struct turn *first, *last; /* the queue */
static _Atomic unsigned queued;   /* its length */
static _Atomic unsigned used;     /* places in use */
static _Atomic unsigned opening;  /* of those: that have not had the turn */

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* --- the queue; with the lock --------------------------------------------- */

/* The turn is free: it goes to the first in the queue. */
static void grant(void)
{
    holder = first;
    if (!first)
        return;
    first = first->next;
    atomic_fetch_sub(&queued, 1);
    if (softgpu_turn_begins)
        softgpu_turn_begins(holder->device);
    pthread_cond_broadcast(&passed);
}

static void enqueue(struct turn *t)
{
    t->next = NULL;
    if (first)
        last->next = t;
    else
        first = t;
    last = t;
    atomic_fetch_add(&queued, 1);
    if (!holder)
        grant();
}

/* All workers of the holder have stopped. */
static void pass(struct turn *t)
{
    t->passes++;
    t->parked = 0;
    t->was_passed = true;
    if (t->run)
        SOFTGPU_HOOK(grid_passes, (t->run, 1));
    holder = NULL;
    enqueue(t);
}

/* Wait until a grid has the turn.  The first worker to notice it tells the
 * checks. */
static void wait_for_turn(struct turn *t)
{
    while (holder != t)
        pthread_cond_wait(&passed, &lock);
    if (t->was_passed && t->run)
        SOFTGPU_HOOK(grid_passes, (t->run, 0));
    t->was_passed = false;
}

/* --- grids and commands --------------------------------------------------- */

static struct turn *find_free_turn(void)
{
    for (;;) {
        for (int i = 0; i < SOFTGPU_TURNS; i++)
            if (!turns[i].is_used)
                return &turns[i];
        pthread_cond_wait(&passed, &lock);
    }
}

unsigned softgpu_turn_open(int device)
{
    struct worker *waiting;
    if (softgpu_nested_run(&waiting)) /* the grid that waits has the turn */
        return SOFTGPU_TURNS;
    pthread_mutex_lock(&lock);
    struct turn *t = find_free_turn();
    *t = (struct turn){.device = device, .is_used = true};
    atomic_fetch_add(&used, 1);
    atomic_fetch_add(&opening, 1);
    enqueue(t);
    wait_for_turn(t);
    atomic_fetch_sub(&opening, 1);
    pthread_mutex_unlock(&lock);
    return (unsigned)(t - turns);
}

/* As on a card, where an error ends all work of the device. */
static void end_others(int device, int error)
{
    for (int i = 0; i < SOFTGPU_TURNS; i++) {
        struct run *run = turns[i].run;
        int none = 0;
        if (run && turns[i].device == device
            && atomic_compare_exchange_strong(&run->error, &none, error))
            run->fault.already_reported = true;
    }
}

void softgpu_turn_close(unsigned place, int error)
{
    struct turn *t = &turns[place];
    if (place == SOFTGPU_TURNS)
        return;
    pthread_mutex_lock(&lock);
    t->is_used = false;
    t->run = NULL;
    atomic_fetch_sub(&used, 1);
    if (error)
        end_others(t->device, error);
    grant();
    pthread_cond_broadcast(&passed);
    pthread_mutex_unlock(&lock);
}

unsigned softgpu_grids_in_flight(void)
{
    return atomic_load(&used);
}

/* --- workers -------------------------------------------------------------- */

static struct turn *turn_of(const struct run *run)
{
    return run->place < SOFTGPU_TURNS ? &turns[run->place] : NULL;
}

void softgpu_turn_join(struct worker *w)
{
    struct turn *t = turn_of(w->run);
    w->yields = 0;
    w->stalled_since = 0;
    if (!t)
        return;
    pthread_mutex_lock(&lock);
    wait_for_turn(t);
    t->run = w->run;
    t->inside++;
    pthread_mutex_unlock(&lock);
}

void softgpu_turn_leave(struct worker *w)
{
    struct turn *t = turn_of(w->run);
    if (!t)
        return;
    pthread_mutex_lock(&lock);
    t->inside--;
    if (t->inside && t->parked == t->inside && holder == t)
        pass(t);
    pthread_mutex_unlock(&lock);
}

/* Begin to count the time without progress.  A barrier of the grid is some. */
static void note_stall(struct worker *w)
{
    const uint32_t epoch = atomic_load(&w->run->grid_epoch);
    if (w->stalled_since && w->stalled_epoch == epoch)
        return;
    w->stalled_epoch = epoch;
    __atomic_store_n(&w->stalled_since, now_ns(), __ATOMIC_RELAXED);
}

void softgpu_turn_offer(struct worker *w)
{
    struct turn *t = turn_of(w->run);
    if (!t)
        return;
    note_stall(w);
    if (!softgpu_turn_is_wanted())
        return;
    SOFTGPU_HOOK(worker_stops, ());
    pthread_mutex_lock(&lock);
    const unsigned passes = t->passes;
    if (first) {
        if (++t->parked == t->inside)
            pass(t);
        while (t->passes == passes || holder != t)
            pthread_cond_wait(&passed, &lock);
        wait_for_turn(t);
    }
    pthread_mutex_unlock(&lock);
    w->idle_turns = 0;
}

bool softgpu_turn_is_wanted(void)
{
    return atomic_load_explicit(&queued, memory_order_relaxed) != 0;
}

int softgpu_grids_are_stalled(void)
{
    int count, inside = 0;
    const struct worker *w = softgpu_all_workers(&count), *end = w + count;
    const uint64_t now = now_ns();
    if (atomic_load(&opening))
        return 0;
    for (; w < end; w++) {
        if (!__atomic_load_n(&w->inside, __ATOMIC_ACQUIRE))
            continue;
        const uint64_t since =
            __atomic_load_n(&w->stalled_since, __ATOMIC_RELAXED);
        if (!since || now < since + STALL_NS)
            return 0;
        inside++;
    }
    return inside > 0;
}

void softgpu_visit_blocks(const struct run *run,
                          void (*visit)(struct softgpu_block *block))
{
    int count;
    const struct worker *w = softgpu_all_workers(&count), *end = w + count;
    for (; w < end; w++) {
        struct softgpu_block *b = w->ring;
        if (!w->inside || w->run != run || !b)
            continue;
        do {
            visit(b);
            b = b->next;
        } while (b != w->ring);
    }
}

void softgpu_turns_after_fork(void)
{
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&passed, NULL);
    for (int i = 0; i < SOFTGPU_TURNS; i++)
        turns[i] = (struct turn){0};
    holder = first = last = NULL;
    queued = used = opening = 0;
}
