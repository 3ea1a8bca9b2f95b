/* SPDX-License-Identifier: MIT */
/* Write the synthetic look-alike of Fashion-MNIST, four files in a folder.
 * Compiled and executed by datasets/generate. */
#include "common/data/lookalike.h"

#include <stdio.h>
#include <stdlib.h>

/* Parse a positive integer; 0 if it is none. */
static size_t number(const char *text)
{
    char *end;
    long long value = strtoll(text, &end, 10);

    return *end || value < 0 ? 0 : (size_t)value;
}

int main(int argc, char **argv)
{
    struct failure why = {""};

    if (argc != 4 || !number(argv[2]) || !number(argv[3])) {
        fputs("usage: lookalike FOLDER TRAIN-IMAGES TEST-IMAGES\n", stderr);
        return 2;
    }
    if (!lookalike_write(argv[1], number(argv[2]), number(argv[3]), &why)) {
        fprintf(stderr, "lookalike: %s\n", why.text);
        return 1;
    }
    return 0;
}
