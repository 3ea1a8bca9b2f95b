/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "openblas.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libopenblas.so.0"
#define THREADS "OPENBLAS_NUM_THREADS"
#define KERNELS "OPENBLAS_CORETYPE"

struct openblas openblas;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool loaded;
static void *library; /* open until the program ends */

/* Load OpenBLAS with a single thread; by default it starts one per core. */
static void *open_single_threaded(void)
{
    const char *was = getenv(THREADS);
    char *saved = NULL;

    if (was && asprintf(&saved, "%s", was) < 0)
        saved = NULL;
    setenv(THREADS, "1", 1);
    void *opened = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (saved)
        setenv(THREADS, saved, 1);
    else
        unsetenv(THREADS);
    free(saved);
    return opened;
}

/* OpenBLAS knows processors by their models, and takes one that is newer than
 * itself for a Prescott, of 2004: its kernels have no AVX.
 * @return the kernels to ask for, or NULL: those that it has chosen are right */
static const char *better_kernels(void)
{
#ifdef __x86_64__
    const char *(*chosen)(void);

    *(void **)&chosen = dlsym(library, "openblas_get_corename");
    if (!chosen || getenv(KERNELS) || strcmp(chosen(), "Prescott") != 0)
        return NULL;
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512vl"))
        return "SkylakeX";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return "Haswell";
#endif
    return NULL;
}

/* Kernels are chosen while the library is loaded: load it again. */
static void choose_kernels(void)
{
    const char *name = better_kernels();

    if (!name)
        return;
    setenv(KERNELS, name, 1);
    dlclose(library);
    library = open_single_threaded();
    unsetenv(KERNELS);
}

/* The program may have loaded OpenBLAS before, with several threads. */
static void set_single_thread(void)
{
    void (*set)(int);

    *(void **)&set = dlsym(library, "openblas_set_num_threads");
    if (set)
        set(1);
}

/* Look up a function of the library. */
static bool find_symbol(void *function, const char *name)
{
    *(void **)function = dlsym(library, name);
    return *(void **)function != NULL;
}

/* The message is printed once: later calls fail silently. */
static void load_once(void)
{
    library = open_single_threaded();
    if (library)
        choose_kernels();
    if (!library) {
        fprintf(stderr, "softgpu: cuBLAS and cuSOLVER need OpenBLAS (" LIBRARY
                        "), which is not installed: apt-get install "
                        "libopenblas0-pthread\n");
        return;
    }
    set_single_thread();
    loaded = find_symbol(&openblas.sgemm, "cblas_sgemm")
             && find_symbol(&openblas.dgemm, "cblas_dgemm")
             && find_symbol(&openblas.cgemm, "cblas_cgemm")
             && find_symbol(&openblas.zgemm, "cblas_zgemm");
    if (!loaded)
        fprintf(stderr, "softgpu: %s lacks functions of CBLAS\n", LIBRARY);
}

bool openblas_load(void)
{
    pthread_once(&once, load_once);
    return loaded;
}

void *openblas_symbol(const char *name)
{
    return openblas_load() ? dlsym(library, name) : NULL;
}
