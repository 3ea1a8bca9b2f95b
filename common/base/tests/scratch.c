/* SPDX-License-Identifier: MIT */
/* See scratch.h. */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "scratch.h"

static char folder[] = "/tmp/warpbook-common-XXXXXX";

/* For nftw(), contents before their folder. */
static int remove_one(const char *path, const struct stat *status, int type,
                      struct FTW *place)
{
    (void)status, (void)type, (void)place;
    return remove(path);
}

/* At the end of the program. */
static void remove_folder(void)
{
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

char *scratch_path(char path[PATH_BYTES], const char *name)
{
    static bool made;

    if (!made) {
        made = mkdtemp(folder) != NULL;
        CU_ASSERT_FATAL(made);
        atexit(remove_folder);
    }
    snprintf(path, PATH_BYTES, "%s/%s", folder, name);
    return path;
}

char *scratch_file(char path[PATH_BYTES], const char *name, const void *data,
                   size_t bytes)
{
    FILE *file = fopen(scratch_path(path, name), "wb");

    CU_ASSERT_PTR_NOT_NULL(file);
    if (file) {
        CU_ASSERT_EQUAL(fwrite(data, 1, bytes, file), bytes);
        fclose(file);
    }
    return path;
}

void copy_prefix(const char *from, const char *to, size_t bytes,
                 unsigned char flip)
{
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");

    CU_ASSERT(in && out);
    for (size_t i = 0; in && out && i < bytes; i++) {
        int c = fgetc(in);
        fputc(i + 1 == bytes ? c ^ flip : c, out);
    }
    if (in) fclose(in);
    if (out) fclose(out);
}

size_t file_size(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 ? (size_t)status.st_size : 0;
}

void expect_message(const struct failure *failure, const char *path,
                    const char *fragment)
{
    bool told = strncmp(failure->text, path, strlen(path)) == 0 &&
                strstr(failure->text, fragment) &&
                !strchr(failure->text, '\n');

    CU_ASSERT(told);
    if (!told)
        printf("\n    said \"%s\", wanted \"%s ... %s\"\n", failure->text,
               path, fragment);
}
