/* SPDX-License-Identifier: MIT */
/* The watchers come in: a program linked with them sets the runtime's hooks
 * before main() and tells what was found when it ends. */
#include "../core/hooks.h"

#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

#include "grid.h"
#include "host.h"
#include "order.h"
#include "place.h"
#include "race.h"

enum { EXIT_FOUND = 86 };

static void grid_end(const struct run *run, int error)
{
    race_settle();
    order_end_grid(run);
    if (error)
        sync_failed(run, &run->fault, error);
}

static void memory(const struct softgpu_allocation *a, int alive)
{
    uintptr_t site = (uintptr_t)softgpu_call_site;

    if (alive)
        place_allocated(a, site);
    else
        place_freed(a, site);
}

static const struct softgpu_hooks hooks = {
    .grid_begin = order_begin_grid,
    .grid_end = grid_end,
    .block_begin = grid_block_begin,
    .block_end = grid_block_end,
    .barrier = sync_barrier,
    .memory = memory,
    .copied = place_copied,
    .refused = host_refused,
    .launch_failed = host_launch_failed,
    .error_read = host_error_read,
};

static void write_json(const char *path)
{
    json_t *report = json_pack("{s:i, s:o, s:[]}", "schema", 1, "findings",
                               softgpu_findings_json(), "kernels");

    if (!report || json_dump_file(report, path, JSON_INDENT(1)) != 0)
        fprintf(stderr, "softgpu: %s: cannot write the report\n", path);
    json_decref(report);
}

static void tell(void)
{
    const char *path = getenv("SOFTGPU_JSON");

    host_at_exit();
    fflush(NULL);
    softgpu_findings_text(stderr);
    if (path && *path)
        write_json(path);
    fflush(NULL);
    if (softgpu_finding_groups())
        _exit(EXIT_FOUND);
}

/* Before other constructors, so that the report is the last thing done. */
__attribute__((constructor(101))) static void begin(void)
{
    softgpu_hooks = &hooks;
    atexit(tell);
}
