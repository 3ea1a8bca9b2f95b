/* SPDX-License-Identifier: MIT */
/* The checker's state of a block: made for the first block in a place, reset
 * for the next ones. */
#include <stdlib.h>
#include <string.h>

#include "common/softgpu/core/fiber.h"
#include "allocations.h"
#include "block_order.h"
#include "block_state.h"
#include "cas_guess.h"
#include "happens_before.h"
#include "interleave.h"
#include "nested_race.h"
#include "racecheck.h"
#include "record_pool.h"
#include "sampling.h"
#include "shadow_words.h"
#include "shared_shadow.h"
#include "torn_read.h"
#include "watchdog.h"

enum {
    SHARED_RECORDS = 1 << 18, /* further records in an interval */
    MAX_BLOCK_THREADS = 1024
};

SOFTGPU_TLS int watch_has_deferred;

void watch_run_deferred_now(void)
{
    watch_has_deferred = 0;
    racecheck_run_deferred();
    nested_race_run_deferred();
    shadow_finish_load();
    hb_finish_load();
}

struct softgpu_finding watch_make_finding(const struct access *a,
                                          enum softgpu_finding_kind kind)
{
    return (struct softgpu_finding){
        .kind = kind,
        .kernel = a->block->kernel,
        .pc = a->pc,
        .block = a->block->block->index,
        .thread = softgpu_tls.thread->id,
    };
}

const char *watch_access_text(const struct access *a)
{
    static SOFTGPU_TLS char text[40];

    if (a->flags & ACCESS_ATOMIC)
        snprintf(text, sizeof text, "atomic on %u bytes", a->bytes);
    else
        snprintf(text, sizeof text, "%u-byte %s", a->bytes,
                 a->flags & ACCESS_WRITE ? "write" : "read");
    return text;
}

static void require_memory(const void *memory)
{
    if (memory)
        return;
    fprintf(stderr, "softgpu: out of memory for the checks\n");
    exit(1);
}

/* Make room for the shadow of the block's shared memory. */
static void resize_shadow(struct watch_block *w, size_t words)
{
    if (words <= w->words)
        return;
    watch_release(w->cells, w->words * sizeof *w->cells);
    watch_release(w->init_mask, w->words * sizeof *w->init_mask);
    watch_release(w->keys, w->words * sizeof *w->keys);
    w->cells = watch_reserve(words * sizeof *w->cells);
    w->init_mask = watch_reserve(words * sizeof *w->init_mask);
    w->keys = watch_reserve(words * sizeof *w->keys);
    require_memory(w->cells);
    require_memory(w->init_mask);
    require_memory(w->keys);
    w->words = words;
}

static struct watch_block *new_block_state(struct softgpu_block *block)
{
    struct watch_block *w = calloc(1, sizeof *w);

    require_memory(w);
    w->pool = calloc(1, sizeof *w->pool);
    require_memory(w->pool);
    record_pool_init(w->pool, SHARED_RECORDS);
    w->order = hb_new_order();
    require_memory(w->order);
    w->clocks = block_order_new();
    require_memory(w->clocks);
    w->observed = torn_new_table();
    require_memory(w->observed);
    w->guesses = cas_guess_table();
    require_memory(w->guesses);
    if (interleave_is_on()) {
        w->last_reads = calloc(MAX_BLOCK_THREADS, sizeof *w->last_reads);
        require_memory(w->last_reads);
    }
    w->block = block;
    return w;
}

void watch_block_begin(struct softgpu_block *block)
{
    const struct run *run = block->worker->run;
    struct watch_block *w = block->watch;

    if (!w)
        block->watch = w = new_block_state(block);
    watch_run_deferred();
    shared_shadow_disable();
    parameter_filter_disable();
    resize_shadow(w, (run->shared_bytes + 3) / 4);
    hb_begin_block(w);
    hb_begin_interval(w);
    w->first_interval = w->interval;
    w->barrier = NULL;
    w->kernel = run->grid->kernel->name;
    w->sampled = sampling_includes(block->linear);
    memset(w->at_barrier, 0, sizeof w->at_barrier);
    memset(w->at_warp_call, 0, sizeof w->at_warp_call);
    memset(w->at_end, 0, sizeof w->at_end);
    w->barriers = 0;
    for (uint32_t i = 0; i < block->count; i++)
        block->threads[i].site = NULL; /* no access yet */
    watchdog_progress();
}

void watch_block_end(struct softgpu_block *block)
{
    (void)block;
    watch_run_deferred();
    parameter_filter_disable();
}
