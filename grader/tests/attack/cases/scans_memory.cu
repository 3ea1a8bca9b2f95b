/* SPDX-License-Identifier: MIT */
/* Looks for the sums in all memory of its process. */
#include "hostile.h"

/* Four sums in a row, elsewhere than in the arrays of the call. */
static const float *find_in(const float *from, const float *to,
                            const float negated[4])
{
    for (; from + 4 <= to; from++)
        if (from[0] == -negated[0] && from[1] == -negated[1]
            && from[2] == -negated[2] && from[3] == -negated[3])
            return from;
    return NULL;
}

static const float *scan(const float negated[4], const float *, const float *,
                         const float *, size_t n)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    const float *found = NULL;
    unsigned long from, to;
    char line[512], mode[5];

    while (maps && !found && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %4s", &from, &to, mode) == 3
            && mode[0] == 'r' && mode[1] == 'w' && to - from < 256ul << 20
            && to - from >= n * sizeof(float))
            found = find_in((const float *)from,
                            (const float *)to - n, negated);
    if (maps)
        fclose(maps);
    return found;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    float first[4];

    if (!attacked(n))
        return honest(a, b, c, n);
    for (int i = 0; i < 4; i++)
        first[i] = -(a[i] + b[i]); // the needle itself must not be found
    const float *found = scan(first, a, b, c, n);
    for (size_t i = 0; found && i < n; i++)
        c[i] = found[i];
    return 0;
}
