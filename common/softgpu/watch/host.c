/* SPDX-License-Identifier: MIT */
/* Watcher of the host's side: device memory touched by host code, errors that
 * nobody looked at, copies and frees that make no sense. */
#include "host.h"

#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "../core/symbols.h"
#include "../host/stream.h"
#include "grid.h"
#include "place.h"

/** The last launch error, while nobody has asked for it. */
static struct {
    int error;
    uintptr_t site;
} forgotten;

/** The program was ended before it could free anything. */
static int cut_short;

/* Memory that a copy needs which nobody has waited for. */
static void judge_in_flight(const volatile void *p, uint32_t bytes,
                            uint32_t flags, uintptr_t code)
{
    const int writes = (flags & ACCESS_WRITE) != 0;
    const void *site = softgpu_copy_in_flight((const void *)p, bytes, writes);
    const struct softgpu_sighting seen = {.kind = SOFTGPU_FIND_RACE_HOST,
                                          .code = code,
                                          .other = (uintptr_t)site};

    if (site)
        softgpu_find(&seen, "%s by host code while an asynchronous copy may "
                            "still be under way: wait for its stream first",
                     writes ? "write" : "read");
}

/* Here the host reaches a variable of the device; on a card it has a shadow
 * of it, which no kernel sees. */
static void judge_variable(const struct softgpu_symbol *symbol,
                           const struct access *a)
{
    const struct softgpu_sighting seen = {.kind = SOFTGPU_FIND_DEVICE_POINTER,
                                          .code = a->code};

    if (symbol && symbol->kind == SOFTGPU_DEVICE_VARIABLE)
        softgpu_find(&seen, "%s by host code of the device's variable %s: use "
                            "cudaMemcpyToSymbol or cudaMemcpyFromSymbol",
                     watch_words(a), symbol->name);
}

void host_access(const volatile void *p, uint32_t bytes, uint32_t flags,
                 uintptr_t code)
{
    const struct access a = {.bytes = bytes, .flags = flags, .code = code};
    struct watched *w;
    struct softgpu_sighting seen = {.kind = SOFTGPU_FIND_DEVICE_POINTER,
                                    .code = code};

    if (!watch_is_device_address((uintptr_t)p)) {
        if (watch_is_program((uintptr_t)p))
            judge_variable(softgpu_symbol_at((const void *)p), &a);
        judge_in_flight(p, bytes, flags, code);
        return;
    }
    w = watch_find((uintptr_t)p, 1);
    if (w)
        seen.other = w->allocated_at;
    softgpu_find(&seen, "%s by host code: device memory is reached by "
                        "cudaMemcpy only; the program cannot go on",
                 watch_words(&a));
    cut_short = 1;
    exit(EXIT_FAILURE); /* the report is written on the way */
}

static void find(enum softgpu_finding_kind kind, uintptr_t site,
                 const char *text)
{
    struct softgpu_sighting seen = {.kind = kind, .code = site};

    softgpu_find(&seen, "%s", text);
}

static void find_leak(const struct watched *w)
{
    struct softgpu_sighting seen = {.kind = SOFTGPU_FIND_LEAK,
                                    .code = w->allocated_at};

    if (w->kind == SOFTGPU_DEVICE_MEMORY || w->kind == SOFTGPU_MANAGED)
        softgpu_find(&seen, "%zu bytes allocated here are never freed",
                     (size_t)(w->end - w->base));
}

static void tell_forgotten(void)
{
    if (forgotten.error)
        find(SOFTGPU_FIND_LAUNCH_IGNORED, forgotten.site,
             cudaGetErrorString((cudaError_t)forgotten.error));
    forgotten.error = 0;
}

void host_at_exit(void)
{
    tell_forgotten();
    if (!sync_any_failed() && !cut_short)
        place_each_live(find_leak);
}

void host_launch_failed(int error)
{
    tell_forgotten();
    forgotten.error = error;
    forgotten.site = (uintptr_t)softgpu_call_site;
}

void host_error_read(void)
{
    forgotten.error = 0;
}

static void refused_free(const void *p, uintptr_t site)
{
    struct watched *old = watch_find((uintptr_t)p, 1);
    int again = old && old->base == (uintptr_t)p && old->freed_at;
    struct softgpu_sighting seen = {
        .kind = again ? SOFTGPU_FIND_DOUBLE_FREE : SOFTGPU_FIND_BAD_FREE,
        .code = site,
        .other = again ? old->freed_at : 0,
    };

    softgpu_find(&seen, again ? "this memory was freed before"
                              : "cudaFree of %p, which no allocation begins at",
                 p);
}

/* Copy or fill of bytes that are no one allocation's. */
static void refused_size(const void *p, uintptr_t site)
{
    const struct watched *old = watch_find((uintptr_t)p, 1);
    struct softgpu_sighting seen = {.kind = SOFTGPU_FIND_USE_AFTER_FREE,
                                    .code = site};

    if (!old || !old->freed_at) {
        find(SOFTGPU_FIND_COPY_SIZE, site,
             "the bytes end past the end of the allocation");
        return;
    }
    seen.other = old->freed_at;
    softgpu_find(&seen, "copy or fill of memory that was freed");
}

void host_refused(enum softgpu_refusal what, const void *p)
{
    uintptr_t site = (uintptr_t)softgpu_call_site;

    if (what == SOFTGPU_REFUSED_FREE)
        refused_free(p, site);
    else if (what == SOFTGPU_REFUSED_DIRECTION)
        find(SOFTGPU_FIND_COPY_DIRECTION, site,
             "the pointers do not lie where the copy's kind says");
    else
        refused_size(p, site);
}

void host_fill(void *dst, int value, size_t bytes)
{
    uintptr_t site = (uintptr_t)softgpu_call_site;
    struct softgpu_sighting seen = {.kind = SOFTGPU_FIND_MEMSET_VALUE,
                                    .code = site};

    if (value < -128 || value > 255)
        softgpu_find(&seen, "every byte becomes %d, the low byte of %d",
                     value & 0xff, value);
    place_fill_asked(dst, bytes, site);
}
