/* SPDX-License-Identifier: MIT */
/* Reads folders, /proc and the places of control groups. */
#include "left_behind.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/text.h"

int left_names(const char *path, const char *start)
{
    DIR *all = opendir(path);
    struct dirent *entry;
    int count = 0;

    while (all && (entry = readdir(all)))
        count += !strncmp(entry->d_name, start, strlen(start));
    if (all)
        closedir(all);
    return count;
}

/* Does the command line of the process hold the word? */
static int has_word(const char *pid, const char *word)
{
    char path[300], text[256];
    ssize_t got;
    int fd;

    text_format(path, sizeof path, "/proc/%s/cmdline", pid);
    fd = atoi(pid) > 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    got = fd < 0 ? 0 : read(fd, text, sizeof text);
    if (fd >= 0)
        close(fd);
    return got > 0 && memmem(text, (size_t)got, word, strlen(word));
}

int left_processes(const char *word)
{
    DIR *all = opendir("/proc");
    struct dirent *entry;
    int count = 0;

    while (all && (entry = readdir(all)))
        count += has_word(entry->d_name, word);
    if (all)
        closedir(all);
    return count;
}

int left_groups(void)
{
    static const char *const places[] = {
        "/sys/fs/cgroup", "/sys/fs/cgroup/memory", "/sys/fs/cgroup/pids",
        "/sys/fs/cgroup/cpu", "/sys/fs/cgroup/unified"};
    char start[64];
    int count = 0;

    /* as grader/box/cgroup_hierarchies.c names them */
    text_format(start, sizeof start, "warpbook.%d.", (int)getpid());
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        count += left_names(places[i], start);
    return count;
}
