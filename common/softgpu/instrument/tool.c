/* SPDX-License-Identifier: MIT */
/* Registration of tools.  The runtime has one table of hooks: with two tools
 * it is a table of functions that call each tool's. */
#include "tool.h"

#include <stdlib.h>

#include "common/softgpu/texture/object.h"

/* softcc makes the linker look for this name (-u): it pulls this file, and
 * with it the callbacks, out of the archive. */
const char softgpu_instrumentation = 1;

struct softgpu_tool *softgpu_tools;

/* Hooks that more than one tool may have. */
#define SHARED_HOOKS(X)                                                     \
    X(grid_begin, (const struct run *run), (run))                           \
    X(grid_end, (const struct run *run, int error), (run, error))           \
    X(grid_waits, (const struct run *run, int waits), (run, waits))         \
    X(grid_passes, (const struct run *run, int passes), (run, passes))      \
    X(block_begin, (struct softgpu_block *block), (block))                  \
    X(block_end, (struct softgpu_block *block), (block))                    \
    X(barrier, (struct softgpu_block *block, const void *site),             \
      (block, site))                                                        \
    X(async_copy_issued,                                                    \
      (void *to, const void *from, size_t n, const void *site, int posted), \
      (to, from, n, site, posted))                                          \
    X(ordered,                                                              \
      (unsigned how, const volatile void *object, uint64_t phase),          \
      (how, object, phase))                                                 \
    X(grid_barrier, (struct softgpu_block *block), (block))

/* Hooks that one tool has: the first one that sets it. */
#define SINGLE_HOOKS(X)                                                     \
    X(warp_call) X(kernel_end) X(async_copy_completed) X(memory) X(copied)  \
    X(library_array) X(fill_requested) X(refused) X(launch_failed)          \
    X(error_read) X(kernel_launches) X(modeled_ns) X(host_ns) X(span)       \
    X(queued) X(worker_stops) X(numbered_barrier)

/* Each hook is in one of the lists. */
#define ONE(...) +1
_Static_assert(sizeof(struct softgpu_hooks)
                   == (0 SHARED_HOOKS(ONE) SINGLE_HOOKS(ONE))
                          * sizeof(void (*)(void)),
               "a hook that no list has is lost where there are two tools");
#undef ONE

#define X(name, parameters, arguments)                                      \
    static void all_##name parameters                                       \
    {                                                                       \
        for (struct softgpu_tool *t = softgpu_tools; t; t = t->next)        \
            if (t->hooks->name)                                             \
                t->hooks->name arguments;                                   \
    }
SHARED_HOOKS(X)
#undef X

static const struct softgpu_hooks *combine_hooks(void)
{
    static struct softgpu_hooks hooks;

#define X(name, parameters, arguments) hooks.name = all_##name;
    SHARED_HOOKS(X)
#undef X
    for (struct softgpu_tool *t = softgpu_tools; t; t = t->next) {
#define X(name)     \
    if (!hooks.name) \
        hooks.name = t->hooks->name;
        SINGLE_HOOKS(X)
#undef X
    }
    return &hooks;
}

/* An element of a texture or surface: an access of the kernel's line. */
static void pass_texel(const void *p, uint32_t bytes, int write,
                       const struct softgpu_caller *caller)
{
    for (struct softgpu_tool *t = softgpu_tools; t; t = t->next)
        t->access(p, bytes, write ? ACCESS_WRITE : 0,
                  (uintptr_t)caller->site, caller->frame);
}

void softgpu_register_tool(struct softgpu_tool *tool)
{
    struct softgpu_tool **end = &softgpu_tools;

    if (!softgpu_tools) {
        softgpu_report_at_abort();
        atexit(softgpu_report_at_exit);
    }
    while (*end)
        end = &(*end)->next;
    *end = tool;
    tool->next = NULL;
    softgpu_texel_access = pass_texel;
    softgpu_hooks = softgpu_tools->next ? combine_hooks() : tool->hooks;
}
