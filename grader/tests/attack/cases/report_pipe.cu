/* SPDX-License-Identifier: MIT */
/* Leaves a pipe in place of the report of its instrumented run. */
#include "hostile.h"

static void replace(void)
{
    const char *path = getenv("SOFT" "GPU_JSON");

    if (path) {
        unlink(path);
        (void)!mkfifo(path, 0666);
        _exit(0);
    }
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    static const int set = atexit(replace);

    return set ? set : honest(a, b, c, n);
}
