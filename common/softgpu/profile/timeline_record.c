/* SPDX-License-Identifier: MIT */
#include "timeline_record.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "common/softgpu/host/device.h"
#include "common/softgpu/host/library.h"
#include "launch_record.h"
#include "profiler.h"
#include "report.h"

enum { MAX_SPANS = 4000 }; /* of a report of 1 MiB */

#define HOST_BYTES_PER_NS 20

static SOFTGPU_TLS uint64_t host_bytes;

static struct {
    struct softgpu_activity spans[MAX_SPANS];
    size_t count;        /* later ones are only added to `busy` */
    uint64_t begin, end; /* of the first span and of the last one */
    uint64_t busy[SOFTGPU_ENGINES];
    uint64_t calls;
} recorded = {.begin = UINT64_MAX};

/* --- duration of a launch ------------------------------------------------ */

/* Library calls have no counters: the least time for their operations and
 * bytes. */
static uint64_t library_call_ns(const struct softgpu_library_call *call)
{
    return (uint64_t)(1000 * model_library_us(softgpu_card(), call->operations,
                                              call->bytes));
}

uint64_t launch_modeled_ns(const struct softgpu_grid *grid)
{
    const struct softgpu_library_call *call =
        softgpu_library_call_of(grid->kernel, grid->closure);

    return call ? library_call_ns(call) : (uint64_t)(1000 * last_launch_us());
}

/* --- host code ----------------------------------------------------------- */

void profile_host_access(uint64_t bytes)
{
    host_bytes += bytes;
}

uint64_t consume_host_ns(void)
{
    static int begun; /* the timeline begins with the first call */
    const uint64_t ns = begun ? host_bytes / HOST_BYTES_PER_NS : 0;

    begun = 1;
    host_bytes = 0;
    return ns;
}

void timeline_count_call(void)
{
    recorded.calls++;
}

/* --- timeline ------------------------------------------------------------ */

void timeline_add_span(const struct softgpu_activity *span)
{
    if (recorded.count < MAX_SPANS)
        recorded.spans[recorded.count++] = *span;
    recorded.busy[span->engine] += span->end - span->begin;
    if (span->engine == SOFTGPU_HOST_CODE)
        /* host code before the first copy is not part of the timeline */
        return;
    if (span->begin < recorded.begin)
        recorded.begin = span->begin;
    if (span->end > recorded.end)
        recorded.end = span->end;
}

static json_int_t timeline_ns(void)
{
    return recorded.end > recorded.begin
               ? (json_int_t)(recorded.end - recorded.begin)
               : 0;
}

struct json_t *timeline_json(void)
{
    json_t *spans = json_array(), *busy = json_object();

    for (size_t i = 0; i < recorded.count; i++) {
        const struct softgpu_activity *s = &recorded.spans[i];

        json_array_append_new(
            spans, json_pack("[I,s,s,I,I,I]", (json_int_t)s->stream,
                             softgpu_engine_names[s->engine], s->name,
                             (json_int_t)s->begin, (json_int_t)s->end,
                             (json_int_t)s->bytes));
    }
    for (int i = 0; i < SOFTGPU_ENGINES; i++)
        json_object_set_new(busy, softgpu_engine_names[i],
                            json_integer((json_int_t)recorded.busy[i]));
    return json_pack("{s:I, s:I, s:I, s:o, s:o}", "ns", timeline_ns(),
                     "until_ns", (json_int_t)recorded.end, "calls",
                     (json_int_t)recorded.calls, "busy_ns", busy, "spans",
                     spans);
}

void timeline_print(FILE *out)
{
    json_t *timeline = timeline_json();

    profile_print_timeline(out, timeline, softgpu_card(), text_columns(out));
    json_decref(timeline);
}
