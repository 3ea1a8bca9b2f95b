/* SPDX-License-Identifier: MIT */
/** @file
 *  Queues: what runs when, and who runs it.
 *
 *  One host thread at a time runs work; the lock is let go while a piece
 *  runs, so that others may queue meanwhile.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../core/order.h"
#include "call.h"
#include "capture.h"
#include "memory.h"
#include "stream.h"

#define HOST_CALL_NS 2000 /* what queueing costs the host, as on a card */

static uint64_t numbers; /* given to work so far */
static int running;      /* some thread runs work */
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
static int budget; /* pieces that may still run; below 0: any number */

struct softgpu_point softgpu_point_of(struct CUstream_st *stream)
{
    return (struct softgpu_point){stream, numbers};
}

int softgpu_reached(struct softgpu_point point)
{
    return !point.stream || !point.stream->head
           || point.stream->head->number > point.number;
}

static void pop(struct CUstream_st *stream)
{
    struct softgpu_op *op = stream->head;
    stream->head = op->next;
    if (!stream->head)
        stream->tail = NULL;
    stream->count--;
    softgpu_count_in_flight(&op->work, -1);
    softgpu_work_drop(&op->work);
    free(op);
}

static void run_to(struct softgpu_point point);

/* What has to run before the first piece of a stream does.  @return 1 when
 * all of that has run; *ready is raised to its end */
static int run_before(struct CUstream_st *stream, uint64_t *ready)
{
    const struct softgpu_op *op = stream->head;
    const uint64_t number = op->number;
    if (op->work.kind == SOFTGPU_WAIT) {
        const struct softgpu_point point = op->work.event.point;
        run_to(point);
        if (!softgpu_reached(point))
            return 0;
    }
    if (stream->flags & cudaStreamNonBlocking)
        return 1;
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next) {
        const struct softgpu_point before = {s, number - 1};
        if (s == stream || s->device != stream->device
            || s->flags & cudaStreamNonBlocking
            || s->is_default == stream->is_default)
            continue;
        run_to(before);
        if (!softgpu_reached(before))
            return 0;
        if (s->end > *ready)
            *ready = s->end;
    }
    return 1;
}

/* Run the first piece of a stream, whatever it depends on having run. */
static void run_first(struct CUstream_st *stream, uint64_t ready)
{
    struct softgpu_op *op = stream->head;
    uint64_t now = stream->end > ready ? stream->end : ready;
    if (op->issued > now)
        now = op->issued;
    softgpu_turn_stream = stream->id;
    const cudaError_t error = softgpu_work_run(&op->work, &now);
    stream->end = now;
    if (error && !stream->device->failure)
        stream->device->failure = error;
    pop(stream);
}

/* Run a stream up to a point, as far as the budget goes. */
static void run_to(struct softgpu_point point)
{
    while (budget && !softgpu_reached(point)) {
        uint64_t ready = 0;
        if (!run_before(point.stream, &ready) || !budget)
            return;
        if (budget > 0)
            budget--;
        run_first(point.stream, ready);
    }
}

/* Become the one thread that runs work. */
static void take_turn(int pieces)
{
    while (running)
        pthread_cond_wait(&idle, &softgpu_lock);
    running = 1;
    budget = pieces;
    softgpu_memory_open();
}

int softgpu_running(void)
{
    return running;
}

static void end_turn(void)
{
    running = 0;
    pthread_cond_broadcast(&idle);
}

/* With SOFTGPU_SEED: some stream that has work.  On a card nobody knows which
 * goes on first, but for what one stream has to wait for in another.  What a
 * watched program tells, its time line too, depends on no order. */
static struct CUstream_st *drawn(void)
{
    static uint64_t state;
    static int seeded = -1;
    const char *seed = getenv("SOFTGPU_SEED");
    struct CUstream_st *one = NULL;
    uint64_t n = 0;
    if (seeded < 0) {
        state = seed ? strtoull(seed, NULL, 10) : 0;
        seeded = state != 0;
    }
    if (!seeded || softgpu_hooks)
        return NULL;
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        if (s->head && softgpu_random(&state) % ++n == 0)
            one = s;
    return one;
}

cudaError_t softgpu_wait_for(struct softgpu_point point)
{
    struct CUstream_st *s;
    take_turn(-1);
    while (!softgpu_reached(point) && (s = drawn()))
        run_to((struct softgpu_point){s, s->head->number});
    run_to(point);
    end_turn();
    softgpu_host_wait(point.stream->end);
    return point.stream->device->failure;
}

cudaError_t softgpu_progress(struct softgpu_point point)
{
    if (!point.stream)
        return cudaSuccess;
    if (!softgpu_reached(point)) {
        take_turn(1);
        run_to(point);
        end_turn();
        if (!point.stream->device->failure)
            return cudaErrorNotReady; /* also when that was the last piece */
    }
    softgpu_host_wait(point.stream->end);
    return point.stream->device->failure;
}

/* The stream with the oldest piece of work, of a device or of all. */
static struct CUstream_st *oldest(const struct softgpu_device *device)
{
    struct CUstream_st *first = NULL;
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        if (s->head && (!device || s->device == device)
            && (!first || s->head->number < first->head->number))
            first = s;
    return first;
}

cudaError_t softgpu_wait_device(struct softgpu_device *device)
{
    struct CUstream_st *s;
    take_turn(-1);
    while ((s = drawn()) || (s = oldest(device)))
        run_to((struct softgpu_point){s, s->head->number});
    end_turn();
    for (s = softgpu_streams(); s; s = s->next)
        if (!device || s->device == device)
            softgpu_host_wait(s->end);
    return (device ? device : softgpu_device())->failure;
}

void softgpu_drop_queues(struct softgpu_device *device)
{
    take_turn(0);
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        if (s->device == device) {
            while (s->head)
                pop(s);
            softgpu_capture_forget(s);
            s->alive = 0;
        }
    device->legacy = NULL;
    end_turn();
}

cudaError_t softgpu_enqueue(struct CUstream_st *stream,
                            struct softgpu_work *work)
{
    struct softgpu_op *op = malloc(sizeof *op);
    if (!op) {
        softgpu_work_drop(work);
        return cudaErrorMemoryAllocation;
    }
    if (stream->count >= SOFTGPU_QUEUE)
        softgpu_wait_for((struct softgpu_point){stream, stream->head->number});
    softgpu_host_spend(HOST_CALL_NS);
    SOFTGPU_HOOK(queued, ());
    *op = (struct softgpu_op){.number = ++numbers,
                              .issued = softgpu_host_ns(), .work = *work,
                              .site = softgpu_call_site};
    softgpu_count_in_flight(&op->work, 1);
    if (op->work.kind == SOFTGPU_RECORD) {
        struct CUevent_st *event = op->work.event.event;
        event->point = (struct softgpu_point){stream, op->number};
        event->recorded = 1;
    }
    if (stream->tail)
        stream->tail->next = op;
    else
        stream->head = op;
    stream->tail = op;
    stream->count++;
    return cudaSuccess;
}

cudaError_t softgpu_submit(struct CUstream_st *stream,
                           struct softgpu_work *work)
{
    if (stream->capture)
        return softgpu_capture_add(stream, work);
    const cudaError_t error = softgpu_capture_allows(stream);
    if (!error)
        return softgpu_enqueue(stream, work);
    softgpu_work_drop(work);
    return error;
}

/* Runs behind the program's own exit functions and static destructors. */
__attribute__((destructor)) static void tell_pending(void)
{
    const struct softgpu_kernel *first = NULL;
    unsigned launches = 0;
    uint64_t number = UINT64_MAX;
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        for (const struct softgpu_op *op = s->head; op; op = op->next) {
            if (op->work.kind != SOFTGPU_KERNEL || s->device->failure)
                continue;
            launches++;
            if (op->number < number)
                first = op->work.kernel.kernel;
            if (op->number < number)
                number = op->number;
        }
    char place[512] = ""; /* a library's call has none */
    if (launches && first->line)
        snprintf(place, sizeof place, " (%s:%d)", first->file, first->line);
    if (launches)
        fprintf(stderr,
                "softgpu: %u kernel launch%s never waited for and never ran, "
                "the first of them %s%s: call cudaDeviceSynchronize() "
                "before the program ends\n",
                launches, launches == 1 ? " was" : "es were", first->name,
                place);
}
