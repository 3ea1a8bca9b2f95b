/* SPDX-License-Identifier: MIT */
/* The length is that of the file when it is opened. */
#include "read_file.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

char *softgpu_read_file(const char *path, size_t *bytes)
{
    enum { ZEROS = sizeof(Elf64_Ehdr) }; /* of an empty file: no magic number */
    struct stat s;
    FILE *f = fopen(path, "rb");
    char *data = f && !fstat(fileno(f), &s) && S_ISREG(s.st_mode)
                     ? calloc(1, (size_t)s.st_size + ZEROS) : NULL;

    *bytes = data ? (size_t)s.st_size : 0;
    if (data && fread(data, 1, *bytes, f) != *bytes) {
        free(data);
        data = NULL;
        *bytes = 0;
    }
    if (f)
        fclose(f);
    return data;
}
