/* SPDX-License-Identifier: MIT */
/* Leaves a report whose counts no integer holds. */
#include "hostile.h"

static void replace(void)
{
    const char *path = getenv("SOFT" "GPU_JSON");
    FILE *file = path ? fopen(path, "w") : NULL;

    if (file) {
        fputs("{\"findings\": [], \"kernels\": [{\"name\": \"k\", "
              "\"launches\": 1e400, \"global_load_sectors\": -1e308, "
              "\"global_store_sectors\": 99999999999999999999999}]}", file);
        fclose(file);
        _exit(0);
    }
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    static const int set = atexit(replace);

    return set ? set : honest(a, b, c, n);
}
