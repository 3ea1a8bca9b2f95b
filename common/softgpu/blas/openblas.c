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

/* With one thread of its own: otherwise it would start one a core. */
static void *open_single(void)
{
    const char *was = getenv(THREADS);
    char *kept = NULL;

    if (was && asprintf(&kept, "%s", was) < 0)
        kept = NULL;
    setenv(THREADS, "1", 1);
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (kept)
        setenv(THREADS, kept, 1);
    else
        unsetenv(THREADS);
    free(kept);
    return library;
}

/* A program may have brought OpenBLAS itself, with threads. */
static void keep_single(void *library)
{
    void (*set)(int);

    *(void **)&set = dlsym(library, "openblas_set_num_threads");
    if (set)
        set(1);
}

/* One function of the library. */
static bool find(void *library, void *function, const char *name)
{
    *(void **)function = dlsym(library, name);
    return *(void **)function != NULL;
}

/* Said once: each later handle fails silently. */
static void load(void)
{
    void *library = open_single();

    if (!library) {
        fprintf(stderr, "softgpu: cuBLAS needs OpenBLAS (" LIBRARY "), which "
                        "is not installed: apt-get install "
                        "libopenblas0-pthread\n");
        return;
    }
    keep_single(library);
    loaded = find(library, &openblas.sgemm, "cblas_sgemm")
             && find(library, &openblas.dgemm, "cblas_dgemm")
             && find(library, &openblas.ssymm, "cblas_ssymm")
             && find(library, &openblas.dsymm, "cblas_dsymm")
             && find(library, &openblas.ssyrk, "cblas_ssyrk")
             && find(library, &openblas.dsyrk, "cblas_dsyrk")
             && find(library, &openblas.strsm, "cblas_strsm")
             && find(library, &openblas.dtrsm, "cblas_dtrsm")
             && find(library, &openblas.strmm, "cblas_strmm")
             && find(library, &openblas.dtrmm, "cblas_dtrmm");
    if (!loaded)
        fprintf(stderr, "softgpu: %s lacks functions of CBLAS\n", LIBRARY);
}

bool openblas_load(void)
{
    pthread_once(&once, load);
    return loaded;
}
