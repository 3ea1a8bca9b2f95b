/* SPDX-License-Identifier: MIT */
/* Copies in flight: what is queued has not been waited for, because queues
 * run when somebody waits.  On a card such a copy may be under way. */
#include <stdatomic.h>

#include "call.h"
#include "stream.h"

static atomic_int in_flight; /* copies that use the host's memory */

void softgpu_count_in_flight(const struct softgpu_work *work, int by)
{
    if (work->kind == SOFTGPU_COPY && !work->copy.staged
        && work->copy.kind != cudaMemcpyDeviceToDevice)
        atomic_fetch_add(&in_flight, by);
}

/* Do n bytes at p lie in a row of the box, some of them? */
static int overlaps(const struct softgpu_box *box, struct cudaExtent extent,
                    const char *p, size_t n)
{
    const size_t before = p < box->ptr ? (size_t)(box->ptr - p) : 0;
    size_t at;

    if (before >= n)
        return 0;
    at = (size_t)(p + before - box->ptr);
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

static const void *look(const struct CUstream_st *stream, const char *p,
                        size_t bytes, int writes)
{
    for (const struct softgpu_op *op = stream->head; op; op = op->next) {
        const struct softgpu_copy_work *c = &op->work.copy;

        if (op->work.kind == SOFTGPU_COPY && !c->staged
            && (overlaps(&c->dst, c->extent, p, bytes)
                || (writes && overlaps(&c->src, c->extent, p, bytes))))
            return op->site;
    }
    return NULL;
}

const void *softgpu_copy_in_flight(const void *p, size_t bytes, int writes)
{
    const void *site = NULL;

    if (!atomic_load_explicit(&in_flight, memory_order_relaxed))
        return NULL;
    pthread_mutex_lock(&softgpu_lock);
    if (!softgpu_running()) /* else it may be a host function of a stream */
        for (struct CUstream_st *s = softgpu_streams(); s && !site; s = s->next)
            site = look(s, p, bytes, writes);
    pthread_mutex_unlock(&softgpu_lock);
    return site;
}
