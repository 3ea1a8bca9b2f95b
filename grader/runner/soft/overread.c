/* SPDX-License-Identifier: MIT */
/* What lies behind an array up to the next page is mapped: a copy that reads it
 * does not fail here, but may on another day. */
#include "overread.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/softgpu/core/hooks.h"
#include "grader/runner/resources.h"
#include "grader/runner/variant.h"
#include "remote_call.h"

enum { PAGE = 4096 };

/* An array of the call in host memory. */
struct read_array {
    const char *at; /* NULL: none */
    size_t bytes;
    size_t first, end; /* what copies past its end read; 0: none did */
    const char *call;  /* the first of them */
    const void *site;
};

static struct read_array arrays[FRAME_MAX_ARGS];

void overread_forget(void)
{
    memset(arrays, 0, sizeof arrays);
}

void overread_add(unsigned index, const void *at, size_t bytes)
{
    arrays[index] = (struct read_array){.at = at, .bytes = bytes};
}

/* The name by which a program calls it: templates of the header call others. */
static const char *public_name(const char *call)
{
    static const char *const names[][2] = {
        {"softgpu_copy_symbol", "cudaMemcpyToSymbol"},
        {"softgpu_copy_symbol_async", "cudaMemcpyToSymbolAsync"}};

    for (size_t i = 0; call && i < sizeof names / sizeof *names; i++)
        if (!strcmp(call, names[i][0]))
            return names[i][1];
    return call;
}

/* From its start on, the bytes up to those of the next array. */
static size_t room_of(const struct read_array *a)
{
    const uintptr_t start = (uintptr_t)a->at;
    const uintptr_t end =
        start + (a->bytes ? a->bytes : 1) + runner_guard_bytes;

    return (end + PAGE - 1) / PAGE * PAGE - start;
}

void overread_note(const void *host, size_t bytes)
{
    for (unsigned i = 0; bytes && i < FRAME_MAX_ARGS; i++) {
        struct read_array *a = &arrays[i];
        const size_t offset = (size_t)((const char *)host - a->at);

        if (!a->at || offset >= room_of(a) || offset + bytes <= a->bytes)
            continue;
        if (!a->end) {
            a->first = offset;
            a->call = public_name(remote_performed());
            a->site = softgpu_remote_site;
        }
        if (offset + bytes > a->end)
            a->end = offset + bytes;
    }
}

void overread_report(struct facts *facts)
{
    for (unsigned i = FRAME_MAX_ARGS; i-- > 0;) {
        const struct read_array *a = &arrays[i];

        if (!a->end)
            continue;
        facts->overread = 1u << i;
        facts->overread_first = a->first;
        facts->overread_end = a->end;
        if (a->call)
            describe_call_site(a->call, a->site, facts->overread_text);
        if (strstr(facts->overread_text, ", runtime_overloads.h:"))
            snprintf(facts->overread_text, FACT_SIZE, "%s", a->call);
    }
}
