/* SPDX-License-Identifier: MIT */
/* Handles that the device process gave to the host process: no other pointer of
 * the host's is taken for one. */
#include "handles.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* A handle that the host process may use.  One that was destroyed may be
 * destroyed again, which the list of resources records. */
struct handle {
    uint64_t value;
    char type; /* remote_call.h has the letters */
    bool is_destroyed;
};

static struct {
    struct handle *known;
    size_t count, capacity;
    pthread_mutex_t lock;
} handles = {.lock = PTHREAD_MUTEX_INITIALIZER};

void add_handle(uint64_t value, char type)
{
    pthread_mutex_lock(&handles.lock);
    if (handles.count == handles.capacity) {
        handles.capacity = handles.capacity ? 2 * handles.capacity : 64;
        handles.known = realloc(handles.known,
                                handles.capacity * sizeof *handles.known);
        if (!handles.known)
            abort();
    }
    handles.known[handles.count++] = (struct handle){value, type, false};
    pthread_mutex_unlock(&handles.lock);
}

/* The latest are asked for the most. */
uint64_t check_handle(uint64_t value, char type, enum handle_use use)
{
    bool found = false;

    pthread_mutex_lock(&handles.lock);
    for (size_t i = handles.count; value && !found && i-- > 0;) {
        struct handle *handle = &handles.known[i];

        found = handle->value == value && handle->type == type;
        if (!found)
            continue;
        if (use == USE && handle->is_destroyed)
            value = 0;
        if (use == DESTROY)
            handle->is_destroyed = true;
        if (use == FORGET)
            *handle = handles.known[--handles.count];
    }
    pthread_mutex_unlock(&handles.lock);
    return found ? value : 0;
}
