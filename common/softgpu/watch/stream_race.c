/* SPDX-License-Identifier: MIT */
/* Rings of the latest launches and copies, each with its place in the order of
 * streams.  A record that a ring has lost counts as ordered. */
#include "stream_race.h"

#include <pthread.h>

#include "common/softgpu/host/stream.h"
#include "allocations.h"
#include "happens_before.h"
#include "managed_race.h"
#include "nested_race.h"
#include "race_report.h"
#include "shadow_words.h"
#include "symbol_check.h"

enum { LAUNCHES = 256, COPIES = 256 };

/** A copy or fill of bytes. */
struct copy {
    uintptr_t dst, src; /**< 0: no memory that kernels access */
    size_t bytes;
    unsigned entry;
    uint64_t number;
    uintptr_t site;     /**< return address of the call */
    int in_default;     /**< 1: in the default stream */
    struct place_of_command place;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct launch launches[LAUNCHES];
static struct copy copies[COPIES];
static unsigned launch_count, copy_count; /* ever */
static const struct softgpu_order *running; /* order of the running launch */
static struct place_of_command running_place;
static struct copy unordered_copies[COPIES]; /* that it is not ordered with */
static _Atomic unsigned unordered_count;

_Atomic int stream_race_possible, stream_race_has_streams;

static unsigned ring_size(unsigned count, unsigned capacity)
{
    return count < capacity ? count : capacity;
}

/* Does the ring of launches have one that a command is not ordered with? */
static int has_unordered_launch(const struct softgpu_order *now)
{
    for (unsigned i = 0; i < ring_size(launch_count, LAUNCHES); i++)
        if (!softgpu_order_follows(now, launches[i].entry, launches[i].number))
            return 1;
    return 0;
}

/* The running launch is not ordered with the copy. */
static void add_unordered(const struct copy *c)
{
    const unsigned n = unordered_count;

    if (n == COPIES)
        return;
    unordered_copies[n] = *c;
    unordered_count = n + 1;
    stream_race_possible = 1;
}

static void find_unordered_copies(const struct softgpu_order *now)
{
    unordered_count = 0;
    for (unsigned i = 0; i < ring_size(copy_count, COPIES); i++)
        if (!softgpu_order_follows(now, copies[i].entry, copies[i].number))
            add_unordered(&copies[i]);
}

void stream_race_begin_grid(const struct run *run, int goes_on)
{
    const struct softgpu_order *now = run->grid->order;
    const uint64_t number = now && !goes_on ? now->number : 0;

    pthread_mutex_lock(&lock);
    running = now;
    running_place = beside_place_of_launch(number, softgpu_last_command());
    if (now && softgpu_streams()->next) /* the list only grows */
        stream_race_has_streams = 1;
    stream_race_possible = managed_race_begin_grid(now)
                           || run->grid->launched_at
                           || (now && has_unordered_launch(now));
    if (now)
        find_unordered_copies(now);
    if (now)
        launches[launch_count++ % LAUNCHES] =
            (struct launch){hb_launch_number, now->entry, now->number,
                            run->grid->kernel->name, now->in_default,
                            nested_race_grid(), running_place};
    pthread_mutex_unlock(&lock);
}

void stream_race_end_grid(void)
{
    pthread_mutex_lock(&lock);
    running = NULL;
    stream_race_possible = 0;
    pthread_mutex_unlock(&lock);
}

const struct launch *stream_race_launch(uint32_t tag)
{
    const struct launch *found = NULL;

    for (unsigned i = 0; i < ring_size(launch_count, LAUNCHES); i++)
        if (launches[i].tag <= tag && (!found || launches[i].tag > found->tag))
            found = &launches[i];
    return found;
}

/* The launch of a record's tag that `now` is not ordered with, or NULL. */
static const struct launch *unordered_launch(const struct softgpu_order *now,
                                             uint32_t tag)
{
    const struct launch *found = stream_race_launch(tag);

    return found && !softgpu_order_follows(now, found->entry, found->number)
               ? found
               : NULL;
}

/* --- findings ------------------------------------------------------------- */

static const char *verb(uint32_t writes)
{
    return writes ? "write" : "read";
}

/* @param in_default  1: one of the two is in the default stream */
static void report(struct softgpu_finding *finding, const char *mine,
                   const char *theirs, const char *whose, int in_default)
{
    finding->kind = SOFTGPU_FIND_RACE_STREAMS;
    softgpu_report_finding(finding,
                           "%s here, %s of the same bytes by %s in another "
                           "stream: %s",
                           mine, theirs, whose,
                           in_default ? "one of the two is the default stream, "
                                        "which does not wait for a "
                                        "non-blocking stream, nor that for it"
                                      : "no event or wait orders them, or "
                                        "each stream needs memory of its own");
}

/* Two kernels: name the later line in the source first, whichever ran first. */
static void report_launch(const struct word_access *w, const struct launch *old,
                          const struct access_record *record, int in_default)
{
    const uint32_t was_written = record->threads & RECORD_WRITE;
    struct softgpu_finding finding =
        watch_make_finding(w->access, SOFTGPU_FIND_RACE_STREAMS);
    const char *mine = verb(w->current.threads & RECORD_WRITE);
    const char *theirs = verb(was_written), *whose = old->kernel;

    finding.other = race_full_pc(record->pc);
    if (race_is_later_in_source(finding.other, finding.pc)) {
        const char *text = mine;

        mine = theirs;
        theirs = text;
        whose = finding.kernel;
        finding.kernel = old->kernel;
        finding.other = finding.pc;
        finding.pc = race_full_pc(record->pc);
        finding.thread = finding.block = (uint3){0, 0, 0};
    }
    report(&finding, mine, theirs, whose, in_default || old->in_default);
}

/* --- a kernel's access ---------------------------------------------------- */

static int overlaps(uintptr_t base, size_t bytes, uintptr_t other,
                    size_t other_bytes)
{
    return base && base < other + other_bytes && other < base + bytes;
}

/* Does the access have a byte of a range, if there is one? */
static int accesses(const struct word_access *w, uintptr_t base, size_t bytes)
{
    return base && record_overlaps(&w->current, w->address, base, base + bytes);
}

static void compare_with_copies(const struct word_access *w)
{
    const uint32_t writes = w->current.threads & RECORD_WRITE;

    for (unsigned i = 0; i < unordered_count; i++) {
        const struct copy *c = &unordered_copies[i];
        const int is_target = accesses(w, c->dst, c->bytes);
        struct softgpu_finding finding;

        if ((!is_target && !(writes && accesses(w, c->src, c->bytes)))
            || !beside_may_race(running_place, c->place, w->address))
            continue;
        finding = watch_make_finding(w->access, SOFTGPU_FIND_RACE_STREAMS);
        finding.other = c->site;
        report(&finding, verb(writes), verb(is_target),
               c->src ? "a copy" : "a copy or fill",
               running->in_default || c->in_default);
    }
}

/* The same for the launch of a word; most have the tag of the last one. */
static const struct launch *launch_of_word(uint32_t tag)
{
    static SOFTGPU_TLS struct {
        uint32_t launch, tag;
        const struct launch *found;
    } last;

    if (last.launch != hb_launch_number || last.tag != tag) {
        last.launch = hb_launch_number;
        last.tag = tag;
        last.found = stream_race_launch(tag);
    }
    return last.found;
}

/* Accessed by a launch that the running one is not ordered with. */
static void compare_with_launch(const struct word_access *w,
                                const struct launch *old)
{
    const struct byte_range range = shadow_bytes_of(w);
    const struct access_record *r = shadow_conflict(w->cell, &range, NULL);

    if (!r
        || !beside_launch_may_race(running_place, old->place, w->address, r))
        return;
    if (beside_is_flag(w, r))
        beside_hand_over(old->number);
    else if (!(r->threads & w->current.threads & RECORD_ATOMIC))
        report_launch(w, old, r, running->in_default);
}

void stream_race_bytes(const struct word_access *w)
{
    if (!running)
        return;
    compare_with_copies(w);
    managed_race_word(w);
}

void stream_race_word(const struct word_access *w)
{
    const struct shadow_cell *cell = w->cell;
    const struct launch *old;

    if (!running)
        return;
    old = cell->tag ? launch_of_word(cell->tag) : NULL;
    if (old && !softgpu_order_follows(running, old->entry, old->number)
        && !beside_was_handed_over(old->number))
        compare_with_launch(w, old);
    else if (old && old->entry == running->entry
             && old->number == running->number)
        nested_race_word(w, old);
    stream_race_bytes(w);
}

/* --- copies and fills ----------------------------------------------------- */

/* The allocation or the variable at an address, if kernels can access it. */
static struct allocation *memory_at(uintptr_t address)
{
    struct allocation *m = address ? allocation_find(address, 0) : NULL;

    return m || !address ? m : symbol_memory(address);
}

/* Compare with the kernels that accessed the bytes last. */
static void compare_with_launches(const struct softgpu_order *now,
                                  uintptr_t base, size_t bytes, int writes)
{
    const struct place_of_command place = beside_place_of_copy();
    const struct allocation *m = memory_at(base);
    const struct launch *old = NULL;
    uint32_t tag = 0; /* that `old` was found for */
    struct softgpu_finding finding = {.other = (uintptr_t)now->site};

    if (!m || !m->cells || base + bytes > m->end)
        return;
    for (size_t at = (base - m->base) & ~(size_t)3; m->base + at < base + bytes;
         at += 4) {
        const struct shadow_cell *cell = &m->cells[at / 4];
        const struct byte_range range = {m->base + at, base, base + bytes,
                                         writes};
        const struct access_record *r;

        if (cell->tag && cell->tag != tag) {
            tag = cell->tag;
            old = unordered_launch(now, tag);
        }
        r = cell->tag && old ? shadow_conflict(cell, &range, NULL) : NULL;
        if (!r || !beside_may_race(place, old->place, base))
            continue;
        finding.kernel = old->kernel;
        finding.pc = race_full_pc(r->pc);
        report(&finding, verb(r->threads & RECORD_WRITE),
               verb((uint32_t)writes),
               "a copy or fill", now->in_default || old->in_default);
        return; /* one is enough for a copy */
    }
}

static void compare_copies(const struct copy *new_copy,
                           const struct softgpu_order *now)
{
    struct softgpu_finding finding = {.pc = new_copy->site};

    for (unsigned i = 0; i < ring_size(copy_count, COPIES); i++) {
        const struct copy *c = &copies[i];

        if (softgpu_order_follows(now, c->entry, c->number)
            || !beside_may_race(c->place, new_copy->place, new_copy->dst)
            || !(overlaps(c->dst, c->bytes, new_copy->dst, new_copy->bytes)
                 || overlaps(c->src, c->bytes, new_copy->dst, new_copy->bytes)
                 || (new_copy->src && overlaps(c->dst, c->bytes, new_copy->src,
                                               new_copy->bytes))))
            continue;
        finding.pc = new_copy->site;
        finding.other = c->site;
        if (race_is_later_in_source(finding.other, finding.pc)) {
            finding.other = finding.pc;
            finding.pc = c->site;
        }
        report(&finding, "copy or fill", "access", "another one",
               now->in_default || c->in_default);
    }
}

/* The address, if the program's kernels can access it. */
static uintptr_t shared_address(const void *p)
{
    return memory_at((uintptr_t)p) ? (uintptr_t)p : 0;
}

void stream_race_copied(const void *dst, const void *src, size_t bytes)
{
    const struct softgpu_order *now = softgpu_current_order;
    struct copy c;

    if (!now)
        return;
    c = (struct copy){shared_address(dst), shared_address(src), bytes,
                      now->entry, now->number, (uintptr_t)now->site,
                      now->in_default, beside_place_of_copy()};
    pthread_mutex_lock(&lock);
    if (has_unordered_launch(now)) {
        compare_with_launches(now, c.dst, bytes, 1);
        compare_with_launches(now, c.src, bytes, 0);
    }
    if (c.dst || c.src) {
        compare_copies(&c, now);
        copies[copy_count++ % COPIES] = c;
    }
    if (running && !softgpu_order_follows(running, c.entry, c.number))
        add_unordered(&c);
    pthread_mutex_unlock(&lock);
}

void stream_race_forget(const void *base, size_t bytes)
{
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < ring_size(copy_count, COPIES); i++) {
        if (overlaps(copies[i].dst, copies[i].bytes, (uintptr_t)base, bytes))
            copies[i].dst = 0;
        if (overlaps(copies[i].src, copies[i].bytes, (uintptr_t)base, bytes))
            copies[i].src = 0;
    }
    pthread_mutex_unlock(&lock);
}
