/* SPDX-License-Identifier: MIT */
/** @file
 *  Queues of commands and their execution order.
 *
 *  One OS thread at a time, the runner, runs commands: a host thread that
 *  waits, or the runtime's own (progress.c).  The lock is released while a
 *  command runs, so that host threads can queue commands.
 */
#include <stdlib.h>

#include "common/softgpu/core/permute.h"
#include "call.h"
#include "capture.h"
#include "host_access.h"
#include "progress.h"
#include "remote.h"
#include "stream.h"

#define HOST_CALL_NS 2000 /* host time to queue a command, as with a GPU */

static uint64_t last_number; /* of the commands queued so far */
static int runner_active;    /* 1: an OS thread runs commands */
static int waiting_hosts;    /* host threads that want to run commands */
static int running_commands; /* that have begun and not ended */
static pthread_cond_t runner_idle = PTHREAD_COND_INITIALIZER;
static int command_budget; /* commands that may still run; below 0: any */

struct softgpu_stream_position softgpu_stream_end(struct CUstream_st *stream)
{
    return (struct softgpu_stream_position){stream, last_number};
}

int softgpu_is_reached(struct softgpu_stream_position position)
{
    return !position.stream || !position.stream->head
           || position.stream->head->number > position.number;
}

static void pop_command(struct CUstream_st *stream)
{
    struct softgpu_queued_command *op = stream->head;
    stream->head = op->next;
    if (!stream->head)
        stream->tail = NULL;
    stream->count--;
    softgpu_count_in_flight(&op->command, -1);
    softgpu_command_destroy(&op->command);
    free(op);
}

static void run_until(struct softgpu_stream_position position);

/* Run the commands that the first command of a stream depends on.  @return 1 if
 * all have run; *ready is raised to their modeled end */
static int run_dependencies(struct CUstream_st *stream, uint64_t *ready)
{
    const struct softgpu_queued_command *op = stream->head;
    const uint64_t number = op->number;
    if (op->command.kind == SOFTGPU_EVENT_WAIT) {
        const struct softgpu_stream_position position =
            op->command.event.position;
        run_until(position);
        if (!softgpu_is_reached(position))
            return 0;
    }
    if (stream->flags & cudaStreamNonBlocking)
        return 1;
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next) {
        const struct softgpu_stream_position before = {s, number - 1};
        if (s == stream || s->device != stream->device
            || s->flags & cudaStreamNonBlocking
            || s->is_default == stream->is_default)
            continue;
        run_until(before);
        if (!softgpu_is_reached(before))
            return 0;
        if (s->end > *ready)
            *ready = s->end;
    }
    return 1;
}

/* Run the first command of a stream; its dependencies have run. */
static void run_head(struct CUstream_st *stream, uint64_t ready)
{
    struct softgpu_queued_command *op = stream->head;
    uint64_t now = stream->end > ready ? stream->end : ready;
    if (op->issue_ns > now)
        now = op->issue_ns;
    softgpu_current_stream_id = stream->id;
    stream->is_running = 1;
    running_commands++;
    softgpu_current_order = softgpu_hooks ? &op->order : NULL;
    const cudaError_t error = softgpu_command_run(&op->command, &now);
    softgpu_current_order = NULL;
    running_commands--;
    stream->is_running = 0;
    stream->end = now;
    if (error && !stream->device->failure)
        stream->device->failure = error;
    pop_command(stream);
}

/* Run a stream up to a position, within the budget. */
static void run_until(struct softgpu_stream_position position)
{
    while (command_budget && !softgpu_is_reached(position)) {
        uint64_t ready = 0;
        if (position.stream->is_running) { /* by softgpu_run_beside() */
            pthread_cond_wait(&runner_idle, &softgpu_lock);
            continue;
        }
        if (!run_dependencies(position.stream, &ready) || !command_budget)
            return;
        if (command_budget > 0)
            command_budget--;
        run_head(position.stream, ready);
    }
}

/* Become the runner, with a budget of commands. */
static void acquire_runner(int pieces)
{
    waiting_hosts++;
    while (runner_active)
        pthread_cond_wait(&runner_idle, &softgpu_lock);
    waiting_hosts--;
    runner_active = 1;
    command_budget = pieces;
    softgpu_memory_unprotect();
    softgpu_memory_exchange(1);
}

int softgpu_is_running(void)
{
    return runner_active || running_commands;
}

static void release_runner(void)
{
    softgpu_memory_exchange(0);
    runner_active = 0;
    pthread_cond_broadcast(&runner_idle);
}

/* With SOFTGPU_SEED: a random stream with commands, because CUDA does not
 * define the order of independent streams.  Not in an instrumented program:
 * its reports and its time line must not depend on the seed. */
static struct CUstream_st *pick_random_stream(void)
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

/* The host has waited for a position of a stream.  If it is not the stream's
 * end, the order of what it waited for is the event's: see event.c. */
static void host_waited(struct softgpu_stream_position position)
{
    const struct CUstream_st *s = position.stream;
    softgpu_host_advance_to(s->end);
    if (softgpu_order_is_end(s, position.number))
        softgpu_order_host_waited(&s->clock);
}

/* Have all commands run that the first command of a stream depends on? */
static int is_ready(const struct CUstream_st *stream)
{
    const struct softgpu_queued_command *op = stream->head;
    if (op->command.kind == SOFTGPU_EVENT_WAIT
        && !softgpu_is_reached(op->command.event.position))
        return 0;
    if (stream->flags & cudaStreamNonBlocking)
        return 1;
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next) {
        const struct softgpu_stream_position before = {s, op->number - 1};
        if (s->device == stream->device && s->is_default != stream->is_default
            && !(s->flags & cudaStreamNonBlocking)
            && !softgpu_is_reached(before))
            return 0;
    }
    return 1;
}

/* Record the events that no command comes before: on a card they are recorded
 * when the host goes on, so that it may ask for the time between them. */
static void run_records(void)
{
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        while (s->head && s->head->command.kind == SOFTGPU_EVENT_RECORD
               && is_ready(s))
            run_until((struct softgpu_stream_position){s, s->head->number});
}

cudaError_t softgpu_run_until(struct softgpu_stream_position position)
{
    struct CUstream_st *s;
    acquire_runner(-1);
    while (!softgpu_is_reached(position) && (s = pick_random_stream()))
        run_until((struct softgpu_stream_position){s, s->head->number});
    run_until(position);
    run_records();
    release_runner();
    host_waited(position);
    return position.stream->device->failure;
}

cudaError_t softgpu_run_one_command(struct softgpu_stream_position position)
{
    if (!position.stream)
        return cudaSuccess;
    if (!softgpu_is_reached(position)) {
        acquire_runner(1);
        run_until(position);
        release_runner();
        if (!position.stream->device->failure)
            return cudaErrorNotReady; /* also after the last command */
    }
    host_waited(position);
    return position.stream->device->failure;
}

struct CUstream_st *softgpu_oldest_stream(const struct softgpu_device *device)
{
    struct CUstream_st *first = NULL;
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        if (s->head && (!device || s->device == device)
            && (!first || s->head->number < first->head->number))
            first = s;
    return first;
}

uint64_t softgpu_oldest_command(void)
{
    const struct CUstream_st *s = softgpu_oldest_stream(NULL);
    return s ? s->head->number : 0;
}

uint64_t softgpu_last_command(void)
{
    return __atomic_load_n(&last_number, __ATOMIC_RELAXED);
}

int softgpu_wait_for_runner(const struct timespec *until)
{
    return pthread_cond_timedwait(&runner_idle, &softgpu_lock, until);
}

void softgpu_run_oldest(void)
{
    while (runner_active || waiting_hosts) /* host threads come first */
        pthread_cond_wait(&runner_idle, &softgpu_lock);
    struct CUstream_st *s = pick_random_stream();
    s = s ? s : softgpu_oldest_stream(NULL);
    if (!s)
        return;
    acquire_runner(1);
    run_until((struct softgpu_stream_position){s, s->head->number});
    release_runner();
    softgpu_memory_protect_if_idle();
}

/* May the stream's running command use variables of its device at any time? */
static int may_use_variables(const struct CUstream_st *s)
{
    return s->head->command.kind != SOFTGPU_KERNEL
           && s->head->command.kind != SOFTGPU_HOST;
}

/* Can the command run beside a kernel?  Another kernel only while all that run
 * wait.  The variables of one device at a time are in place, and in an
 * instrumented program no command runs while a kernel's threads do. */
static int can_run_beside(const struct softgpu_command *command)
{
    const int is_stalled = softgpu_grids_are_stalled();
    if (softgpu_hooks && !is_stalled)
        return 0;
    for (const struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        if (s->is_running && s->device != command->device
            && (!is_stalled || may_use_variables(s)))
            return 0;
    return command->kind == SOFTGPU_KERNEL ? is_stalled
                                           : command->kind != SOFTGPU_GRAPH;
}

int softgpu_run_beside(void)
{
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        if (s->head && !s->is_running && can_run_beside(&s->head->command)
            && is_ready(s)) {
            softgpu_memory_unprotect();
            softgpu_progress_leave();
            run_head(s, 0);
            softgpu_progress_return();
            pthread_cond_broadcast(&runner_idle);
            return 1;
        }
    return 0;
}

int softgpu_runs_alone(void)
{
    return running_commands == 1;
}

void softgpu_queues_after_fork(void)
{
    pthread_cond_init(&runner_idle, NULL);
    runner_active = waiting_hosts = running_commands = 0;
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        s->is_running = 0;
}

cudaError_t softgpu_wait_device(struct softgpu_device *device)
{
    struct CUstream_st *s;
    acquire_runner(-1);
    while ((s = pick_random_stream()) || (s = softgpu_oldest_stream(device)))
        run_until((struct softgpu_stream_position){s, s->head->number});
    release_runner();
    for (s = softgpu_streams(); s; s = s->next)
        if (!device || s->device == device)
            host_waited(softgpu_stream_end(s));
    return (device ? device : softgpu_device())->failure;
}

void softgpu_discard_queues(struct softgpu_device *device)
{
    acquire_runner(0);
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        if (s->device == device) {
            while (s->is_running) /* beside another command */
                pthread_cond_wait(&runner_idle, &softgpu_lock);
            while (s->head)
                pop_command(s);
            softgpu_capture_detach(s);
            s->alive = 0;
        }
    device->legacy = NULL;
    release_runner();
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
