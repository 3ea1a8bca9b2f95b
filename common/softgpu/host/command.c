/* SPDX-License-Identifier: MIT */
/** @file
 *  Running one command, and its duration on the modeled time line.
 */
#include "command.h"

#include <stdlib.h>
#include <string.h>

#include "common/softgpu/core/core.h"
#include "call.h"
#include "device_launch.h"
#include "event.h"
#include "graph.h"
#include "graph_condition.h"
#include "graph_memory.h"
#include "host_access.h"
#include "ipc.h"
#include "launch.h"
#include "library.h"
#include "memory.h"
#include "remote.h"
#include "stream.h"
#include "stream_order.h"
#include "symbol.h"

#define LAUNCH_NS 1500 /* from a kernel's end to the next one's start */
#define HOST_FUNCTION_NS 5000 /* overhead of a host function in a stream */
/* bytes that pass through this process at once */
#define REMOTE_PIECE (64 << 10)

static _Thread_local int graph_depth; /* nesting of graphs that are running */

/* Schedule a span and report it to the hooks. */
static void record_span(struct softgpu_command *command,
                        const struct softgpu_span *span,
                        struct softgpu_activity activity, uint64_t *now)
{
    *now = softgpu_schedule_span(&command->device->engines, span);
    activity.engine = span->engine;
    activity.stream = softgpu_current_stream_id;
    activity.begin = *now - span->length;
    activity.end = *now;
    SOFTGPU_HOOK(span, (&activity));
}

/* Modeled duration of a kernel with its launch latency.  That is smaller in a
 * graph than in a stream: 0.5 instead of 0.9 us between two kernels (A. Gray,
 * Getting Started with CUDA Graphs, 2019). */
static uint64_t kernel_ns(const struct softgpu_grid *grid)
{
    const int modeled = softgpu_hooks && softgpu_hooks->modeled_ns;
    const uint64_t start =
        modeled ? (uint64_t)softgpu_card()->launch_ns : LAUNCH_NS;
    return (graph_depth ? start * 5 / 9 : start)
           + (modeled ? softgpu_hooks->modeled_ns(grid) : grid->cpu_ns);
}

static cudaError_t run_kernel(struct softgpu_command *command, uint64_t *now)
{
    const cudaError_t last_error = softgpu_swap_last_error(cudaSuccess);
    const struct softgpu_kernel_command *k = &command->kernel;
    const struct softgpu_library_call *call =
        softgpu_library_call_of(k->kernel, k->closure);
    if (call)
        softgpu_library_report_arrays(call);
    struct softgpu_launcher launcher = {command->device, now};
    struct softgpu_grid grid = {
        .kernel = k->kernel, .closure = k->closure,
        .closure_bytes = k->bytes, .grid = k->grid,
        .block = k->block, .dynamic_bytes = (uint32_t)k->dynamic,
        .cooperative = k->cooperative, .depth = k->depth,
        .launched_at = k->depth ? &k->launched_at : NULL,
        .owner = &launcher, .device = command->device->index,
        .order = softgpu_current_order,
        .clock_khz = (uint32_t)softgpu_card()->clock_khz};
    pthread_mutex_unlock(&softgpu_lock);
    const int error = softgpu_run_grid(&grid);
    pthread_mutex_lock(&softgpu_lock);
    const struct softgpu_span span = {
        .ready = *now, .length = kernel_ns(&grid),
        .share = softgpu_sm_share(k), .engine = SOFTGPU_SMS};
    record_span(command, &span,
                (struct softgpu_activity){.name = k->kernel->name}, now);
    softgpu_swap_last_error(last_error); /* what the kernel's threads set */
    return softgpu_run_children(softgpu_detach_children(&grid, NULL),
                                (cudaError_t)error, now);
}

/* Within the host process, whose addresses mean nothing here: by pieces. */
static void copy_within_host(char *to, const char *from, size_t bytes)
{
    char piece[REMOTE_PIECE];
    for (size_t at = 0, n; at < bytes; at += n) {
        n = bytes - at < sizeof piece ? bytes - at : sizeof piece;
        softgpu_remote->read(piece, from + at, n);
        softgpu_remote->write(to + at, piece, n);
    }
}

/* From or to the host process, or within it. */
static void copy_remote_row(const struct softgpu_copy_command *c, char *to,
                            const char *from)
{
    const size_t bytes = c->extent.width;
    if (c->from_host && c->to_host)
        copy_within_host(to, from, bytes);
    else if (c->from_host)
        softgpu_remote->read(to, from, bytes);
    else
        softgpu_remote->write(to, from, bytes);
}

/* Copy a 3D region row by row. */
static void copy_box(const struct softgpu_copy_command *c)
{
    const size_t width = c->extent.width;
    for (size_t z = 0; z < c->extent.depth; z++)
        for (size_t y = 0; y < c->extent.height; y++) {
            char *to = c->dst.ptr + z * c->dst.slice + y * c->dst.pitch;
            const char *from = c->src.ptr + z * c->src.slice
                               + y * c->src.pitch;
            if (c->to_host || c->from_host)
                copy_remote_row(c, to, from);
            else
                memmove(to, from, width);
            SOFTGPU_HOOK(copied, (to, from, width));
        }
}

static void run_copy(struct softgpu_command *command, uint64_t *now)
{
    const struct softgpu_copy_command *c = &command->copy;
    const uint64_t bytes =
        (uint64_t)c->extent.width * c->extent.height * c->extent.depth;
    pthread_mutex_unlock(&softgpu_lock);
    copy_box(c);
    pthread_mutex_lock(&softgpu_lock);
    const struct softgpu_span span = {
        .ready = *now, .length = softgpu_copy_ns(bytes, c->gbs),
        .engine = c->engine};
    record_span(command, &span,
                (struct softgpu_activity){.name = "copy", .bytes = bytes}, now);
}

/* Fill a row of the host process's memory, by pieces. */
static void fill_remote_row(char *row, const struct softgpu_fill_command *f)
{
    const size_t width = f->extent.width;
    char piece[REMOTE_PIECE];
    for (size_t x = 0; x < sizeof piece; x += f->element)
        memcpy(piece + x, &f->value, f->element);
    for (size_t x = 0, n; x < width; x += n) {
        n = width - x < sizeof piece ? width - x : sizeof piece;
        softgpu_remote->write(row + x, piece, n);
    }
}

static void fill_row(char *row, const struct softgpu_fill_command *f)
{
    SOFTGPU_HOOK(copied, (row, NULL, f->extent.width));
    if (softgpu_is_host_side(row)) {
        fill_remote_row(row, f);
        return;
    }
    if (f->element == 1) {
        memset(row, (int)f->value, f->extent.width);
        return;
    }
    for (size_t x = 0; x < f->extent.width; x += f->element)
        memcpy(row + x, &f->value, f->element); /* its low bytes */
}

static void run_fill(struct softgpu_command *command, uint64_t *now)
{
    const struct softgpu_fill_command *f = &command->fill;
    pthread_mutex_unlock(&softgpu_lock);
    for (size_t z = 0; z < f->extent.depth; z++)
        for (size_t y = 0; y < f->extent.height; y++)
            fill_row(f->dst.ptr + z * f->dst.slice + y * f->dst.pitch, f);
    pthread_mutex_lock(&softgpu_lock);
    const uint64_t bytes =
        (uint64_t)f->extent.width * f->extent.height * f->extent.depth;
    const struct softgpu_span span = {
        .ready = *now,
        .length = softgpu_copy_ns(bytes, softgpu_card()->dram_gbs)};
    record_span(command, &span,
                (struct softgpu_activity){.name = "fill", .bytes = bytes}, now);
}

static void run_host(const struct softgpu_command *command, uint64_t *now)
{
    const struct softgpu_host_command call = command->host;
    const cudaError_t failure = command->device->failure;
    if (call.fn && failure)
        return; /* only callbacks are called after an error */
    if (softgpu_runs_alone())
        softgpu_memory_protect(); /* host code runs now */
    softgpu_order_host_function(softgpu_current_order);
    pthread_mutex_unlock(&softgpu_lock);
    softgpu_set_in_callback(1);
    if (softgpu_remote)
        softgpu_remote->call(&call, failure);
    else if (call.fn)
        call.fn(call.data);
    else
        call.callback(call.stream, failure, call.data);
    softgpu_set_in_callback(0);
    pthread_mutex_lock(&softgpu_lock);
    softgpu_memory_unprotect();
    *now += HOST_FUNCTION_NS;
}

static cudaError_t run_graph(struct softgpu_command *command, uint64_t *now)
{
    if (!graph_depth++)
        softgpu_conditions_reset(command->graph);
    const cudaError_t error = softgpu_condition_run(command, now);
    graph_depth--;
    return error;
}

static void run_free(struct softgpu_command *command)
{
    softgpu_free_allocation(command->allocation);
    command->kind = SOFTGPU_EMPTY;
}

static void run_wait(const struct softgpu_command *command, uint64_t *now)
{
    const struct CUevent_st *e = command->event.event;
    const uint64_t end = e->is_of_launches ? command->event.position.stream->end
                                           : e->time;
    if (end > *now)
        *now = end;
}

/* A copy or a fill, which may be of a device's variables: it takes a turn while
 * those of another device are in place for a grid in flight.  In an
 * instrumented program nothing runs while a grid's threads do. */
static void run_transfer(struct softgpu_command *command, uint64_t *now)
{
    const int device = command->device->index;
    const int takes_turn =
        softgpu_grids_in_flight()
        && (softgpu_hooks || !softgpu_symbols_are_loaded(device));
    unsigned place = 0;
    if (takes_turn) {
        pthread_mutex_unlock(&softgpu_lock);
        place = softgpu_turn_open(device);
        pthread_mutex_lock(&softgpu_lock);
    } else {
        softgpu_symbols_load(device);
    }
    if (command->kind == SOFTGPU_COPY)
        run_copy(command, now);
    else
        run_fill(command, now);
    if (takes_turn) {
        pthread_mutex_unlock(&softgpu_lock);
        softgpu_turn_close(place, 0);
        pthread_mutex_lock(&softgpu_lock);
    }
}

cudaError_t softgpu_command_run(struct softgpu_command *command, uint64_t *now)
{
    if (command->kind == SOFTGPU_HOST) {
        run_host(command, now);
        return cudaSuccess;
    }
    if (command->kind == SOFTGPU_FREE)
        run_free(command);
    if (command->device->failure)
        return cudaSuccess; /* skipped: the error was returned before */
    switch (command->kind) {
    case SOFTGPU_KERNEL:
        return softgpu_kernel_fails() ? cudaErrorLaunchFailure
                                      : run_kernel(command, now);
    case SOFTGPU_COPY:
    case SOFTGPU_FILL:
        run_transfer(command, now);
        break;
    case SOFTGPU_EVENT_RECORD:
        command->event.event->time = *now;
        break;
    case SOFTGPU_EVENT_WAIT:
        run_wait(command, now);
        break;
    case SOFTGPU_GRAPH_ALLOC:
    case SOFTGPU_GRAPH_FREE:
        softgpu_graph_memory_run(command->graph_memory,
                                 command->kind == SOFTGPU_GRAPH_ALLOC);
        break;
    case SOFTGPU_GRAPH:
        return run_graph(command, now);
    default:
        break;
    }
    return cudaSuccess;
}

/* Copy the arguments into one allocation: the pointers, then the values. */
static void **copy_args(const struct softgpu_kernel *kernel, void **args)
{
    const size_t align = 16;
    size_t bytes = (kernel->params + 1) * sizeof(void *) + align;
    for (uint32_t i = 0; i < kernel->params; i++)
        bytes += (kernel->param_bytes[i] + align - 1) / align * align;
    void **copy = malloc(bytes);
    if (!copy)
        return NULL;
    uintptr_t at = (uintptr_t)(copy + kernel->params + 1);
    for (uint32_t i = 0; i < kernel->params; i++) {
        at = (at + align - 1) / align * align;
        copy[i] = memcpy((void *)at, args[i], kernel->param_bytes[i]);
        at += kernel->param_bytes[i];
    }
    copy[kernel->params] = NULL;
    return copy;
}

void *softgpu_clone_closure(const void *closure, size_t bytes, size_t align)
{
    if (align < sizeof(void *))
        align = sizeof(void *);
    void *copy = aligned_alloc(align, (bytes + align - 1) / align * align);
    return copy ? memcpy(copy, closure, bytes) : NULL;
}

int softgpu_clone_args(struct softgpu_kernel_command *k, void **args)
{
    k->args = copy_args(k->kernel, args);
    return k->args ? 0 : -1;
}

static int clone_kernel(struct softgpu_kernel_command *to)
{
    to->closure = softgpu_clone_closure(to->closure, to->bytes, to->align);
    void **args = to->args;
    to->args = NULL;
    if (args && softgpu_clone_args(to, args))
        return -1;
    return to->closure ? 0 : -1;
}

int softgpu_command_clone(struct softgpu_command *to,
                          const struct softgpu_command *from)
{
    *to = *from;
    switch (from->kind) {
    case SOFTGPU_KERNEL:
        return clone_kernel(&to->kernel);
    case SOFTGPU_EVENT_RECORD:
    case SOFTGPU_EVENT_WAIT:
        softgpu_event_retain(to->event.event);
        return 0;
    case SOFTGPU_GRAPH_ALLOC:
    case SOFTGPU_GRAPH_FREE:
        softgpu_graph_memory_retain(to->graph_memory);
        return 0;
    case SOFTGPU_GRAPH:
        to->graph = softgpu_graph_copy(from->graph);
        return to->graph ? 0 : -1;
    default: /* staged copies are never nodes: nothing is owned */
        return 0;
    }
}

void softgpu_command_destroy(struct softgpu_command *command)
{
    switch (command->kind) {
    case SOFTGPU_KERNEL:
        free(command->kernel.closure);
        free(command->kernel.args);
        break;
    case SOFTGPU_COPY:
        free(command->copy.staged);
        break;
    case SOFTGPU_EVENT_RECORD:
        softgpu_ipc_event_complete(command->event.event,
                                   command->event.shared_record);
        softgpu_event_release(command->event.event);
        break;
    case SOFTGPU_EVENT_WAIT:
        softgpu_event_release(command->event.event);
        break;
    case SOFTGPU_GRAPH_ALLOC:
    case SOFTGPU_GRAPH_FREE:
        softgpu_graph_memory_release(command->graph_memory);
        break;
    case SOFTGPU_GRAPH:
        softgpu_graph_release(command->graph);
        break;
    default:
        break;
    }
    command->kind = SOFTGPU_EMPTY;
}
