/* SPDX-License-Identifier: MIT */
/* Overwrites the memory that both processes share, but for the turns: the
 * device process trusts nothing in it. */
#include "hostile.h"

/* Overwrite a mapping of less than 1 MiB from its second page on. */
static void overwrite(const char *line)
{
    unsigned long begin, end;
    char rights[8];

    if (sscanf(line, "%lx-%lx %7s", &begin, &end, rights) == 3
        && !strcmp(rights, "rw-s") && end - begin < 1 << 20)
        memset((char *)begin + 4096, 0xff, end - begin - 8192);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    char line[512];
    FILE *maps = attacked(n) ? fopen("/proc/self/maps", "r") : NULL;

    while (maps && fgets(line, sizeof line, maps))
        overwrite(line);
    if (maps)
        fclose(maps);
    return honest(a, b, c, n);
}
