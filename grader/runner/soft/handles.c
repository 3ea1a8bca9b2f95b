/* SPDX-License-Identifier: MIT */
/* Handles that the device process gave to the host process: no other number of
 * the host's is taken for one. */
#include "handles.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

enum { FIRST_NUMBER = 1 << 20, NUMBER_STEP = 64 };

/* A handle that the host process may use.  One that was destroyed may be
 * destroyed again, which the list of resources records. */
struct handle {
    uint64_t value, number;
    char type; /* remote_call.h has the letters */
    bool is_destroyed;
};

static struct {
    struct handle *known;
    size_t count, capacity;
    uint64_t given; /* numbers, in all */
    pthread_mutex_t lock;
} handles = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The one that can be used, or NULL.  The latest are asked for the most. */
static struct handle *find_value(uint64_t value, char type)
{
    for (size_t i = handles.count; i-- > 0;) {
        struct handle *handle = &handles.known[i];

        if (handle->value == value && handle->type == type
            && !handle->is_destroyed)
            return handle;
    }
    return NULL;
}

static struct handle *find_number(uint64_t number, char type)
{
    for (size_t i = handles.count; i-- > 0;)
        if (handles.known[i].number == number && handles.known[i].type == type)
            return &handles.known[i];
    return NULL;
}

static struct handle *append(uint64_t value, char type)
{
    if (handles.count == handles.capacity) {
        handles.capacity = handles.capacity ? 2 * handles.capacity : 64;
        handles.known = realloc(handles.known,
                                handles.capacity * sizeof *handles.known);
        if (!handles.known)
            abort();
    }
    handles.known[handles.count] = (struct handle){
        value, FIRST_NUMBER + NUMBER_STEP * handles.given++, type, false};
    return &handles.known[handles.count++];
}

uint64_t add_handle(uint64_t value, char type, bool is_new)
{
    struct handle *handle;
    uint64_t number;

    pthread_mutex_lock(&handles.lock);
    handle = is_new ? NULL : find_value(value, type);
    if (!handle)
        handle = append(value, type);
    number = handle->number;
    pthread_mutex_unlock(&handles.lock);
    return number;
}

uint64_t check_handle(uint64_t number, char type, enum handle_use use)
{
    struct handle *handle;
    uint64_t value = 0;

    pthread_mutex_lock(&handles.lock);
    handle = number ? find_number(number, type) : NULL;
    /* what was destroyed may be the address of another one by now */
    if (handle && (!handle->is_destroyed
                   || (use == DESTROY && !find_value(handle->value, type))))
        value = handle->value;
    if (handle && use == DESTROY)
        handle->is_destroyed = true;
    if (handle && use == FORGET)
        *handle = handles.known[--handles.count];
    pthread_mutex_unlock(&handles.lock);
    return value;
}
