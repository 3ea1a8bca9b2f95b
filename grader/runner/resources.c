/* SPDX-License-Identifier: MIT */
/* The list of resources that the submission's call has created, in order. */
#include "resources.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "device.h"

enum { MAX_RESOURCES = 1024 };

/** A resource. */
struct resource {
    const void *handle, *site; /* site: of the call that created it */
    const char *call;
    bool is_memory, is_released;
};

static struct {
    struct resource list[MAX_RESOURCES];
    size_t count;
    struct resource again; /* released a second time; site and call of that */
    struct resource failed; /* site and call of the call that failed */
    unsigned calls, failing_call;
    bool is_complete; /* the list has all, also those that were released */
} state;

/* Threads of a submission call at once. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void resources_reset(unsigned failing_call)
{
    state.count = 0;
    state.calls = 0;
    state.is_complete = true;
    state.failing_call = failing_call & FAILING_KERNEL ? 0 : failing_call;
    state.again = state.failed = (struct resource){0};
    if (fail_kernel(failing_call & FAILING_KERNEL
                        ? failing_call & ~FAILING_KERNEL : 0)
        && failing_call & FAILING_KERNEL)
        state.failed.call = "a kernel, when it runs";
}

bool resources_call_fails(const char *call, const void *site)
{
    if (!device_in_submission()
        || __atomic_add_fetch(&state.calls, 1, __ATOMIC_RELAXED)
               != state.failing_call)
        return false;
    state.failed = (struct resource){.site = site, .call = call};
    return true;
}

bool resources_has_failed(const char *call)
{
    return device_in_submission() && state.failed.call
           && !strcmp(state.failed.call, call);
}

/* The newest with this handle: the runtime reuses addresses. */
static struct resource *find(const void *handle)
{
    for (size_t i = state.count; i-- > 0;)
        if (state.list[i].handle == handle)
            return &state.list[i];
    return NULL;
}

/* Any that was released, when the list is full; or NULL. */
static struct resource *find_released(void)
{
    for (size_t i = 0; i < state.count; i++)
        if (state.list[i].is_released)
            return &state.list[i];
    return NULL;
}

static void add(const struct resource *resource)
{
    struct resource *known = find(resource->handle);

    if (known && !known->is_released)
        return;
    if (state.count < MAX_RESOURCES) {
        state.list[state.count++] = *resource;
        return;
    }
    state.is_complete = false;
    known = known ? known : find_released();
    if (known)
        *known = *resource;
}

void resources_created(const char *call, const void *handle, const void *site,
                       bool is_memory)
{
    if (!device_in_submission() || !handle)
        return;
    pthread_mutex_lock(&lock);
    add(&(struct resource){handle, site, call, is_memory, false});
    pthread_mutex_unlock(&lock);
}

bool resources_released(const char *call, const void *handle,
                        const void *site)
{
    struct resource *known;
    bool first = true;

    if (!device_in_submission() || !handle)
        return true;
    pthread_mutex_lock(&lock);
    known = find(handle);
    if (known && known->is_released) {
        state.again = (struct resource){.site = site, .call = call};
        first = false;
    } else if (known) {
        known->is_released = true;
    }
    pthread_mutex_unlock(&lock);
    return first;
}

/* Append how many of those that the same line has created were not released: an
 * unrolled loop has it several times. */
static void describe_share(char *text)
{
    size_t all = 0, left = 0, length = strlen(text);

    for (size_t i = 0; i < state.count; i++) {
        const struct resource *r = &state.list[i];
        char other[FACT_SIZE] = "";

        describe_call_site(r->call, r->site, other);
        if (strcmp(other, text))
            continue;
        all++;
        left += !r->is_released;
    }
    if (all > 1 && state.is_complete)
        snprintf(text + length, FACT_SIZE - length,
                 " (%zu of the %zu from there)", left, all);
}

/* The first of a kind that was not released. */
static void describe_first(bool is_memory, char *text)
{
    for (size_t i = 0; i < state.count; i++) {
        const struct resource *r = &state.list[i];

        if (r->is_released || r->is_memory != is_memory)
            continue;
        describe_call_site(r->call, r->site, text);
        if (!is_memory)
            describe_share(text);
        return;
    }
}

void resources_report(struct facts *facts)
{
    facts->unreleased = 0;
    for (size_t i = 0; i < state.count; i++)
        facts->unreleased +=
            !state.list[i].is_released && !state.list[i].is_memory;
    describe_first(true, facts->leaked_text);
    describe_first(false, facts->unreleased_text);
    if (state.again.call)
        describe_call_site(state.again.call, state.again.site,
                           facts->released_twice_text);
    if (state.failed.call)
        describe_call_site(state.failed.call, state.failed.site,
                           facts->failed_text);
}
