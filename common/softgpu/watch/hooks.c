/* SPDX-License-Identifier: MIT */
/* What the runtime tells is passed to the checks, to the profiler, or to
 * both; set up before main().  When the program ends they have their say. */
#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

#include "../host/device.h"
#include "modes.h"

enum { EXIT_FOUND = 86 };

/* The linker is asked for this name. */
const char softgpu_watching = 1;

/* --- both at once ----------------------------------------------------------- */

#define BOTH(name, parameters, arguments)      \
    static void both_##name parameters         \
    {                                          \
        if (check_hooks.name)                  \
            check_hooks.name arguments;        \
        profile_hooks.name arguments;          \
    }

BOTH(grid_begin, (const struct run *run), (run))
BOTH(grid_end, (const struct run *run, int error), (run, error))
BOTH(block_begin, (struct softgpu_block *block), (block))
BOTH(block_end, (struct softgpu_block *block), (block))
BOTH(barrier, (struct softgpu_block *block, const void *site), (block, site))
BOTH(async_copied, (void *to, const void *from, size_t n, const void *site),
     (to, from, n, site))

static const struct softgpu_hooks *both(void)
{
    static struct softgpu_hooks hooks;

    hooks = check_hooks; /* the rest is theirs alone */
    hooks.grid_begin = both_grid_begin;
    hooks.grid_end = both_grid_end;
    hooks.block_begin = both_block_begin;
    hooks.block_end = both_block_end;
    hooks.barrier = both_barrier;
    hooks.async_copied = both_async_copied;
    hooks.modelled_ns = profile_hooks.modelled_ns;
    hooks.host_ns = profile_hooks.host_ns;
    hooks.span = profile_hooks.span;
    hooks.queued = profile_hooks.queued;
    return &hooks;
}

/* --- the end ---------------------------------------------------------------- */

static json_t *make_report(void)
{
    const struct softgpu_card *card = softgpu_card(); /* of no device: NULL */

    return json_pack("{s:i, s:s, s:o, s:o, s:o, s:o}", "schema", 1,
                     "card", card ? card->key : "",
                     "findings", check_json ? check_json() : json_array(),
                     "sampled", check_sampled ? check_sampled() : json_null(),
                     "kernels", profile_json ? profile_json() : json_array(),
                     "timeline",
                     profile_timeline ? profile_timeline() : json_null());
}

static void write_json(const json_t *report)
{
    const char *path = getenv("SOFTGPU_JSON");

    if (!path || !*path)
        return;
    if (!report || json_dump_file(report, path, JSON_INDENT(1)) != 0)
        fprintf(stderr, "softgpu: %s: cannot write the report\n", path);
}

static void tell(void)
{
    int found = check_tell ? check_tell() : 0;
    json_t *report;

    fflush(NULL);
    if (profile_tell)
        profile_tell();
    report = make_report();
    write_json(report);
    if (profile_show && report)
        profile_show(report);
    json_decref(report);
    fflush(NULL);
    if (found)
        _exit(EXIT_FOUND);
}

/* Before other constructors, so that the report is the last thing done. */
__attribute__((constructor(101))) static void begin(void)
{
    if (!&check_hooks)
        softgpu_hooks = &profile_hooks;
    else
        softgpu_hooks = &profile_hooks ? both() : &check_hooks;
    atexit(tell);
}
