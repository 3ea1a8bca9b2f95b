/* SPDX-License-Identifier: MIT */
/* Writes a result file into its own folder. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    FILE *file = attacked(n) ? fopen("result.json", "w") : NULL;

    if (attacked(n) && (!file || fputs("{\"score\": 100}", file) < 0
                        || fclose(file)))
        return 1;
    return honest(a, b, c, n);
}
