/* SPDX-License-Identifier: MIT */
/* Changes the record of its kernel before the device process takes it over: the
 * gangs of the kernel's threads shall be run by a function of the C library. */
#include "hostile.h"

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

/* Looks among the variables of this file until the record is there, but not for
 * ever: the runtime fills it in after this file's own initializers. */
static void *search(void *unused)
{
    enum { NEAR = 1024, TIMES = 1 << 20 };
    const unsigned long own = (unsigned long)&redirected / 8 * 8;

    for (int i = 0; i < TIMES && !redirected; i++)
        for (unsigned long at = own - NEAR; at < own + NEAR; at += 8)
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
