/* SPDX-License-Identifier: MIT */
/** @file
 *  The call of a library that runs, and one line for each that is refused, and
 *  each reason.
 */
#include "call.h"
#include "library.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MAX_NOTES = 32, LENGTH = 320 };

SOFTGPU_TLS const char *softgpu_library_name = "a library call";

int softgpu_library_enter(const void *caller, const char *name)
{
    const int is_outer = !softgpu_library_site;

    if (is_outer) {
        softgpu_library_site = caller;
        softgpu_library_name = name;
    }
    softgpu_call_site = softgpu_library_site;
    return is_outer;
}

void softgpu_library_leave(const int *is_outer)
{
    if (*is_outer)
        softgpu_library_site = NULL;
}

/* Is this text printed for the first time?  After MAX_NOTES none is. */
static bool is_new(const char *text)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static char notes[MAX_NOTES][LENGTH];
    static int count;
    int i = 0;

    pthread_mutex_lock(&lock);
    while (i < count && strcmp(notes[i], text))
        i++;
    const bool result = i == count && count < MAX_NOTES;
    if (result)
        memcpy(notes[count++], text, strlen(text) + 1);
    pthread_mutex_unlock(&lock);
    return result;
}

void softgpu_library_refuse(const char *why)
{
    char text[LENGTH];

    snprintf(text, sizeof text, "%s() is not supported with these arguments: "
             "%s,", softgpu_library_name, why);
    if (is_new(text))
        softgpu_warn_at_call(text);
}

void softgpu_library_refuse_call(const char *call, const char *why)
{
    char text[LENGTH];

    snprintf(text, sizeof text, "%s() is not supported with these arguments: "
             "%s", call, why);
    if (is_new(text))
        fprintf(stderr, "softgpu: %s\n", text);
}
