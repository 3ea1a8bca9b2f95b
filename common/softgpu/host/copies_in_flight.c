/* SPDX-License-Identifier: MIT */
/** @file
 *  Copies in flight: queued and not yet waited for.  Here a queued copy runs
 *  when a host thread waits; on a GPU it may be in progress already, so host
 *  accesses to its memory are data races.
 */
#include <stdatomic.h>

#include "call.h"
#include "ipc.h"
#include "stream.h"

static atomic_int copies_in_flight; /* copies that access host memory */

void softgpu_count_in_flight(const struct softgpu_command *command, int by)
{
    if (command->kind == SOFTGPU_COPY && !command->copy.staged
        && command->copy.kind != cudaMemcpyDeviceToDevice)
        atomic_fetch_add(&copies_in_flight, by);
    softgpu_ipc_count_wait(command, by);
}

/* Do n bytes at p overlap a row of the region? */
static int overlaps(const struct softgpu_box *box, struct cudaExtent extent,
                    const char *p, size_t n)
{
    const size_t skipped = p < box->ptr ? (size_t)(box->ptr - p) : 0;
    size_t at;

    if (skipped >= n)
        return 0;
    at = (size_t)(p + skipped - box->ptr);
    if (extent.depth > 1 && box->slice) {
        if (at / box->slice >= extent.depth)
            return 0;
        at %= box->slice;
    }
    if (extent.height > 1 && box->pitch) {
        if (at / box->pitch >= extent.height)
            return 0;
        at %= box->pitch;
    }
    return at < extent.width;
}

static const void *find_copy(const struct CUstream_st *stream, const char *p,
                             size_t bytes, int writes)
{
    for (const struct softgpu_queued_command *op = stream->head; op;
         op = op->next) {
        const struct softgpu_copy_command *c = &op->command.copy;

        if (op->command.kind == SOFTGPU_COPY && !c->staged
            && (overlaps(&c->dst, c->extent, p, bytes)
                || (writes && overlaps(&c->src, c->extent, p, bytes))))
            return op->site;
    }
    return NULL;
}

const void *softgpu_copy_in_flight(const void *p, size_t bytes, int writes)
{
    const void *site = NULL;

    if (!atomic_load_explicit(&copies_in_flight, memory_order_relaxed))
        return NULL;
    pthread_mutex_lock(&softgpu_lock);
    if (!softgpu_is_running()) /* else this may be a host function */
        for (struct CUstream_st *s = softgpu_streams(); s && !site; s = s->next)
            site = find_copy(s, p, bytes, writes);
    pthread_mutex_unlock(&softgpu_lock);
    return site;
}
