/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "openblas.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define LIBRARY "libopenblas.so.0"
#define THREADS "OPENBLAS_NUM_THREADS"

struct openblas openblas;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool loaded;

/* Load OpenBLAS with a single thread; by default it starts one per core. */
static void *open_single_threaded(void)
{
    const char *was = getenv(THREADS);
    char *saved = NULL;

    if (was && asprintf(&saved, "%s", was) < 0)
        saved = NULL;
    setenv(THREADS, "1", 1);
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (saved)
        setenv(THREADS, saved, 1);
    else
        unsetenv(THREADS);
    free(saved);
    return library;
}

/* The program may have loaded OpenBLAS before, with several threads. */
static void set_single_thread(void *library)
{
    void (*set)(int);

    *(void **)&set = dlsym(library, "openblas_set_num_threads");
    if (set)
        set(1);
}

/* Look up a function of the library. */
static bool find_symbol(void *library, void *function, const char *name)
{
    *(void **)function = dlsym(library, name);
    return *(void **)function != NULL;
}

/* The message is printed once: later calls fail silently. */
static void load_once(void)
{
    void *library = open_single_threaded();

    if (!library) {
        fprintf(stderr, "softgpu: cuBLAS needs OpenBLAS (" LIBRARY "), which "
                        "is not installed: apt-get install "
                        "libopenblas0-pthread\n");
        return;
    }
    set_single_thread(library);
    loaded = find_symbol(library, &openblas.sgemm, "cblas_sgemm")
             && find_symbol(library, &openblas.dgemm, "cblas_dgemm")
             && find_symbol(library, &openblas.ssymm, "cblas_ssymm")
             && find_symbol(library, &openblas.dsymm, "cblas_dsymm")
             && find_symbol(library, &openblas.ssyrk, "cblas_ssyrk")
             && find_symbol(library, &openblas.dsyrk, "cblas_dsyrk")
             && find_symbol(library, &openblas.strsm, "cblas_strsm")
             && find_symbol(library, &openblas.dtrsm, "cblas_dtrsm")
             && find_symbol(library, &openblas.strmm, "cblas_strmm")
             && find_symbol(library, &openblas.dtrmm, "cblas_dtrmm");
    if (!loaded)
        fprintf(stderr, "softgpu: %s lacks functions of CBLAS\n", LIBRARY);
}

bool openblas_load(void)
{
    pthread_once(&once, load_once);
    return loaded;
}
