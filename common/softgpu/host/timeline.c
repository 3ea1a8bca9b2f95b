/* SPDX-License-Identifier: MIT */
/** @file
 *  The modelled time line.
 */
#include "timeline.h"

#include <time.h>

#include "../core/hooks.h"

#define COPY_LATENCY_NS 1500 /* a small pinned copy on the engine itself */
#define SHOWN_NS 100         /* of the host's: less is no piece of work */
#define NOISE_NS 100000      /* less between two calls is not counted */

const char *const softgpu_engine_words[] = {"memory", "to device", "to host",
                                            "kernels", "host"};
unsigned long long softgpu_turn_stream;

static uint64_t host_ns;
static uint64_t left_at; /* real time at which the last call ended */

static uint64_t real_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t softgpu_host_ns(void)
{
    return host_ns;
}

/* The host's work in between, by what it did instead of by the clock. */
static void work_modelled(uint64_t ns)
{
    const struct softgpu_seen seen = {.engine = SOFTGPU_HOST_CODE,
                                      .name = "host", .begin = host_ns,
                                      .end = host_ns + ns};
    host_ns += ns;
    if (ns >= SHOWN_NS)
        SOFTGPU_HOOK(span, (&seen));
}

void softgpu_host_enter(void)
{
    if (softgpu_hooks && softgpu_hooks->host_ns) {
        work_modelled(softgpu_hooks->host_ns());
        return;
    }
    const uint64_t gap = left_at ? real_ns() - left_at : 0;
    if (gap >= NOISE_NS)
        host_ns += gap;
}

void softgpu_host_leave(void)
{
    left_at = real_ns();
}

void softgpu_host_spend(uint64_t ns)
{
    host_ns += ns;
}

void softgpu_host_wait(uint64_t ns)
{
    if (ns > host_ns)
        host_ns = ns;
}

uint64_t softgpu_copy_ns(uint64_t bytes, double gbs)
{
    return COPY_LATENCY_NS + (uint64_t)((double)bytes / gbs);
}

static uint64_t serve(uint64_t *free_at, const struct softgpu_span *span)
{
    const uint64_t begin = span->ready > *free_at ? span->ready : *free_at;
    *free_at = begin + span->length;
    return *free_at;
}

/* Share of the SMs that is taken at a time; *next is the first end after it. */
static double taken(const struct softgpu_engines *e, uint64_t at,
                    uint64_t *next)
{
    double share = 0;
    *next = UINT64_MAX;
    for (unsigned i = 0; i < SOFTGPU_RUNNING; i++)
        if (e->kernels[i].end > at) {
            share += e->kernels[i].share;
            if (e->kernels[i].end < *next)
                *next = e->kernels[i].end;
        }
    return share;
}

/* A kernel begins as soon as its blocks find room beside the others'. */
static uint64_t run_beside(struct softgpu_engines *e,
                           const struct softgpu_span *span)
{
    uint64_t begin = span->ready, next;
    while (taken(e, begin, &next) + span->share > 1.0 + 1e-9
           && next != UINT64_MAX)
        begin = next;
    const unsigned slot = e->next++ % SOFTGPU_RUNNING;
    e->kernels[slot].end = begin + span->length;
    e->kernels[slot].share = span->share;
    return begin + span->length;
}

uint64_t softgpu_place(struct softgpu_engines *engines,
                       const struct softgpu_span *span)
{
    switch (span->engine) {
    case SOFTGPU_TO_DEVICE:
        return serve(&engines->to_device, span);
    case SOFTGPU_TO_HOST:
        return serve(&engines->to_host, span);
    case SOFTGPU_SMS:
        return run_beside(engines, span);
    default:
        return span->ready + span->length;
    }
}
