/* SPDX-License-Identifier: MIT */
/* The watchers' side of a block and of a grid: made when it begins, kept for
 * the next one in the same place. */
#include <stdlib.h>

#include "../core/fiber.h"
#include "grid.h"
#include "order.h"
#include "place.h"
#include "race.h"

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

/* One cell for each word of the block's shared memory. */
static void fit_cells(struct watch_block *w, size_t words)
{
    size_t i;

    if (words <= w->words)
        return;
    for (i = 0; i < w->words; i++)
        free(w->bytes[i]);
    free(w->cells);
    free(w->bytes);
    w->cells = calloc(words, sizeof *w->cells);
    w->bytes = calloc(words, sizeof *w->bytes);
    need(w->cells);
    need(w->bytes);
    w->words = words;
}

static void forget_acquired(struct watch_block *w)
{
    order_forget(w->acquired);
    w->acquired = NULL;
}

void grid_block_begin(struct softgpu_block *block)
{
    const struct run *run = block->worker->run;
    struct watch_block *w = block->watch;

    if (!w) {
        w = calloc(1, sizeof *w);
        need(w);
        block->watch = w;
        w->block = block;
    }
    w->base = order_base();
    w->serial = w->base + (uint32_t)block->linear;
    w->fences = 0;
    w->kernel = run->grid->kernel->name;
    forget_acquired(w);
    fit_cells(w, (run->shared_bytes + 3) / 4);
}

void grid_block_end(struct softgpu_block *block)
{
    race_settle();
    forget_acquired(block->watch);
}
