/* SPDX-License-Identifier: MIT */
/** @file
 *  Dynamic parallelism: the list of stored launches.
 */
#include "device_launch.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/softgpu/core/block.h"
#include "call.h"
#include "launch.h"

enum { MAX_DEPTH = 24 /* of nested launches, as in CUDA */ };

/* A launch configuration whose kernel has not been called.  The evaluation of
 * the arguments can let another thread run, which launches, too. */
struct config {
    const struct softgpu_grid *parent;
    const struct softgpu_thread *thread;
    dim3 grid, block;
    size_t dynamic;
    int is_tail;
};

static _Thread_local struct config *configs;
static _Thread_local size_t config_count, config_capacity;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct softgpu_child *children; /* newest first */
static uint64_t launches;

const struct softgpu_grid *softgpu_current_grid(void)
{
    return softgpu_tls.block->worker->run->grid;
}

struct softgpu_device *softgpu_launching_device(void)
{
    const struct softgpu_launcher *launcher = softgpu_current_grid()->owner;
    return launcher->device;
}

/* Room for one more configuration; those of an ended grid are dropped.
 * @return 0, or -1 without memory */
static int make_room(const struct softgpu_grid *parent)
{
    if (config_count && configs[config_count - 1].parent != parent)
        config_count = 0;
    if (config_count < config_capacity)
        return 0;
    const size_t more = config_capacity ? 2 * config_capacity : 16;
    struct config *grown = realloc(configs, more * sizeof *grown);
    if (!grown)
        return -1;
    configs = grown;
    config_capacity = more;
    return 0;
}

int softgpu_push_child(dim3 grid, dim3 block, size_t dynamic, void *stream)
{
    const struct softgpu_grid *parent = softgpu_current_grid();
    cudaError_t error = softgpu_check_launch_config(grid, block);
    if (!error && parent->depth + 1 >= MAX_DEPTH)
        error = cudaErrorLaunchMaxDepthExceeded;
    if (!error && make_room(parent))
        error = cudaErrorMemoryAllocation;
    if (error)
        return softgpu_record_error(error);
    configs[config_count++] = (struct config){
        parent, softgpu_tls.thread, grid, block, dynamic,
        (cudaStream_t)stream == cudaStreamTailLaunch};
    return 0;
}

/* Remove this thread's latest configuration.  @return 0 if there is none */
static int pop_config(struct config *to)
{
    size_t i = config_count;
    while (i && configs[i - 1].thread != softgpu_tls.thread)
        i--;
    if (!i)
        return 0;
    *to = configs[i - 1];
    for (; i < config_count; i++)
        configs[i - 1] = configs[i];
    config_count--;
    return 1;
}

/* Linear index of the running block. */
static uint64_t running_block(void)
{
    const uint64_t y = blockIdx.y + (uint64_t)blockIdx.z * gridDim.y;
    return blockIdx.x + y * gridDim.x;
}

cudaError_t softgpu_store_child(const struct softgpu_command *command,
                                int is_tail)
{
    struct softgpu_child *c = calloc(1, sizeof *c);
    if (!c)
        return softgpu_record_error(cudaErrorMemoryAllocation);
    const struct softgpu_grid *parent = softgpu_current_grid();
    *c = (struct softgpu_child){.parent = parent, .is_tail = is_tail,
                                .block = running_block(), .command = *command};
    c->command.device = softgpu_launching_device();
    c->command.kernel.launched_at.block = c->block;
    c->command.kernel.launched_at.is_tail = is_tail;
    SOFTGPU_HOOK(kernel_launches, (&c->command.kernel.launched_at));
    pthread_mutex_lock(&lock);
    c->number = launches++;
    c->next = children;
    children = c;
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

/* An error that the program does not ask for is reported. */
static void fail(cudaError_t error, const struct softgpu_kernel *kernel)
{
    fprintf(stderr, "softgpu: the launch of %s by a kernel failed: %s\n",
            kernel->name, cudaGetErrorString(error));
    softgpu_record_error(error);
}

void softgpu_launch_child(struct softgpu_kernel *kernel, const void *closure,
                          size_t bytes, size_t align)
{
    struct config p;
    if (!pop_config(&p)) {
        fail(cudaErrorMissingConfiguration, kernel);
        return;
    }
    struct softgpu_command command = {
        .kind = SOFTGPU_KERNEL,
        .kernel = {.kernel = kernel, .bytes = bytes, .align = align,
                   .grid = p.grid, .block = p.block, .dynamic = p.dynamic,
                   .depth = p.parent->depth + 1}};
    cudaError_t error = softgpu_check_launch(&command.kernel);
    if (!error) {
        command.kernel.closure = softgpu_clone_closure(closure, bytes, align);
        error = command.kernel.closure
                    ? softgpu_store_child(&command, p.is_tail)
                    : cudaErrorMemoryAllocation;
    }
    if (error) {
        free(command.kernel.closure);
        fail(error, kernel);
    }
}

/* Does launch a run before b? */
static int is_before(const struct softgpu_child *a,
                     const struct softgpu_child *b)
{
    if (a->is_tail != b->is_tail)
        return b->is_tail;
    return a->block != b->block ? a->block < b->block : a->number < b->number;
}

/* Order of children for qsort(). */
static int compare(const void *a, const void *b)
{
    return is_before(*(struct softgpu_child *const *)a,
                     *(struct softgpu_child *const *)b)
               ? -1
               : 1;
}

/* Link children in their order; without memory they stay as they are. */
static struct softgpu_child *sorted(struct softgpu_child *list, size_t count)
{
    struct softgpu_child **all = calloc(count + 1, sizeof *all);
    if (!all)
        return list;
    size_t n = 0;
    for (; list; list = list->next)
        all[n++] = list;
    qsort(all, n, sizeof *all, compare);
    for (size_t i = 0; i < n; i++)
        all[i]->next = all[i + 1]; /* the last one is NULL */
    list = all[0];
    free(all);
    return list;
}

/* Is it one of those that softgpu_detach_children() takes? */
static int is_taken(const struct softgpu_child *c,
                    const struct softgpu_grid *parent, const uint64_t *block)
{
    return c->parent == parent
           && (!block || (c->block == *block && !c->is_tail));
}

struct softgpu_child *softgpu_detach_children(const struct softgpu_grid *parent,
                                              const uint64_t *block)
{
    struct softgpu_child *taken = NULL;
    size_t count = 0;
    pthread_mutex_lock(&lock);
    for (struct softgpu_child **at = &children; *at;) {
        struct softgpu_child *c = *at;
        if (!is_taken(c, parent, block)) {
            at = &c->next;
            continue;
        }
        *at = c->next;
        c->next = taken;
        taken = c;
        count++;
    }
    pthread_mutex_unlock(&lock);
    return taken ? sorted(taken, count) : NULL;
}

cudaError_t softgpu_run_children(struct softgpu_child *first, cudaError_t error,
                                 uint64_t *now)
{
    for (struct softgpu_child *next = first; next;) {
        struct softgpu_child *child = next;
        next = child->next;
        if (!error)
            error = softgpu_command_run(&child->command, now);
        softgpu_command_destroy(&child->command);
        free(child);
    }
    return error;
}

/* --- a thread waits for its block's launches ------------------------------ */

/* The launches that a thread waits for. */
struct wait {
    struct softgpu_child *first;
    const struct softgpu_launcher *launcher;
};

/* Called by softgpu_run_nested(). */
static int run_awaited(void *argument)
{
    const struct wait *w = argument;
    pthread_mutex_lock(&softgpu_lock);
    const cudaError_t error = softgpu_run_children(w->first, cudaSuccess,
                                                   w->launcher->now);
    pthread_mutex_unlock(&softgpu_lock);
    return (int)error;
}

cudaError_t softgpu_wait_for_children(const void *site)
{
    const struct softgpu_grid *grid = softgpu_current_grid();
    struct wait w = {NULL, grid->owner};
    const uint64_t block = running_block();
    const size_t depth =
        softgpu_launching_device()->limits[cudaLimitDevRuntimeSyncDepth];
    if ((size_t)grid->depth >= depth)
        return softgpu_record_error(cudaErrorSyncDepthExceeded);
    w.first = softgpu_detach_children(grid, &block);
    if (w.first)
        softgpu_run_nested(run_awaited, &w, site);
    return cudaSuccess;
}
