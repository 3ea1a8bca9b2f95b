/* SPDX-License-Identifier: MIT */
/** @file
 *  How much host memory the arenas may use, and where the program has some.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device.h"
#include "memory.h"

/* What the kernel could give away without swapping. */
static size_t available_memory(void)
{
    size_t bytes = (size_t)sysconf(_SC_AVPHYS_PAGES)
                   * (size_t)sysconf(_SC_PAGESIZE);
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    unsigned long long kb;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %llu kB", &kb) == 1)
            bytes = (size_t)kb * 1024;
    if (file)
        fclose(file);
    return bytes;
}

/* A control group may allow less than the machine has. */
size_t softgpu_usable_host_memory(void)
{
    static size_t limit;
    if (softgpu_is_sparse())
        return SIZE_MAX / 4;
    if (limit)
        return limit;
    unsigned long long group = 0;
    limit = (size_t)softgpu_host_memory_mib() << 20;
    if (!limit)
        limit = available_memory();
    FILE *file = fopen("/sys/fs/cgroup/memory.max", "r");
    if (file && fscanf(file, "%llu", &group) == 1 && group < limit)
        limit = group;
    if (file)
        fclose(file);
    limit = limit / 16 * 15;
    return limit;
}

int softgpu_ends_in_host_memory(const void *p, size_t bytes)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t last = (uintptr_t)p + bytes - 1;
    unsigned char resident;

    return last >= (uintptr_t)p
           && (mincore((void *)(last / page * page), 1, &resident) == 0
               || errno != ENOMEM);
}
