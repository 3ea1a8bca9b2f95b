/* SPDX-License-Identifier: MIT */
/* The profiler as a tool of instrument/. */
#include "profiler.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* softcc makes the linker look for this name (-u). */
const char softgpu_with_profile = 1;

static void on_access(const volatile void *p, uint32_t bytes, uint32_t flags,
                      uintptr_t pc, uintptr_t frame)
{
    if (softgpu_tls.block)
        profile_access(p, bytes, flags, pc, frame);
    else
        profile_host_access(bytes);
}

/* A long access (a struct, memcpy) counts as what a card would make of it:
 * accesses to words, or to bytes. */
static void on_range(const volatile void *p, size_t bytes, uint32_t flags,
                     uintptr_t pc, uintptr_t frame)
{
    const volatile char *at = p, *end = at + bytes;
    const size_t part = (((uintptr_t)p | bytes) & 3) == 0 ? 4 : 1;

    if (!softgpu_tls.block && !(flags & ACCESS_LIBRARY))
        profile_host_access(bytes);
    else if (softgpu_tls.block && softgpu_tls.block->profile)
        for (; at < end; at += part)
            profile_access(at, (uint32_t)part, flags, pc, frame);
}

static int print(void)
{
    profile_print_report();
    return 0;
}

static void add_json(struct json_t *report)
{
    json_object_set_new(report, "kernels", profile_json());
    json_object_set_new(report, "timeline", profile_timeline_json());
}

static struct softgpu_tool profiler = {
    .hooks = &profile_hooks,
    .access = on_access,
    .range = on_range,
    .basic_block = profile_basic_block,
    .parameters = profile_set_parameters,
    .print = print,
    .add_json = add_json,
    .write_report = profile_write_page,
};

/* After the checker, whose findings are printed first.  SOFTGPU_PROFILE=0: its
 * findings alone are wanted, and nothing is counted.  Of a program without a
 * checker nothing would be left. */
__attribute__((constructor(102))) static void register_profiler(void)
{
    const char *wanted = getenv("SOFTGPU_PROFILE");

    if (!softgpu_tools || !wanted || strcmp(wanted, "0"))
        softgpu_register_tool(&profiler);
}
