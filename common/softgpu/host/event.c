/* SPDX-License-Identifier: MIT */
/** @file
 *  The event API.
 */
#include "event.h"

#include <stdlib.h>

#include "call.h"
#include "capture.h"
#include "ipc.h"

static struct CUevent_st *all;

struct CUevent_st *softgpu_event(cudaEvent_t handle)
{
    struct CUevent_st *e = all;
    while (e && e != handle)
        e = e->next;
    return e;
}

/* The program and each record and wait that is queued or in a graph hold a
 * reference: destroying an event only makes the handle invalid. */
struct CUevent_st *softgpu_event_retain(struct CUevent_st *event)
{
    event->ref_count++;
    return event;
}

void softgpu_event_clear_capture(struct CUevent_st *event)
{
    free(event->captured_nodes);
    event->captured_nodes = NULL;
    event->captured_count = 0;
    event->capture = 0;
}

void softgpu_event_release(struct CUevent_st *event)
{
    if (--event->ref_count)
        return;
    softgpu_event_clear_capture(event);
    softgpu_ipc_event_end(event);
    free(event);
}

struct CUevent_st *softgpu_event_new(struct softgpu_device *device,
                                     unsigned flags)
{
    struct CUevent_st *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->device = device;
    e->flags = flags;
    e->ref_count = 1;
    return e;
}

struct CUevent_st *softgpu_event_add(unsigned flags)
{
    struct CUevent_st *e = softgpu_event_new(softgpu_device(), flags);
    if (!e)
        return NULL;
    e->next = all;
    all = e;
    return e;
}

static cudaError_t destroy(cudaEvent_t handle);

/* An event between processes has no time.  A device process, whose host code
 * is another process, has none. */
static cudaError_t create(cudaEvent_t *event, unsigned flags)
{
    const unsigned known = cudaEventBlockingSync | cudaEventDisableTiming;
    const unsigned shared = flags & cudaEventInterprocess;
    if (!event || flags & ~(known | cudaEventInterprocess)
        || (shared && !(flags & cudaEventDisableTiming)))
        return cudaErrorInvalidValue;
    if (shared && softgpu_remote)
        return cudaErrorNotSupported;
    struct CUevent_st *e = softgpu_event_add(flags);
    if (!e)
        return cudaErrorMemoryAllocation;
    if (shared && softgpu_ipc_event_create(e)) {
        destroy(e);
        return cudaErrorMemoryAllocation;
    }
    *event = e;
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    SOFTGPU_CALL(create(event, cudaEventDefault));
}

/* In a kernel an event is only a name: its block's launches run in the order in
 * which they were made, so that each wait of a stream is met. */
static struct CUevent_st event_of_device;

static cudaError_t create_in_kernel(cudaEvent_t *event, unsigned flags)
{
    if (!event || flags != cudaEventDisableTiming)
        return softgpu_record_error(cudaErrorInvalidValue);
    *event = &event_of_device;
    return cudaSuccess;
}

/* A record, a wait or the end of an event in a kernel. */
static cudaError_t use_in_kernel(cudaEvent_t event)
{
    return softgpu_record_error(event == &event_of_device
                                    ? cudaSuccess
                                    : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    if (softgpu_tls.block)
        return create_in_kernel(event, flags);
    SOFTGPU_CALL(create(event, flags));
}

static cudaError_t destroy(cudaEvent_t handle)
{
    struct CUevent_st **link = &all;
    while (*link && *link != handle)
        link = &(*link)->next;
    if (!*link)
        return cudaErrorInvalidResourceHandle;
    struct CUevent_st *e = *link;
    *link = e->next;
    softgpu_event_release(e);
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    if (softgpu_tls.block)
        return use_in_kernel(event);
    SOFTGPU_CALL(destroy(event));
}

/* During capture a record stores nodes, not a time; an external record becomes
 * a node itself and runs with the graph. */
static cudaError_t record(cudaEvent_t handle, cudaStream_t stream,
                          unsigned flags)
{
    struct CUevent_st *e = softgpu_event(handle);
    struct CUstream_st *s = softgpu_stream(stream);
    if (!e || !s || e->device != s->device)
        return cudaErrorInvalidResourceHandle;
    if (flags & ~(unsigned)cudaEventRecordExternal)
        return cudaErrorInvalidValue;
    if (s->capture && e->shared)
        return cudaErrorNotSupported;
    if (s->capture && !(flags & cudaEventRecordExternal))
        return softgpu_capture_record(s, e);
    if (flags && !s->capture)
        return cudaErrorIllegalState;
    softgpu_event_clear_capture(e);
    struct softgpu_command command = {.kind = SOFTGPU_EVENT_RECORD,
                                      .device = s->device};
    command.event.event = softgpu_event_retain(e);
    if (e->shared)
        command.event.shared_record = softgpu_ipc_event_record(e);
    return softgpu_submit(s, &command);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    if (softgpu_tls.block)
        return use_in_kernel(event);
    SOFTGPU_CALL(record(event, stream, cudaEventRecordDefault));
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
                                     unsigned int flags)
{
    if (softgpu_tls.block)
        return use_in_kernel(event);
    SOFTGPU_CALL(record(event, stream, flags));
}

static cudaError_t wait(cudaStream_t stream, cudaEvent_t handle,
                        unsigned flags)
{
    struct CUevent_st *e = softgpu_event(handle);
    struct CUstream_st *s = softgpu_stream(stream);
    if (!e || !s)
        return cudaErrorInvalidResourceHandle;
    if (flags & ~(unsigned)cudaEventWaitExternal)
        return cudaErrorInvalidValue;
    if (e->capture && !flags)
        return softgpu_capture_join(s, e);
    if (s->capture && !flags)
        return softgpu_capture_reject_dependency(s);
    const uint64_t elsewhere = softgpu_ipc_event_last(e);
    if (!e->recorded && !elsewhere && !s->capture)
        return cudaSuccess; /* never recorded: no wait */
    if (s->capture && e->shared)
        return cudaErrorNotSupported;
    struct softgpu_command command = {.kind = SOFTGPU_EVENT_WAIT,
                                      .device = s->device};
    command.event.event = softgpu_event_retain(e);
    command.event.shared_record = elsewhere;
    if (!elsewhere)
        command.event.position = e->position;
    return softgpu_submit(s, &command);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned int flags)
{
    if (softgpu_tls.block)
        return use_in_kernel(event);
    SOFTGPU_CALL(wait(stream, event, flags));
}

static cudaError_t query(cudaEvent_t handle, int all_of_it)
{
    struct CUevent_st *e = softgpu_event(handle);
    if (!e)
        return cudaErrorInvalidResourceHandle;
    if (e->capture)
        return cudaErrorCapturedEvent;
    const uint64_t elsewhere = softgpu_ipc_event_last(e);
    if (elsewhere && all_of_it)
        softgpu_ipc_event_wait(e, elsewhere);
    if (elsewhere)
        return softgpu_ipc_event_is_reached(e, elsewhere) ? cudaSuccess
                                                          : cudaErrorNotReady;
    if (!e->recorded)
        return cudaSuccess;
    const cudaError_t error = all_of_it ? softgpu_run_until(e->position)
                                        : softgpu_run_one_command(e->position);
    if (!error)
        softgpu_order_host_waited(&e->clock);
    return error;
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    SOFTGPU_CALL(query(event, 0));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    SOFTGPU_CALL(query(event, 1));
}

#define TICK_NS 500 /* resolution of events, from CUDA's documentation */

static cudaError_t elapsed(float *ms, cudaEvent_t from, cudaEvent_t to)
{
    const struct CUevent_st *start = softgpu_event(from);
    const struct CUevent_st *end = softgpu_event(to);
    if (!ms)
        return cudaErrorInvalidValue;
    if (!start || !end || !start->recorded || !end->recorded
        || (start->flags | end->flags) & cudaEventDisableTiming
        || start->device != end->device)
        return cudaErrorInvalidResourceHandle;
    if (start->capture || end->capture)
        return cudaErrorCapturedEvent;
    if (!softgpu_is_reached(start->position)
        || !softgpu_is_reached(end->position))
        return cudaErrorNotReady;
    const int64_t ticks =
        (int64_t)(end->time / TICK_NS) - (int64_t)(start->time / TICK_NS);
    *ms = (float)((double)ticks * TICK_NS * 1e-6);
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    SOFTGPU_CALL(elapsed(ms, start, end));
}
