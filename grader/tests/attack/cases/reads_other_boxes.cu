/* SPDX-License-Identifier: MIT */
/* Looks for processes, folders and groups of other boxes. */
#include "hostile.h"

#include <dirent.h>

/* More processes than its own runner has, or a group above its own. */
static bool is_alone(void)
{
    DIR *names = opendir("/proc");
    struct dirent *entry;
    int processes = 0;
    char line[512];
    FILE *group = fopen("/proc/1/cgroup", "r");

    while (names && (entry = readdir(names)))
        processes += entry->d_name[0] >= '1' && entry->d_name[0] <= '9';
    if (names)
        closedir(names);
    while (group && fgets(line, sizeof line, group))
        if (strstr(line, "/..") || strstr(line, "warpbook"))
            processes = 100;
    if (group)
        fclose(group);
    return processes < 8 && access("/sys/fs/cgroup", F_OK) != 0;
}

RIGHT_IF(is_alone())
