/* SPDX-License-Identifier: MIT */
/** @file
 *  Queues of commands and their execution order.
 *
 *  One OS thread at a time, the runner, runs commands: a host thread that
 *  waits, or the runtime's own (progress.c).  The lock is released while a
 *  command runs, so that host threads can queue commands.
 */
#include <stdlib.h>
#include <time.h>

#include "beside.h"
#include "call.h"
#include "capture.h"
#include "host_access.h"
#include "ipc.h"
#include "progress.h"
#include "query.h"
#include "remote.h"
#include "stream.h"


static int runner_active;    /* 1: an OS thread runs commands */
static int waiting_hosts;    /* host threads that want to run commands */
static int running_commands; /* that have begun and not ended */
static uint64_t begun_commands; /* in all */
static pthread_cond_t runner_idle = PTHREAD_COND_INITIALIZER;
static int command_budget; /* commands that may still run; below 0: any */

int softgpu_is_reached(struct softgpu_stream_position position)
{
    return !position.stream || !position.stream->head
           || position.stream->head->number > position.number;
}

/* Has what an event's wait is for been reached? */
static int wait_is_over(const struct softgpu_event_command *wait)
{
    return softgpu_is_reached(wait->position)
           && softgpu_ipc_event_is_reached(wait->event, wait->shared_record);
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
        run_until(op->command.event.position);
        if (!stream->head || stream->head->number != number)
            return 1; /* begun beside its dependencies */
        if (!wait_is_over(&op->command.event))
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
    if (op->command.kind == SOFTGPU_EVENT_WAIT
        && op->command.event.shared_record)
        softgpu_order_waited_elsewhere(stream);
    stream->is_running = 1;
    running_commands++;
    begun_commands++;
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
        const uint64_t number = position.stream->head->number;
        if (position.stream->is_running) { /* by softgpu_run_beside() */
            pthread_cond_wait(&runner_idle, &softgpu_lock);
            continue;
        }
        if (!run_dependencies(position.stream, &ready) || !command_budget)
            return;
        if (position.stream->is_running || softgpu_is_reached(position)
            || position.stream->head->number != number)
            continue; /* begun beside the dependencies */
        if (command_budget > 0)
            command_budget--;
        run_head(position.stream, ready);
    }
}

static int position_is_reached(const void *position)
{
    const struct softgpu_stream_position *p = position;
    return softgpu_is_reached(*p);
}

static int device_is_idle(const void *device)
{
    return !softgpu_oldest_stream(device);
}

/* Become the runner, with a budget of commands.  Another runner's command may
 * take long, or wait for the host: what the caller waits for may end beside it.
 * @param is_done  has it ended?  NULL: the caller waits for no command
 * @return 0 if it has, and another OS thread is the runner */
static int acquire_runner(int pieces, int (*is_done)(const void *),
                          const void *waited_for)
{
    waiting_hosts++;
    while (runner_active && !(is_done && is_done(waited_for)))
        pthread_cond_wait(&runner_idle, &softgpu_lock);
    waiting_hosts--;
    if (runner_active)
        return 0;
    runner_active = 1;
    command_budget = pieces;
    softgpu_memory_unprotect();
    softgpu_memory_exchange(1);
    return 1;
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

/* Let other processes, and other runners, go on for a while. */
static void pause_runner(void)
{
    const int budget = command_budget;
    release_runner();
    softgpu_wait_a_tick(SOFTGPU_IPC_TICK_NS);
    acquire_runner(budget, NULL, NULL);
}

/* Run the first command of a stream; if it waits for another process, the first
 * of another stream that does not. */
static void run_first(struct CUstream_st *s)
{
    const uint64_t before = begun_commands;
    run_until((struct softgpu_stream_position){s, s->head->number});
    if (!softgpu_ipc_waits())
        return;
    for (s = softgpu_streams(); s && begun_commands == before; s = s->next)
        if (s->head)
            run_until((struct softgpu_stream_position){s, s->head->number});
    if (begun_commands == before)
        pause_runner();
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
        && !wait_is_over(&op->command.event))
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
    if (acquire_runner(-1, position_is_reached, &position)) {
        while (!softgpu_is_reached(position) && (s = softgpu_random_stream()))
            run_first(s);
        run_until(position);
        while (softgpu_ipc_waits() && !softgpu_is_reached(position)) {
            pause_runner();
            run_until(position);
        }
        run_records();
        release_runner();
    }
    host_waited(position);
    return position.stream->device->failure;
}

void softgpu_run_piece(struct softgpu_stream_position position)
{
    if (!acquire_runner(1, position_is_reached, &position))
        return;
    run_until(position);
    release_runner();
}

cudaError_t softgpu_run_one_command(struct softgpu_stream_position position)
{
    if (!position.stream)
        return cudaSuccess;
    if (!softgpu_is_reached(position)) {
        softgpu_query_run(position);
        if (!position.stream->device->failure)
            return cudaErrorNotReady; /* also after the last command */
    }
    host_waited(position);
    return position.stream->device->failure;
}

int softgpu_wait_for_runner(const struct timespec *until)
{
    return pthread_cond_timedwait(&runner_idle, &softgpu_lock, until);
}

void softgpu_wait_a_tick(long ns)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += ns;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    softgpu_wait_for_runner(&until);
}

void softgpu_run_oldest(void)
{
    while (runner_active || waiting_hosts) /* host threads come first */
        pthread_cond_wait(&runner_idle, &softgpu_lock);
    struct CUstream_st *s = softgpu_random_stream();
    s = s ? s : softgpu_oldest_stream(NULL);
    if (!s)
        return;
    acquire_runner(1, NULL, NULL);
    run_first(s);
    release_runner();
    softgpu_memory_protect_if_idle();
}

int softgpu_run_beside(void)
{
    for (struct CUstream_st *s = softgpu_streams(); s; s = s->next)
        if (s->head && !s->is_running
            && softgpu_can_run_beside(&s->head->command) && is_ready(s)) {
            softgpu_memory_unprotect();
            softgpu_progress_leave();
            run_head(s, 0);
            softgpu_progress_return();
            pthread_cond_broadcast(&runner_idle);
            return 1;
        }
    return 0;
}

static void wait_for_running(void)
{
    while (running_commands)
        pthread_cond_wait(&runner_idle, &softgpu_lock);
}

void softgpu_hold_commands(void)
{
    acquire_runner(0, NULL, NULL);
    wait_for_running();
}

void softgpu_continue_commands(void)
{
    release_runner();
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
    if (acquire_runner(-1, device_is_idle, device)) {
        while ((s = softgpu_random_stream())
               || (s = softgpu_oldest_stream(device)))
            run_first(s);
        release_runner();
    }
    for (s = softgpu_streams(); s; s = s->next)
        if (!device || s->device == device)
            host_waited(softgpu_stream_end(s));
    return (device ? device : softgpu_device())->failure;
}

void softgpu_discard_queues(struct softgpu_device *device)
{
    acquire_runner(0, NULL, NULL);
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
