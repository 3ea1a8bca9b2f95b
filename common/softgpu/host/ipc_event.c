/* SPDX-License-Identifier: MIT */
/** @file
 *  cudaIpc...EventHandle(): events between processes.  Each record has a number
 *  from a counter that all processes see; a wait is for the last number when it
 *  is queued, and one for a record of another process looks at the counter of
 *  those that have been reached.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "call.h"
#include "event.h"
#include "ipc.h"

int softgpu_ipc_event_create(struct CUevent_st *event)
{
    struct softgpu_ipc_table *table = softgpu_ipc_own_table();
    for (size_t i = 0; table && i < SOFTGPU_IPC_EVENTS; i++) {
        struct softgpu_ipc_event *e = &table->events[i];
        if (e->life % 2)
            continue;
        e->recorded = e->completed = 0;
        e->life++;
        event->shared = e;
        event->shared_life = e->life;
        event->shared_owner = getpid();
        return 0;
    }
    return -1;
}

void softgpu_ipc_event_end(struct CUevent_st *event)
{
    if (event->shared && event->shared_owner == getpid())
        event->shared->life++;
}

uint64_t softgpu_ipc_event_record(struct CUevent_st *event)
{
    event->shared_record = ++event->shared->recorded;
    event->shared->recorder = getpid();
    return event->shared_record;
}

void softgpu_ipc_event_complete(struct CUevent_st *event, uint64_t record)
{
    if (!record)
        return;
    uint64_t before = event->shared->completed;
    while (before < record
           && !atomic_compare_exchange_weak(&event->shared->completed, &before,
                                            record))
        ;
}

/* A process that was killed records nothing any more: its work has ended. */
static int recorder_has_ended(const struct softgpu_ipc_event *e)
{
    static int is_told;
    const int recorder = e->recorder;
    if (recorder == getpid() || !softgpu_ipc_has_ended(recorder))
        return 0;
    if (!is_told++)
        fprintf(stderr, "softgpu: process %d ended before the event that this "
                        "one waits for\n",
                recorder);
    return 1;
}

int softgpu_ipc_event_is_reached(const struct CUevent_st *event,
                                 uint64_t record)
{
    return !record || event->shared->completed >= record
           || recorder_has_ended(event->shared);
}

void softgpu_ipc_event_wait(const struct CUevent_st *event, uint64_t record)
{
    while (!softgpu_ipc_event_is_reached(event, record))
        softgpu_wait_a_tick(SOFTGPU_IPC_TICK_NS);
}

static int queued_waits; /* for other processes, of this one's streams */

void softgpu_ipc_count_wait(const struct softgpu_command *command, int by)
{
    if (command->kind == SOFTGPU_EVENT_WAIT && command->event.shared_record)
        queued_waits += by;
}

int softgpu_ipc_waits(void)
{
    return queued_waits;
}

uint64_t softgpu_ipc_event_last(const struct CUevent_st *event)
{
    const uint64_t last = event->shared ? event->shared->recorded : 0;
    return last == event->shared_record ? 0 : last;
}

static cudaError_t get_handle(cudaIpcEventHandle_t *to, cudaEvent_t handle)
{
    const struct CUevent_st *e = softgpu_event(handle);
    if (!to)
        return cudaErrorInvalidValue;
    if (!e || !e->shared || e->shared_owner != getpid())
        return cudaErrorInvalidResourceHandle;
    const struct softgpu_ipc_handle ipc = softgpu_ipc_handle(
        SOFTGPU_IPC_OF_EVENT,
        (size_t)(e->shared - softgpu_ipc_own_table()->events), e->shared_life);
    memset(to, 0, sizeof *to);
    memcpy(to, &ipc, sizeof ipc);
    return cudaSuccess;
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle,
                                  cudaEvent_t event)
{
    SOFTGPU_CALL(get_handle(handle, event));
}

static cudaError_t open_handle(cudaEvent_t *to,
                               const cudaIpcEventHandle_t *from)
{
    struct softgpu_ipc_handle h;
    memcpy(&h, from, sizeof h);
    if (!to)
        return cudaErrorInvalidValue;
    if (softgpu_remote)
        return cudaErrorNotSupported;
    if (!softgpu_ipc_is_handle(&h, SOFTGPU_IPC_OF_EVENT))
        return cudaErrorInvalidResourceHandle;
    if (h.process == getpid())
        return cudaErrorDeviceUninitialized;
    struct softgpu_ipc_table *table = softgpu_ipc_table_of(&h);
    if (!table)
        return cudaErrorMapBufferObjectFailed;
    if (table->events[h.entry].life != h.life)
        return cudaErrorInvalidResourceHandle;
    struct CUevent_st *e = softgpu_event_add(cudaEventInterprocess
                                             | cudaEventDisableTiming);
    if (!e)
        return cudaErrorMemoryAllocation;
    e->shared = &table->events[h.entry];
    e->shared_life = h.life;
    e->shared_owner = h.process;
    *to = e;
    return cudaSuccess;
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event,
                                   cudaIpcEventHandle_t handle)
{
    SOFTGPU_CALL(open_handle(event, &handle));
}
