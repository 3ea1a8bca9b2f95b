/* SPDX-License-Identifier: MIT */
/* Where CCCL is.  Its folder comes before CUDA's headers, since libcu++ has
 * some of the same names; so it is added only for programs that ask for it. */
#define _GNU_SOURCE
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cccl.h"

static const char *folder; /* of CCCL, once it is needed and found */

/* A folder with CCCL alone: a whole Toolkit is none. */
static bool is_cccl_folder(const char *path)
{
    char *version = concatenate(path, "/thrust/version.h", "");
    char *toolkit = concatenate(path, "/cuda_runtime.h", "");
    const bool good =
        access(version, R_OK) == 0 && access(toolkit, F_OK) != 0;
    free(version);
    free(toolkit);
    return good;
}

/* The first folder that matches a pattern below `root`; NULL: none. */
static const char *search(const char *root, const char *pattern)
{
    glob_t found;
    const char *result = NULL;
    if (!root || !*root)
        return NULL;
    char *path = concatenate(root, pattern, "");
    if (glob(path, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc && !result; i++)
            if (is_cccl_folder(found.gl_pathv[i]))
                result = concatenate(found.gl_pathv[i], "", "");
        globfree(&found);
    }
    free(path);
    return result;
}

static const char *search_all(void)
{
    static const char packages[] =
        "/lib/python3*/site-packages/nvidia/c*/include/cccl";
    static const char older[] =
        "/lib/python3*/site-packages/nvidia/cuda_cccl/include";
    const char *home = getenv("HOME");
    char *local = concatenate(home ? home : "", "/.local", "");
    const char *const roots[] = { getenv("VIRTUAL_ENV"), local, "/usr/local" };
    const char *found = search(getenv("SOFTCC_CCCL"), "");
    if (!found)
        found = search("/usr/local/cuda/include/cccl", "");
    for (size_t i = 0; i < sizeof roots / sizeof *roots && !found; i++) {
        found = search(roots[i], packages);
        found = found ? found : search(roots[i], older);
    }
    free(local);
    return found;
}

bool find_cccl(const struct buffer *err)
{
    static const char words[] = "fatal error: ";
    static const char *const headers[] = { "thrust/", "cub/", "cuda/std/",
                                           "nv/target" };
    const char *fatal = err->bytes ? strstr(err->bytes, words) : NULL;
    bool misses = false;
    if (folder || !fatal)
        return false;
    fatal += strlen(words);
    while (*fatal == '\033') /* colors */
        fatal += strcspn(fatal, "mK") + 1;
    fatal += *fatal == '\''; /* clang */
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        misses |= strncmp(fatal, headers[i], strlen(headers[i])) == 0;
    folder = misses ? search_all() : NULL;
    return folder != NULL;
}

bool uses_cub(const struct buffer *text)
{
    static const char part[] = "/cub/";
    return text->bytes && memmem(text->bytes, text->length, part,
                                 sizeof part - 1);
}

void add_cccl(struct list *argv, const char *include)
{
    list_append(argv, concatenate("-I", include, "/softgpu/cccl"));
    if (folder)
        list_append(argv, concatenate("-I", folder, ""));
}
