/* SPDX-License-Identifier: MIT */
/** @file
 *  Vector clocks of streams.  The runtime's lock guards them.
 */
#include "stream_order.h"

#include "common/softgpu/core/hooks.h"
#include "event.h"
#include "stream.h"

_Thread_local const struct softgpu_order *softgpu_current_order;

_Atomic unsigned softgpu_host_functions;
static struct softgpu_clock host; /* what the host has waited for */
static struct softgpu_clock told; /* what host functions may have told it */
static _Atomic uint64_t latest;   /* number in `host` */

/* Raise each entry of a clock to that of another one. */
static void join(struct softgpu_clock *clock, const struct softgpu_clock *other)
{
    for (int i = 0; i < SOFTGPU_CLOCK_ENTRIES; i++)
        if (other->known[i] > clock->known[i])
            clock->known[i] = other->known[i];
}

/* The default stream waits for all blocking streams, and they for it. */
static void join_default(struct CUstream_st *stream)
{
    if (stream->flags & cudaStreamNonBlocking)
        return;
    for (const struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        if (s != stream && s->device == stream->device
            && !(s->flags & cudaStreamNonBlocking)
            && s->is_default != stream->is_default)
            join(&stream->clock, &s->clock);
}

void softgpu_order_queued(struct CUstream_st *stream,
                          struct softgpu_queued_command *op)
{
    const enum softgpu_command_kind kind = op->command.kind;
    const unsigned entry = (unsigned)(stream->id % SOFTGPU_CLOCK_ENTRIES);

    if (!softgpu_hooks)
        return;
    join(&stream->clock, &host);
    if (kind == SOFTGPU_EVENT_WAIT)
        join(&stream->clock, &op->command.event.event->clock);
    join_default(stream);
    stream->clock.known[entry] = op->number;
    if (kind == SOFTGPU_EVENT_RECORD)
        op->command.event.event->clock = stream->clock;
    op->order = (struct softgpu_order){stream->clock, entry, op->number,
                                       op->site, stream->is_default};
}

void softgpu_order_waited_elsewhere(struct CUstream_st *stream)
{
    struct softgpu_clock ended = {{0}};
    if (!softgpu_hooks)
        return;
    for (const struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        if (s->head)
            ended.known[s->id % SOFTGPU_CLOCK_ENTRIES] = s->head->number - 1;
        else
            join(&ended, &s->clock);
    join(&stream->clock, &ended);
    for (struct softgpu_queued_command *op = stream->head; op; op = op->next) {
        join(&op->order.before, &ended);
        if (op->command.kind == SOFTGPU_EVENT_RECORD)
            join(&op->command.event.event->clock, &ended);
    }
}

int softgpu_order_is_end(const struct CUstream_st *stream, uint64_t number)
{
    return stream->clock.known[stream->id % SOFTGPU_CLOCK_ENTRIES] <= number;
}

void softgpu_order_host_waited(const struct softgpu_clock *clock)
{
    if (!softgpu_hooks)
        return;
    join(&host, clock);
    for (int i = 0; i < SOFTGPU_CLOCK_ENTRIES; i++)
        if (host.known[i] > latest)
            latest = host.known[i];
}

void softgpu_order_host_function(const struct softgpu_order *order)
{
    softgpu_host_functions++;
    if (softgpu_hooks && order)
        join(&told, &order->before);
}

int softgpu_order_host_follows(unsigned entry, uint64_t number)
{
    return host.known[entry] >= number || told.known[entry] >= number;
}

int softgpu_order_host_is_idle(uint64_t number)
{
    return latest >= number;
}
