/* SPDX-License-Identifier: MIT */
#include "live.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "../host/device.h"
#include "../host/library.h"
#include "../watch/modes.h"
#include "grid.h"
#include "kernels.h"
#include "report.h"

enum { SPANS_MOST = 20000, SHAPES = 8 };

#define HOST_BYTES_A_NS 20

static SOFTGPU_TLS uint64_t host_bytes;

static struct {
    struct softgpu_seen spans[SPANS_MOST];
    size_t count;    /* of them; what follows is only summed up */
    uint64_t begin, end; /* of the first and of the last */
    uint64_t busy[SOFTGPU_ENGINES];
    uint64_t calls;
} line = {.begin = UINT64_MAX};

/* --- how long a launch takes --------------------------------------------- */

/** What was found for a kernel of so many threads. */
struct shape {
    const struct softgpu_kernel *kernel;
    uint64_t threads;
    uint64_t ns;
    struct shape *next;
};

static struct shape *shapes;

static uint64_t volume(dim3 d)
{
    return (uint64_t)d.x * d.y * d.z;
}

/* The record's launches so far, modelled, as one of this many threads. */
static uint64_t model(const struct kernel_record *r, uint64_t threads)
{
    struct kernel_profile k;
    const double share = (double)threads / (double)r->threads;

    profile_kernel(r, &k);
    const double us = k.model.us - model_start_us(&k);
    profile_kernel_free(&k);
    return us > 0 ? (uint64_t)(us * 1000 * share) : 0;
}

/* Of the calls of libraries nothing is counted: what their operations and
 * their bytes take at least. */
static uint64_t library_ns(const struct softgpu_library_call *call)
{
    return (uint64_t)(1000 * model_library_us(softgpu_card(), call->operations,
                                              call->bytes));
}

uint64_t live_modelled_ns(const struct softgpu_grid *grid)
{
    const uint64_t threads = volume(grid->grid) * volume(grid->block);
    const struct softgpu_library_call *call =
        softgpu_library_of(grid->kernel, grid->closure);
    const struct kernel_record *r = profile_records();
    struct shape *s = shapes;

    if (call)
        return library_ns(call);
    while (s && (s->kernel != grid->kernel || s->threads != threads))
        s = s->next;
    if (s)
        return s->ns;
    while (r && r->kernel != grid->kernel)
        r = r->next;
    if (!r || !r->threads || (s = calloc(1, sizeof *s)) == NULL)
        return 0;
    *s = (struct shape){grid->kernel, threads, model(r, threads), shapes};
    shapes = s;
    return s->ns;
}

/* --- the host --------------------------------------------------------------- */

void profile_host_access(uint64_t bytes)
{
    host_bytes += bytes;
}

uint64_t live_host_ns(void)
{
    static int begun; /* the time line begins with the first call */
    const uint64_t ns = begun ? host_bytes / HOST_BYTES_A_NS : 0;

    begun = 1;
    host_bytes = 0;
    return ns;
}

void live_queued(void)
{
    line.calls++;
}

/* --- the time line ------------------------------------------------------------ */

void live_span(const struct softgpu_seen *seen)
{
    if (line.count < SPANS_MOST)
        line.spans[line.count++] = *seen;
    line.busy[seen->engine] += seen->end - seen->begin;
    if (seen->engine == SOFTGPU_HOST_CODE)
        return; /* before the first copy it is no part of it */
    if (seen->begin < line.begin)
        line.begin = seen->begin;
    if (seen->end > line.end)
        line.end = seen->end;
}

static json_int_t length(void)
{
    return line.end > line.begin ? (json_int_t)(line.end - line.begin) : 0;
}

struct json_t *live_json(void)
{
    json_t *spans = json_array(), *busy = json_object();

    for (size_t i = 0; i < line.count; i++) {
        const struct softgpu_seen *s = &line.spans[i];

        json_array_append_new(
            spans, json_pack("[I,s,s,I,I,I]", (json_int_t)s->stream,
                             softgpu_engine_words[s->engine], s->name,
                             (json_int_t)s->begin, (json_int_t)s->end,
                             (json_int_t)s->bytes));
    }
    for (int i = 0; i < SOFTGPU_ENGINES; i++)
        json_object_set_new(busy, softgpu_engine_words[i],
                            json_integer((json_int_t)line.busy[i]));
    return json_pack("{s:I, s:I, s:I, s:o, s:o}", "ns", length(), "until_ns",
                     (json_int_t)line.end, "calls", (json_int_t)line.calls,
                     "busy_ns", busy, "spans", spans);
}

void live_text(FILE *out)
{
    json_t *timeline = live_json();

    profile_timeline_text(out, timeline, softgpu_card());
    json_decref(timeline);
}
