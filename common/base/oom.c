/* SPDX-License-Identifier: MIT */
/* The kernel's counters of out-of-memory kills. */
#include "oom.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Reads "oom_kill N", a line of the file.  @return false if there is none */
static bool read_counter(const char *path, unsigned long *count)
{
    FILE *file = fopen(path, "re");
    char line[256];
    bool found = false;

    while (file && !found && fgets(line, sizeof line, file))
        found = sscanf(line, "oom_kill %lu", count) == 1;
    if (file)
        fclose(file);
    return found;
}

/* A line of /proc/self/cgroup is "ID:CONTROLLERS:PATH".
 *  @return the path of the memory controller's group, or NULL */
static const char *memory_group(char *line, bool *is_version_2)
{
    char *controllers = strchr(line, ':'), *path;

    if (!controllers || !(path = strchr(controllers + 1, ':')))
        return NULL;
    *path++ = 0;
    path[strcspn(path, "\n")] = 0;
    *is_version_2 = controllers[1] == 0;
    return *is_version_2 || !strcmp(controllers + 1, "memory") ? path : NULL;
}

/* The counters of our control group, which a container may show at the top.
 * @return false if there is none */
static bool find_group(char *path, size_t bytes)
{
    FILE *file = fopen("/proc/self/cgroup", "re");
    char line[PATH_MAX];
    bool found = false, is_version_2 = false;
    unsigned long count;

    while (file && !found && fgets(line, sizeof line, file)) {
        const char *group = memory_group(line, &is_version_2);

        for (int top = 0; group && !found && top < 2; top++) {
            snprintf(path, bytes, "/sys/fs/cgroup%s%s/%s",
                     is_version_2 ? "" : "/memory", top ? "" : group,
                     is_version_2 ? "memory.events" : "memory.oom_control");
            found = read_counter(path, &count);
        }
    }
    if (file)
        fclose(file);
    return found;
}

unsigned long oom_kills(void)
{
    static char path[PATH_MAX + 64]; /* as the first reading found it */
    static pid_t reader;
    unsigned long count = 0;

    if (reader != getpid() && !find_group(path, sizeof path))
        strcpy(path, "/proc/vmstat");
    reader = getpid();
    read_counter(path, &count);
    return count;
}
