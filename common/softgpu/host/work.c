/* SPDX-License-Identifier: MIT */
/** @file
 *  Running one piece of work, and what it takes on the modelled time line.
 */
#include "work.h"

#include <stdlib.h>
#include <string.h>

#include "../core/core.h"
#include "call.h"
#include "event.h"
#include "graph.h"
#include "launch.h"
#include "library.h"
#include "memory.h"
#include "reserved.h"
#include "symbol.h"

#define LAUNCH_NS 1500 /* from one kernel's end to the next one's begin */
#define HOST_NS 5000   /* a host function's way from the stream and back */

static int in_graph; /* how deep */

/* Give a span its place.  Looked on, under a name. */
static void place(struct softgpu_work *work, const struct softgpu_span *span,
                  struct softgpu_seen seen, uint64_t *now)
{
    *now = softgpu_place(&work->device->engines, span);
    seen.engine = span->engine;
    seen.stream = softgpu_turn_stream;
    seen.begin = *now - span->length;
    seen.end = *now;
    SOFTGPU_HOOK(span, (&seen));
}

/* A kernel that a graph launches starts sooner than one of a stream: 0.5 us
 * behind the last instead of 0.9 (A. Gray, Getting Started with CUDA Graphs,
 * 2019). */
static uint64_t kernel_ns(const struct softgpu_grid *grid)
{
    const int modelled = softgpu_hooks && softgpu_hooks->modelled_ns;
    const uint64_t start =
        modelled ? (uint64_t)softgpu_card()->launch_ns : LAUNCH_NS;
    return (in_graph ? start * 5 / 9 : start)
           + (modelled ? softgpu_hooks->modelled_ns(grid) : grid->cpu_ns);
}

static cudaError_t run_kernel(struct softgpu_work *work, uint64_t *now)
{
    const struct softgpu_kernel_work *k = &work->kernel;
    const struct softgpu_library_call *call =
        softgpu_library_of(k->kernel, k->closure);
    if (call)
        softgpu_library_look(call);
    struct softgpu_grid grid = {
        .kernel = k->kernel, .closure = k->closure,
        .closure_bytes = k->bytes, .grid = k->grid,
        .block = k->block, .dynamic_bytes = (uint32_t)k->dynamic,
        .cooperative = k->cooperative,
        .clock_khz = (uint32_t)softgpu_card()->clock_khz};
    pthread_mutex_unlock(&softgpu_lock);
    const int error = softgpu_run_grid(&grid);
    pthread_mutex_lock(&softgpu_lock);
    const struct softgpu_span span = {
        .ready = *now, .length = kernel_ns(&grid),
        .share = softgpu_share_of_card(k), .engine = SOFTGPU_SMS};
    place(work, &span, (struct softgpu_seen){.name = k->kernel->name}, now);
    return (cudaError_t)error;
}

/* Call f(destination row, source row) for each row; both rows at once if the
 * box is one piece of memory. */
static void copy_box(const struct softgpu_copy_work *c)
{
    const size_t width = c->extent.width;
    for (size_t z = 0; z < c->extent.depth; z++)
        for (size_t y = 0; y < c->extent.height; y++) {
            char *to = c->dst.ptr + z * c->dst.slice + y * c->dst.pitch;
            const char *from = c->src.ptr + z * c->src.slice
                               + y * c->src.pitch;
            memmove(to, from, width);
            SOFTGPU_HOOK(copied, (to, from, width));
        }
}

static void run_copy(struct softgpu_work *work, uint64_t *now)
{
    const struct softgpu_copy_work *c = &work->copy;
    const uint64_t bytes =
        (uint64_t)c->extent.width * c->extent.height * c->extent.depth;
    pthread_mutex_unlock(&softgpu_lock);
    copy_box(c);
    pthread_mutex_lock(&softgpu_lock);
    const struct softgpu_span span = {
        .ready = *now, .length = softgpu_copy_ns(bytes, c->gbs),
        .engine = c->engine};
    place(work, &span, (struct softgpu_seen){.name = "copy", .bytes = bytes},
          now);
}

static void fill_row(char *row, const struct softgpu_fill_work *f)
{
    SOFTGPU_HOOK(copied, (row, NULL, f->extent.width));
    if (f->element == 1) {
        memset(row, (int)f->value, f->extent.width);
        return;
    }
    for (size_t x = 0; x < f->extent.width; x += f->element)
        memcpy(row + x, &f->value, f->element); /* the low bytes */
}

static void run_fill(struct softgpu_work *work, uint64_t *now)
{
    const struct softgpu_fill_work *f = &work->fill;
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
    place(work, &span, (struct softgpu_seen){.name = "fill", .bytes = bytes},
          now);
}

static void run_host(const struct softgpu_work *work, uint64_t *now)
{
    const struct softgpu_host_work call = work->host;
    const cudaError_t failure = work->device->failure;
    if (call.fn && failure)
        return; /* only the older kind is called after a failure */
    softgpu_memory_shut(); /* it is the host that runs now */
    pthread_mutex_unlock(&softgpu_lock);
    softgpu_in_callback(1);
    if (call.fn)
        call.fn(call.data);
    else
        call.callback(call.stream, failure, call.data);
    softgpu_in_callback(0);
    pthread_mutex_lock(&softgpu_lock);
    softgpu_memory_open();
    *now += HOST_NS;
}

static cudaError_t run_graph(struct softgpu_work *work, uint64_t *now)
{
    in_graph++;
    const cudaError_t error =
        softgpu_graph_run(work->graph, work->device, now);
    in_graph--;
    return error;
}

static void run_free(struct softgpu_work *work)
{
    softgpu_give(work->allocation);
    work->kind = SOFTGPU_EMPTY;
}

static void run_wait(const struct softgpu_work *work, uint64_t *now)
{
    if (work->event.event->time > *now)
        *now = work->event.event->time;
}

cudaError_t softgpu_work_run(struct softgpu_work *work, uint64_t *now)
{
    if (work->kind == SOFTGPU_HOST) {
        run_host(work, now);
        return cudaSuccess;
    }
    if (work->kind == SOFTGPU_FREE)
        run_free(work);
    if (work->device->failure)
        return cudaSuccess; /* it is dropped: the failure is told already */
    softgpu_symbols_load(work->device->index);
    switch (work->kind) {
    case SOFTGPU_KERNEL:
        return run_kernel(work, now);
    case SOFTGPU_COPY:
        run_copy(work, now);
        break;
    case SOFTGPU_FILL:
        run_fill(work, now);
        break;
    case SOFTGPU_RECORD:
        work->event.event->time = *now;
        break;
    case SOFTGPU_WAIT:
        run_wait(work, now);
        break;
    case SOFTGPU_ALLOCATE:
    case SOFTGPU_RELEASE:
        softgpu_reserved_run(work->reserved, work->kind == SOFTGPU_ALLOCATE);
        break;
    case SOFTGPU_GRAPH:
        return run_graph(work, now);
    default:
        break;
    }
    return cudaSuccess;
}

/* One block with the pointers and, behind them, what they point to. */
static void **clone_args(const struct softgpu_kernel *kernel, void **args)
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

int softgpu_keep_args(struct softgpu_kernel_work *k, void **args)
{
    k->args = clone_args(k->kernel, args);
    return k->args ? 0 : -1;
}

static int clone_kernel(struct softgpu_kernel_work *to)
{
    to->closure = softgpu_clone_closure(to->closure, to->bytes, to->align);
    void **args = to->args;
    to->args = NULL;
    if (args && softgpu_keep_args(to, args))
        return -1;
    return to->closure ? 0 : -1;
}

int softgpu_work_clone(struct softgpu_work *to,
                       const struct softgpu_work *from)
{
    *to = *from;
    switch (from->kind) {
    case SOFTGPU_KERNEL:
        return clone_kernel(&to->kernel);
    case SOFTGPU_RECORD:
    case SOFTGPU_WAIT:
        softgpu_event_hold(to->event.event);
        return 0;
    case SOFTGPU_ALLOCATE:
    case SOFTGPU_RELEASE:
        softgpu_reserved_hold(to->reserved);
        return 0;
    case SOFTGPU_GRAPH:
        to->graph = softgpu_graph_copy(from->graph);
        return to->graph ? 0 : -1;
    default: /* staged copies are never nodes: nothing else is owned */
        return 0;
    }
}

void softgpu_work_drop(struct softgpu_work *work)
{
    switch (work->kind) {
    case SOFTGPU_KERNEL:
        free(work->kernel.closure);
        free(work->kernel.args);
        break;
    case SOFTGPU_COPY:
        free(work->copy.staged);
        break;
    case SOFTGPU_RECORD:
    case SOFTGPU_WAIT:
        softgpu_event_release(work->event.event);
        break;
    case SOFTGPU_ALLOCATE:
    case SOFTGPU_RELEASE:
        softgpu_reserved_drop(work->reserved);
        break;
    case SOFTGPU_GRAPH:
        softgpu_graph_free(work->graph);
        break;
    default:
        break;
    }
    work->kind = SOFTGPU_EMPTY;
}
