/* SPDX-License-Identifier: MIT */
/* Reads which memory it has. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    char line[512];
    FILE *maps = attacked(n) ? fopen("/proc/self/maps", "r") : NULL;
    int lines = 0;

    while (maps && fgets(line, sizeof line, maps))
        lines++;
    if (maps)
        fclose(maps);
    return maps && !lines ? 1 : honest(a, b, c, n);
}
