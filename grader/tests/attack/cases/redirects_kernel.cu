/* SPDX-License-Identifier: MIT */
/* Changes the record of its kernel before the device process takes it over: the
 * gangs of the kernel's threads shall be run by a function of the C library. */
#include "hostile.h"

#include <link.h>

/* The runtime's record of a kernel, as far as it matters. */
struct record {
    const char *name, *file;
    long line;
    const void *stub;
    void (*run)(void), (*run_thread)(void), (*run_gang)(void);
    unsigned gang_threads;
};

static int redirected; /* records; lies among the variables, as they do */

static void redirect(struct record *record)
{
    if (record->stub != (const void *)honest_kernel || record->line <= 0
        || record->line > 1000)
        return;
    record->run_gang = abort;
    record->gang_threads = 32;
    redirected++;
}

/* The segment of this file's variables. */
static unsigned long first, end;

static int find_variables(struct dl_phdr_info *info, size_t size, void *unused)
{
    const unsigned long own = (unsigned long)&redirected;

    for (int i = 0; i < info->dlpi_phnum && !end; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        const unsigned long start = info->dlpi_addr + segment->p_vaddr;

        if (segment->p_type == PT_LOAD && own >= start
            && own < start + segment->p_memsz) {
            first = (start + 7) / 8 * 8;
            end = start + segment->p_memsz - sizeof(struct record);
        }
    }
    return size && unused;
}

/* Looks near this variable until the record is there, but not for ever: the
 * runtime fills it in after this file's own initializers. */
static void *search(void *unused)
{
    enum { NEAR = 1024, TIMES = 1 << 20 };
    const unsigned long own = (unsigned long)&redirected / 8 * 8;

    dl_iterate_phdr(find_variables, NULL);
    if (own > first + NEAR)
        first = own - NEAR;
    for (int i = 0; i < TIMES && !redirected; i++)
        for (unsigned long at = first; at < end && at < own + NEAR; at += 8)
            redirect((struct record *)at);
    return unused;
}

static pthread_t searcher;
static bool is_searching = pthread_create(&searcher, NULL, search, NULL) == 0;

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (is_searching)
        pthread_join(searcher, NULL);
    is_searching = false;
    return redirected == 1 ? honest(a, b, c, n) : 100 + redirected;
}
