/* SPDX-License-Identifier: MIT */
/* Tasks and memory in use, from sysinfo(), and memory that is available. */
#include "machine_use.h"

#include <stdio.h>
#include <sys/sysinfo.h>
#include <time.h>

struct machine_use machine_use_now(void)
{
    struct sysinfo now;

    if (sysinfo(&now))
        return (struct machine_use){0};
    return (struct machine_use){now.procs, now.freeram * now.mem_unit};
}

bool machine_use_grew(const struct machine_use *since, unsigned tasks,
                      size_t bytes)
{
    const struct machine_use now = machine_use_now();
    const short more = (short)(now.tasks - since->tasks);

    return (more > 0 && (unsigned)more >= tasks)
           || (now.free < since->free && since->free - now.free >= bytes);
}

size_t machine_available(void)
{
    enum { OLD = 60 };
    static time_t read_at;
    static unsigned long long kb;
    const time_t now = time(NULL);
    char line[128];
    FILE *file;

    if (read_at && now - read_at < OLD)
        return (size_t)kb * 1024;
    read_at = now;
    kb = 0;
    file = fopen("/proc/meminfo", "re");
    while (file && fgets(line, sizeof line, file)
           && sscanf(line, "MemAvailable: %llu kB", &kb) != 1)
        ;
    if (file)
        fclose(file);
    return (size_t)kb * 1024;
}
