/* SPDX-License-Identifier: MIT */
/* Leaves a report of 15 MiB. */
#include "hostile.h"

static void replace(void)
{
    const char *path = getenv("SOFT" "GPU_JSON");
    FILE *file = path ? fopen(path, "w") : NULL;

    if (file) {
        for (int i = 0; i < 15 << 14; i++)
            fprintf(file, "%01024d", 0);
        fclose(file);
        _exit(0);
    }
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    static const int set = atexit(replace);

    return set ? set : honest(a, b, c, n);
}
