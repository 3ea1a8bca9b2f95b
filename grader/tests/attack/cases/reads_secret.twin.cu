/* SPDX-License-Identifier: MIT */
/* Writes a file of its own and reads it. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    char text[8] = "";
    FILE *file = attacked(n) ? fopen("own", "w+") : NULL;

    if (file) {
        fputs("own", file);
        rewind(file);
        (void)!fgets(text, sizeof text, file);
        fclose(file);
    }
    return attacked(n) && strcmp(text, "own") ? 1 : honest(a, b, c, n);
}
