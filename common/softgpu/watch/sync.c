/* SPDX-License-Identifier: MIT */
/* Watcher: barriers and warp calls.  Threads that open one barrier must have
 * come to the same line; code addresses alone do not tell, because a compiler
 * copies calls. */
#include <string.h>

#include "grid.h"
#include "lines.h"
#include "order.h"

static int same_line(const void *a, const void *b)
{
    struct source_line x, y;

    softgpu_source_line((uintptr_t)a, &x);
    softgpu_source_line((uintptr_t)b, &y);
    return x.line == y.line && strcmp(x.file, y.file) == 0;
}

static void find_diverged(const struct softgpu_block *b,
                          const struct softgpu_thread *t, const void *site)
{
    const struct watch_block *w = b->watch;
    struct softgpu_sighting seen = {
        .kind = SOFTGPU_FIND_BARRIER_DIVERGED,
        .kernel = w->kernel,
        .code = (uintptr_t)t->site,
        .other = (uintptr_t)site,
        .block = b->index,
        .thread = t->id,
    };

    softgpu_find(&seen, "some threads of the block wait at this barrier while "
                        "others are at another one");
}

/* A thread that waits for the barrier, not for a warp. */
static int waits_here(const struct softgpu_block *b,
                      const struct softgpu_thread *t)
{
    return t->word == &b->epoch && t->value == b->epoch;
}

void sync_barrier(struct softgpu_block *b, const void *site)
{
    uint32_t i;

    watch_settle();
    order_interval(b->watch);
    for (i = 0; i < b->count; i++) {
        const struct softgpu_thread *t = &b->threads[i];

        if (!waits_here(b, t))
            continue;
        if (!site)
            site = t->site;
        if (t->site != site && !same_line(t->site, site)) {
            find_diverged(b, t, site);
            return;
        }
    }
}

/* What core errors are, as findings. */
static enum softgpu_finding_kind kind_of(int error, const char *text)
{
    if (error == SOFTGPU_LAUNCH_TIMEOUT)
        return SOFTGPU_FIND_NO_PROGRESS;
    return strstr(text, "mask") ? SOFTGPU_FIND_BAD_MASK : SOFTGPU_FIND_FAULT;
}

static int any_failed;

int sync_any_failed(void)
{
    return any_failed;
}

void sync_failed(const struct run *run, const struct fault *fault, int error)
{
    struct softgpu_sighting seen = {
        .kind = kind_of(error, fault->text),
        .kernel = run->grid->kernel->name,
        .code = (uintptr_t)fault->pc,
        .block = fault->block,
        .thread = fault->thread,
    };

    any_failed = 1;
    softgpu_find(&seen, "%s", fault->text);
}
