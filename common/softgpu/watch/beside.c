/* SPDX-License-Identifier: MIT */
/* The number of a flight: it changes where a grid begins and no other has
 * stopped. */
#include "beside.h"

#include <stdatomic.h>

#include "common/softgpu/core/symbols.h"
#include "common/softgpu/host/stream_order.h"
#include "common/softgpu/host/symbol.h"

enum { FLAGS = 16 /* launches that one has read flags of; others are told */ };
enum { SYNCHRONIZES = RECORD_ATOMIC | RECORD_VOLATILE };

static unsigned flight;  /* the last one */
static unsigned begun;   /* grids in it, those that have ended too */
static unsigned stopped; /* grids that have passed the turn */
static _Atomic uint64_t handed_over[FLAGS]; /* numbers of commands */
static atomic_uint handed_count;
static atomic_int synchronized; /* 1: the running launch may have */

struct place_of_command beside_place_of_launch(uint64_t number,
                                               uint64_t queued)
{
    if (!stopped) {
        begun = 0;
        if (!++flight)
            flight = 1;
    }
    begun += number != 0;
    handed_count = 0;
    synchronized = 0;
    return (struct place_of_command){flight, softgpu_symbols_device(), number,
                                     queued, softgpu_host_functions};
}

void beside_synchronizes(void)
{
    if (!atomic_load_explicit(&synchronized, memory_order_relaxed))
        synchronized = 1;
}

struct place_of_command beside_place_of_copy(void)
{
    return (struct place_of_command){stopped ? flight : 0,
                                     softgpu_symbols_device(), 0, 0, 0};
}

void beside_grid_passes(int passes)
{
    if (passes)
        stopped++;
    else
        stopped--;
}

int beside_is_flag(const struct word_access *w,
                   const struct access_record *record)
{
    const uint32_t loads_only = ACCESS_LOAD_ONLY | ACCESS_COMPARE;

    return record->threads & RECORD_WRITE && record->threads & SYNCHRONIZES
           && w->current.threads & SYNCHRONIZES
           && (!(w->current.threads & RECORD_WRITE)
               || w->access->flags & loads_only);
}

void beside_hand_over(uint64_t number)
{
    const unsigned i = atomic_fetch_add(&handed_count, 1);

    if (i < FLAGS)
        handed_over[i] = number;
}

int beside_was_handed_over(uint64_t number)
{
    const unsigned all = handed_count, count = all < FLAGS ? all : FLAGS;

    for (unsigned i = 0; i < count; i++)
        if (handed_over[i] == number)
            return 1;
    return 0;
}

/* Is there one for each device?  (A managed variable is one for all.) */
static int is_device_variable(uintptr_t address)
{
    const struct softgpu_symbol *s = softgpu_symbol_at((const void *)address);

    return s && s->kind != SOFTGPU_MANAGED_VARIABLE;
}

static int is_same_memory(struct place_of_command a, struct place_of_command b,
                          uintptr_t address)
{
    return a.device == b.device || !is_device_variable(address);
}

int beside_may_race(struct place_of_command now, struct place_of_command before,
                    uintptr_t address)
{
    return (!now.flight || now.flight != before.flight)
           && is_same_memory(now, before, address);
}

/* Two in flight together, and no third that may hand a flag over: has the later
 * one learned nothing of the other, and is it no flag that the other polls? */
static int are_apart(struct place_of_command now,
                     struct place_of_command before,
                     const struct access_record *record)
{
    return begun == 2 && now.number && now.number <= before.queued
           && now.host_functions == before.host_functions && !synchronized
           && !(record->threads & SYNCHRONIZES);
}

int beside_launch_may_race(struct place_of_command now,
                           struct place_of_command before, uintptr_t address,
                           const struct access_record *record)
{
    return is_same_memory(now, before, address)
           && (!now.flight || now.flight != before.flight
               || are_apart(now, before, record));
}
