/* SPDX-License-Identifier: MIT */
/** @file
 *  Adding commands to the queues of streams.
 */
#include <stdlib.h>

#include "call.h"
#include "capture.h"
#include "event.h"
#include "progress.h"
#include "stream.h"

#define HOST_CALL_NS 2000 /* host time to queue a command, as with a GPU */

static uint64_t last_number; /* of the commands queued so far */

struct softgpu_stream_position softgpu_stream_end(struct CUstream_st *stream)
{
    return (struct softgpu_stream_position){stream, last_number};
}

uint64_t softgpu_last_command(void)
{
    return __atomic_load_n(&last_number, __ATOMIC_RELAXED);
}

cudaError_t softgpu_enqueue(struct CUstream_st *stream,
                            struct softgpu_command *command)
{
    struct softgpu_queued_command *op = malloc(sizeof *op);
    if (!op) {
        softgpu_command_destroy(command);
        return cudaErrorMemoryAllocation;
    }
    if (stream->count >= SOFTGPU_QUEUE_CAPACITY)
        softgpu_run_until(
            (struct softgpu_stream_position){stream, stream->head->number});
    softgpu_host_advance(HOST_CALL_NS);
    SOFTGPU_HOOK(queued, ());
    *op = (struct softgpu_queued_command){.number = ++last_number,
                                          .issue_ns = softgpu_host_ns(),
                                          .command = *command,
                                          .site = softgpu_call_site};
    softgpu_count_in_flight(&op->command, 1);
    softgpu_order_queued(stream, op);
    if (op->command.kind == SOFTGPU_EVENT_RECORD) {
        struct CUevent_st *event = op->command.event.event;
        event->position = (struct softgpu_stream_position){stream, op->number};
        event->recorded = 1;
    }
    if (stream->tail)
        stream->tail->next = op;
    else
        stream->head = op;
    stream->tail = op;
    stream->count++;
    softgpu_progress_notify();
    return cudaSuccess;
}

cudaError_t softgpu_submit(struct CUstream_st *stream,
                           struct softgpu_command *command)
{
    if (stream->capture)
        return softgpu_capture_add(stream, command);
    const cudaError_t error = softgpu_capture_check_stream(stream);
    if (!error)
        return softgpu_enqueue(stream, command);
    softgpu_command_destroy(command);
    return error;
}
