/* SPDX-License-Identifier: MIT */
/** @file
 *  Loading libdw.
 */
#define _GNU_SOURCE
#include "libdw.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

static struct softgpu_libdw functions;

/* POSIX lets dlsym()'s result be stored in a function pointer this way. */
static bool load_function(void *library, const char *name, void *pointer)
{
    *(void **)pointer = dlsym(library, name);
    return *(void **)pointer != NULL;
}

/* libdw is loaded when the first location is asked for: most programs need
 * none. */
static bool load_all(void)
{
    void *library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    bool complete = library != NULL;

#define X(name) \
    complete = complete && load_function(library, #name, &functions.name);
    SOFTGPU_LIBDW_FUNCTIONS(X)
#undef X
    return complete;
}

const struct softgpu_libdw *softgpu_load_libdw(void)
{
    static bool tried, loaded;

    if (!tried)
        loaded = load_all();
    tried = true;
    return loaded ? &functions : NULL;
}
