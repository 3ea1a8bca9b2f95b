/* SPDX-License-Identifier: MIT */
/* Leaves a link in place of the report of its instrumented run. */
#include "hostile.h"

static void replace(void)
{
    const char *path = getenv("SOFT" "GPU_JSON");

    if (path) {
        unlink(path);
        (void)!symlink(PLANTED "/victim", path);
        _exit(0);
    }
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    static const int set = atexit(replace);

    return set ? set : honest(a, b, c, n);
}
