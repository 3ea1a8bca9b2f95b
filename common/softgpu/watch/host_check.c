/* SPDX-License-Identifier: MIT */
/* Checks of host code: accesses to device memory, wrong arguments of API calls,
 * launch errors never checked, leaks. */
#include "host_check.h"

#include <stdlib.h>
#include <string.h>

#include "common/softgpu/core/code_range.h"
#include "common/softgpu/core/source_line.h"
#include "common/softgpu/core/symbols.h"
#include "common/softgpu/host/graph_memory.h"
#include "common/softgpu/host/host_access.h"
#include "common/softgpu/host/remote.h"
#include "common/softgpu/host/stream.h"
#include "common/softgpu/instrument/tool.h"
#include "allocations.h"
#include "cuda_runtime_api.h"
#include "initcheck.h"
#include "managed_race.h"
#include "synccheck.h"

/** The last launch error, until the program reads it. */
static struct {
    int error;
    uintptr_t site;
} ignored_error;

/** The checker ended the program before it could free anything. */
static int ended_early;

/** The status that the program exits with. */
static int exit_status;

static void keep_exit_status(int status, void *unused)
{
    (void)unused;
    exit_status = status;
}

void host_check_init(void)
{
    on_exit(keep_exit_status, NULL);
}

/* Report an access to memory of an asynchronous copy that the host has not
 * synchronized with. */
static void check_copy_in_flight(const volatile void *p, uint32_t bytes,
                                 uint32_t flags, uintptr_t pc)
{
    const int writes = (flags & ACCESS_WRITE) != 0;
    const void *site = softgpu_copy_in_flight((const void *)p, bytes, writes);
    const struct softgpu_finding finding = {.kind = SOFTGPU_FIND_RACE_HOST,
                                            .pc = pc,
                                            .other = (uintptr_t)site};

    if (site)
        softgpu_report_finding(
            &finding,
            "%s by host code while an asynchronous copy may "
            "still be running: synchronize with its stream first",
            writes ? "write" : "read");
}

/* Report an access to a __device__ variable.  On a GPU host code has only a
 * shadow variable, which kernels do not see. */
static void check_device_variable(const struct softgpu_symbol *symbol,
                                  const struct access *a)
{
    const struct softgpu_finding finding = {.kind = SOFTGPU_FIND_DEVICE_POINTER,
                                            .pc = a->pc};

    if (symbol && symbol->kind == SOFTGPU_DEVICE_VARIABLE)
        softgpu_report_finding(
            &finding,
            "%s by host code of the device's variable %s: use "
            "cudaMemcpyToSymbol or cudaMemcpyFromSymbol",
            watch_access_text(a), symbol->name);
}

void check_host_access(const volatile void *p, uint32_t bytes, uint32_t flags,
                       uintptr_t pc)
{
    const struct access a = {.bytes = bytes, .flags = flags, .pc = pc};
    struct allocation *w;
    struct softgpu_finding finding = {.kind = SOFTGPU_FIND_DEVICE_POINTER,
                                      .pc = pc};

    if (softgpu_remote)
        return; /* the program's host code runs in another process */
    if (!is_device_address((uintptr_t)p)) {
        if (softgpu_is_in_image((uintptr_t)p))
            check_device_variable(softgpu_symbol_at((const void *)p), &a);
        check_copy_in_flight(p, bytes, flags, pc);
        managed_race_host((const void *)p, bytes, flags, pc);
        return;
    }
    if (softgpu_host_has_access())
        return;
    w = allocation_find((uintptr_t)p, 1);
    if (w)
        finding.other = w->allocated_at;
    softgpu_report_finding(&finding,
                           "%s by host code: device memory is reached by "
                           "cudaMemcpy only; the program cannot go on",
                           watch_access_text(&a));
    ended_early = 1;
    exit(EXIT_FAILURE); /* exit handlers print the report */
}

static void report(enum softgpu_finding_kind kind, uintptr_t site,
                   const char *text)
{
    struct softgpu_finding finding = {.kind = kind, .pc = site};

    softgpu_report_finding(&finding, "%s", text);
}

/* --- leaks ---------------------------------------------------------------- */

enum { MAX_LEAK_LINES = 256 }; /* source lines whose leaks are added up */

/** Memory that one source line allocates and nothing frees. */
static struct leak {
    struct source_line line;
    size_t bytes, count;
} leaks[MAX_LEAK_LINES];
static int leak_lines;

static int is_leak(const struct allocation *w)
{
    return !w->free_refused
           && !softgpu_graph_memory_is_free((const void *)w->base)
           && (w->kind == SOFTGPU_DEVICE_MEMORY || w->kind == SOFTGPU_MANAGED);
}

/* The sum of the line that an allocation comes from; NULL: too many lines. */
static struct leak *find_leak(const struct allocation *w)
{
    struct source_line line;
    int i = 0;

    softgpu_source_line(w->allocated_at, &line);
    while (i < leak_lines
           && (leaks[i].line.line != line.line
               || leaks[i].line.column != line.column
               || strcmp(leaks[i].line.file, line.file)))
        i++;
    if (i == MAX_LEAK_LINES)
        return NULL;
    leak_lines += i == leak_lines;
    leaks[i].line = line;
    return &leaks[i];
}

static void add_leak(const struct allocation *w)
{
    struct leak *leak = is_leak(w) ? find_leak(w) : NULL;

    if (leak) {
        leak->bytes += w->end - w->base;
        leak->count++;
    }
}

static void report_leak(const struct allocation *w)
{
    const struct leak *leak = is_leak(w) ? find_leak(w) : NULL;
    const struct softgpu_finding finding = {.kind = SOFTGPU_FIND_LEAK,
                                            .pc = w->allocated_at};

    if (leak && leak->count > 1)
        softgpu_report_finding(&finding,
                               "%zu bytes in %zu allocations made here are "
                               "never freed", leak->bytes, leak->count);
    else if (leak)
        softgpu_report_finding(&finding,
                               "%zu byte%s allocated here %s never freed",
                               leak->bytes, leak->bytes == 1 ? "" : "s",
                               leak->bytes == 1 ? "is" : "are");
}

static void report_ignored_error(void)
{
    if (ignored_error.error)
        report(SOFTGPU_FIND_LAUNCH_IGNORED, ignored_error.site,
               cudaGetErrorString((cudaError_t)ignored_error.error));
    ignored_error.error = 0;
}

void host_at_exit(void)
{
    report_ignored_error();
    if (ended_early || softgpu_is_aborting
        || (exit_status && (softgpu_remote || synccheck_any_failed())))
        return; /* the program, or its host process, gave up */
    allocation_each_live(add_leak);
    allocation_each_live(report_leak);
}

void host_launch_failed(int error)
{
    report_ignored_error();
    ignored_error.error = error;
    ignored_error.site = (uintptr_t)softgpu_call_site;
}

void host_error_read(void) { ignored_error.error = 0; }

static void report_bad_free(const void *p, uintptr_t site)
{
    struct allocation *allocation = allocation_find((uintptr_t)p, 1);
    int is_double_free = allocation && allocation->base == (uintptr_t)p
                         && allocation->freed_at;
    struct softgpu_finding finding = {
        .kind = is_double_free ? SOFTGPU_FIND_DOUBLE_FREE
                               : SOFTGPU_FIND_BAD_FREE,
        .pc = site,
        .other = is_double_free ? allocation->freed_at : 0,
    };

    softgpu_report_finding(&finding,
                           is_double_free
                               ? "this memory is freed already"
                               : "cudaFree of %p, where no allocation begins",
                           p);
}

/* Where in which memory the bytes of a copy or fill begin, as the size may be
 * right and the pointer wrong. */
static void report_past_end(struct softgpu_finding *finding, uintptr_t p)
{
    static const char *const kinds[] = {
        [SOFTGPU_DEVICE_MEMORY] = "device", [SOFTGPU_PINNED] = "pinned host",
        [SOFTGPU_MANAGED] = "managed"};
    const struct allocation *holds = allocation_find(p, 0);
    const struct allocation *a = holds ? holds : allocation_nearest(p);

    finding->kind = SOFTGPU_FIND_COPY_SIZE;
    if (!a || p < a->base || (size_t)a->kind >= sizeof kinds / sizeof *kinds
        || !kinds[a->kind])
        softgpu_report_finding(finding, "the bytes end past the end of the "
                               "allocation");
    else if (p < a->end)
        softgpu_report_finding(finding, "the bytes begin at byte %zu of an "
                               "allocation of %zu bytes of %s memory, and end "
                               "past its end", p - a->base, a->end - a->base,
                               kinds[a->kind]);
    else
        softgpu_report_finding(finding, "the bytes begin %zu bytes past the "
                               "end of an allocation of %zu bytes of %s "
                               "memory: an index added to a pointer counts "
                               "elements, not bytes", p - a->end,
                               a->end - a->base, kinds[a->kind]);
}

/* A copy or fill of bytes outside one allocation. */
static void report_bad_size(const void *p, uintptr_t site)
{
    const struct allocation *allocation = allocation_find((uintptr_t)p, 1);
    struct softgpu_finding finding = {.kind = SOFTGPU_FIND_USE_AFTER_FREE,
                                      .pc = site};

    if (!allocation || !allocation->freed_at) {
        report_past_end(&finding, (uintptr_t)p);
        return;
    }
    finding.other = allocation->freed_at;
    softgpu_report_finding(&finding, "copy or fill of freed memory");
}

void host_check_refused(enum softgpu_refusal what, const void *p)
{
    uintptr_t site = (uintptr_t)softgpu_call_site;

    if (what == SOFTGPU_REFUSED_BY_FAULT)
        allocation_note_refused_free(p);
    else if (what == SOFTGPU_REFUSED_FREE)
        report_bad_free(p, site);
    else if (what == SOFTGPU_REFUSED_DIRECTION)
        report(SOFTGPU_FIND_COPY_DIRECTION, site,
               "the copy's kind does not match where its pointers point");
    else if (what == SOFTGPU_REFUSED_PART)
        report(SOFTGPU_FIND_COPY_SIZE, site,
               "cudaHostRegister() registered only a part of this host "
               "memory: is its size in bytes?");
    else
        report_bad_size(p, site);
}

void host_check_memset(void *dst, int value, size_t bytes)
{
    uintptr_t site = (uintptr_t)softgpu_call_site;
    struct softgpu_finding finding = {.kind = SOFTGPU_FIND_MEMSET_VALUE,
                                      .pc = site};

    if (value < -128 || value > 255)
        softgpu_report_finding(&finding,
                               "every byte becomes %d, the low byte of %d",
                               value & 0xff, value);
    initcheck_memset(dst, bytes, site);
}
