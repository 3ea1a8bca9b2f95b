/* SPDX-License-Identifier: MIT */
/** @file
 *  The modeled time line.
 */
#include "timeline.h"

#include <time.h>

#include "common/softgpu/core/hooks.h"
#include "remote.h"

#define COPY_LATENCY_NS 1500 /* duration of a small pinned copy */
#define MIN_SPAN_NS 100      /* shorter host activities are not reported */
#define NOISE_NS 100000      /* shorter gaps between two calls do not count */

const char *const softgpu_engine_names[] = {"memory", "to device", "to host",
                                            "kernels", "host"};
_Thread_local unsigned long long softgpu_current_stream_id;

static uint64_t host_ns;
static uint64_t last_call_end_ns; /* measured time of the last call's end */

static uint64_t monotonic_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t softgpu_host_ns(void)
{
    return host_ns;
}

/* Advance the host's clock by the modeled time of its code. */
static void advance_by_model(uint64_t ns)
{
    const struct softgpu_activity activity = {.engine = SOFTGPU_HOST_CODE,
                                      .name = "host", .begin = host_ns,
                                      .end = host_ns + ns};
    host_ns += ns;
    if (ns >= MIN_SPAN_NS)
        SOFTGPU_HOOK(span, (&activity));
}

void softgpu_host_call_begin(void)
{
    if (softgpu_hooks && softgpu_hooks->host_ns) {
        advance_by_model(softgpu_remote ? softgpu_remote_ns
                                        : softgpu_hooks->host_ns());
        softgpu_remote_ns = 0;
        return;
    }
    const uint64_t gap =
        last_call_end_ns ? monotonic_ns() - last_call_end_ns : 0;
    if (gap >= NOISE_NS)
        host_ns += gap;
}

void softgpu_host_call_end(void)
{
    last_call_end_ns = monotonic_ns();
}

void softgpu_host_advance(uint64_t ns)
{
    host_ns += ns;
}

void softgpu_host_advance_to(uint64_t ns)
{
    if (ns > host_ns)
        host_ns = ns;
}

uint64_t softgpu_copy_ns(uint64_t bytes, double gbs)
{
    return COPY_LATENCY_NS + (uint64_t)((double)bytes / gbs);
}

static uint64_t schedule_on_engine(uint64_t *free_at,
                                   const struct softgpu_span *span)
{
    const uint64_t begin = span->ready > *free_at ? span->ready : *free_at;
    *free_at = begin + span->length;
    return *free_at;
}

/* Occupied share of the SMs at a time; *next is the first end after it. */
static double occupied_share(const struct softgpu_engines *e, uint64_t at,
                             uint64_t *next)
{
    double share = 0;
    *next = UINT64_MAX;
    for (unsigned i = 0; i < SOFTGPU_CONCURRENT_KERNELS; i++)
        if (e->kernels[i].end > at) {
            share += e->kernels[i].share;
            if (e->kernels[i].end < *next)
                *next = e->kernels[i].end;
        }
    return share;
}

/* A kernel starts as soon as enough SMs are free for its blocks. */
static uint64_t schedule_kernel(struct softgpu_engines *e,
                                const struct softgpu_span *span)
{
    uint64_t begin = span->ready, next;
    while (occupied_share(e, begin, &next) + span->share > 1.0 + 1e-9
           && next != UINT64_MAX)
        begin = next;
    const unsigned slot = e->next++ % SOFTGPU_CONCURRENT_KERNELS;
    e->kernels[slot].end = begin + span->length;
    e->kernels[slot].share = span->share;
    return begin + span->length;
}

uint64_t softgpu_schedule_span(struct softgpu_engines *engines,
                               const struct softgpu_span *span)
{
    switch (span->engine) {
    case SOFTGPU_TO_DEVICE:
        return schedule_on_engine(&engines->to_device, span);
    case SOFTGPU_TO_HOST:
        return schedule_on_engine(&engines->to_host, span);
    case SOFTGPU_SMS:
        return schedule_kernel(engines, span);
    default:
        return span->ready + span->length;
    }
}
