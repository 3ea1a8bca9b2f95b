/* SPDX-License-Identifier: MIT */
/* Reads the list of its own memory. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    FILE *maps = attacked(n) ? fopen("/proc/self/maps", "r") : NULL;
    char line[512];
    int lines = 0;

    while (maps && fgets(line, sizeof line, maps))
        lines++;
    if (maps)
        fclose(maps);
    return attacked(n) && !lines ? 1 : honest(a, b, c, n);
}
