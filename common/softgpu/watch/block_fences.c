/* SPDX-License-Identifier: MIT */
#include "block_fences.h"

#include <stdlib.h>

enum { MAX_BYTES = 64 << 20 }; /* of a grid's handed_fences */

/** The fences of an interval that later ones rely on. */
struct handed_fences {
    struct handed_fences *next;
    uint32_t interval, threads;
    struct {
        uint32_t sequence; /* of the thread's last one; 0: none */
        uint16_t warp_interval;
    } of[]; /* by thread */
};

static struct handed_fences *all;
static size_t all_bytes;

void block_fences_begin(struct block_fences *fences)
{
    fences->sequence = fences->interval = 0;
    block_fences_begin_interval(fences);
}

void block_fences_begin_interval(struct block_fences *fences)
{
    fences->sequence_at_start = fences->sequence;
    fences->interval_at_start = fences->interval;
    fences->handed_over = NULL;
}

void block_fences_add(struct block_fences *fences, uint32_t thread,
                      const struct thread_fence *fence)
{
    if (fences->last[thread].interval != fence->interval)
        fences->earlier[thread] = fences->last[thread];
    fences->last[thread] = *fence;
    fences->sequence = fence->sequence;
    fences->interval = fence->interval;
}

static struct handed_fences *new_handed_fences(uint32_t threads)
{
    const size_t bytes =
        sizeof(struct handed_fences) + threads * sizeof all->of[0];
    struct handed_fences *made =
        all_bytes + bytes > MAX_BYTES ? NULL : malloc(bytes);

    if (!made)
        return NULL;
    all_bytes += bytes;
    made->threads = threads;
    made->next = all;
    return all = made;
}

const struct handed_fences *
block_fences_handed_over(struct block_fences *fences, uint32_t threads)
{
    const uint32_t interval = fences->interval_at_start;
    struct handed_fences *made;

    if (fences->handed_over)
        return fences->handed_over;
    made = new_handed_fences(threads);
    if (!made)
        return NULL;
    made->interval = interval;
    for (uint32_t i = 0; i < threads; i++) {
        const struct thread_fence *last = &fences->last[i];
        const struct thread_fence *fence =
            last->interval == interval ? last : &fences->earlier[i];
        const int executed = fence->interval == interval;

        made->of[i].sequence = executed ? fence->sequence : 0;
        made->of[i].warp_interval = fence->warp_interval;
    }
    return fences->handed_over = made;
}

int handed_fences_order(const struct handed_fences *fences,
                        const struct access_record *a)
{
    const uint32_t thread = a->threads & RECORD_THREAD;
    const uint32_t first = thread / WARP_LANES * WARP_LANES;

    if (a->interval != fences->interval)
        return a->interval < fences->interval;
    if (a->threads & RECORD_WARPS)
        return 1;
    for (uint32_t i = first; i < first + WARP_LANES && i < fences->threads; i++)
        if (fences->of[i].sequence > a->sequence
            && (i == thread || a->threads & RECORD_LANES
                || (int16_t)(fences->of[i].warp_interval - a->warp_interval)
                       > 0))
            return 1;
    return 0;
}

void handed_fences_free(void)
{
    while (all) {
        struct handed_fences *next = all->next;

        free(all);
        all = next;
    }
    all_bytes = 0;
}
