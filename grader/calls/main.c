/* SPDX-License-Identifier: MIT */
/* lab-calls STEM LAB.INI STUB.C THUNK.C: write both ends of a lab's calls. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"

/* Opens a file, has `write` fill it, and closes it. */
static int write_file(const char *path, const char *stem,
                      const struct contract *contract,
                      void (*write)(FILE *, const char *,
                                    const struct contract *))
{
    FILE *out = fopen(path, "w");

    if (out)
        write(out, stem, contract);
    if (out && !ferror(out) && !fclose(out))
        return EXIT_SUCCESS;
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    static struct contract contract;
    char error[CONTRACT_ERROR];

    if (argc != 5) {
        fputs("usage: lab-calls STEM LAB.INI STUB.C THUNK.C\n", stderr);
        return EXIT_FAILURE;
    }
    if (!contract_read(argv[2], &contract, error)) {
        fprintf(stderr, "%s\n", error);
        return EXIT_FAILURE;
    }
    if (write_file(argv[3], argv[1], &contract, write_stubs))
        return EXIT_FAILURE;
    return write_file(argv[4], argv[1], &contract, write_thunk);
}
