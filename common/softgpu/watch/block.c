/* SPDX-License-Identifier: MIT */
/* The watchers' side of a block and of a grid: made when it begins, kept for
 * the next one in the same place. */
#include <stdlib.h>
#include <string.h>

#include "../core/fiber.h"
#include "grid.h"
#include "order.h"
#include "place.h"
#include "pool.h"
#include "progress.h"
#include "race.h"
#include "sample.h"
#include "words.h"

enum { SHARED_LINKS = 1 << 18 }; /* further records in an interval */

SOFTGPU_TLS int watch_unsettled;

void watch_settle_now(void)
{
    watch_unsettled = 0;
    race_settle();
    order_settle();
}

const void *watch_stack_top(const struct worker *worker)
{
    (void)worker;
    return softgpu_tls.thread->stack->top;
}

struct softgpu_sighting watch_sighting(const struct access *a,
                                       enum softgpu_finding_kind kind)
{
    return (struct softgpu_sighting){
        .kind = kind,
        .kernel = a->block->kernel,
        .code = a->code,
        .block = a->block->block->index,
        .thread = softgpu_tls.thread->id,
    };
}

const char *watch_words(const struct access *a)
{
    static SOFTGPU_TLS char text[40];

    if (a->flags & ACCESS_ATOMIC)
        snprintf(text, sizeof text, "atomic on %u bytes", a->bytes);
    else
        snprintf(text, sizeof text, "%u-byte %s", a->bytes,
                 a->flags & ACCESS_WRITE ? "write" : "read");
    return text;
}

static void need(const void *memory)
{
    if (memory)
        return;
    fprintf(stderr, "softgpu: no memory left for the checks\n");
    exit(1);
}

/* What is known of each word of the block's shared memory. */
static void fit_cells(struct watch_block *w, size_t words)
{
    if (words <= w->words)
        return;
    watch_release(w->cells, w->words * sizeof *w->cells);
    watch_release(w->known, w->words * sizeof *w->known);
    w->cells = watch_reserve(words * sizeof *w->cells);
    w->known = watch_reserve(words * sizeof *w->known);
    need(w->cells);
    need(w->known);
    w->words = words;
}

static struct watch_block *new_state(struct softgpu_block *block)
{
    struct watch_block *w = calloc(1, sizeof *w);

    need(w);
    w->pool = calloc(1, sizeof *w->pool);
    need(w->pool);
    pool_open(w->pool, SHARED_LINKS);
    w->block = block;
    return w;
}

void grid_block_begin(struct softgpu_block *block)
{
    const struct run *run = block->worker->run;
    struct watch_block *w = block->watch;

    if (!w)
        block->watch = w = new_state(block);
    watch_settle();
    words_stop();
    fit_cells(w, (run->shared_bytes + 3) / 4);
    order_begin_block(w);
    order_interval(w);
    w->first = w->interval;
    w->fences = w->fenced = 0;
    w->barrier = NULL;
    w->kernel = run->grid->kernel->name;
    w->sampled = sample_has(block->linear);
    order_forget(w->acquired);
    w->acquired = NULL;
    memset(w->at_barrier, 0, sizeof w->at_barrier);
    memset(w->at_warp_call, 0, sizeof w->at_warp_call);
    for (uint32_t i = 0; i < block->count; i++)
        block->threads[i].site = NULL; /* none has accessed anything */
    progress_made();
}

void grid_block_end(struct softgpu_block *block)
{
    struct watch_block *w = block->watch;

    watch_settle();
    order_forget(w->acquired);
    w->acquired = NULL;
}
