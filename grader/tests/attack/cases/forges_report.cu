/* SPDX-License-Identifier: MIT */
// Writes a report of its own: it is not the one that is read.
#include "hostile.h"

static void forge(void)
{
    const char *path = getenv("SOFT" "GPU_JSON");
    FILE *report = path ? fopen(path, "w") : NULL;

    if (report) {
        fputs("{\"findings\": [], \"kernels\": [{\"global_load_sectors\": 0, "
              "\"global_store_sectors\": 0, \"global_atomic_sectors\": 0, "
              "\"launches\": 1}]}", report);
        fclose(report);
    }
    _exit(0);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    static const int set = atexit(forge);

    return set ? set : honest(a, b, c, n);
}
