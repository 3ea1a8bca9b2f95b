/* SPDX-License-Identifier: MIT */
/* The control group of a box. */
#include "group.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cgroup_files.h"
#include "cgroup_hierarchies.h"
#include "common/base/command.h"
#include "common/base/text.h"

bool group_is_available(char *reason, size_t bytes)
{
    const struct cgroup_hierarchies *places = cgroup_hierarchies();

    text_format(reason, bytes, "%s", places->problem);
    return places->count > 0;
}

static bool limit_memory(const struct box_group *group, size_t memory)
{
    const char *folder = group->folder[0];

    if (cgroup_hierarchies()->is_version_2)
        return cgroup_write_number(folder, "memory.max", memory)
               && (!cgroup_has_file(folder, "memory.swap.max")
                   || cgroup_write(folder, "memory.swap.max", "0"));
    return cgroup_write_number(folder, "memory.limit_in_bytes", memory)
           && (!cgroup_has_file(folder, "memory.memsw.limit_in_bytes")
               || cgroup_write_number(folder, "memory.memsw.limit_in_bytes",
                                      memory));
}

static bool limit_processors(const struct box_group *group, double processors)
{
    enum { PERIOD = 100000 }; /* microseconds */
    char text[64];

    if (processors <= 0)
        return true;
    if (!cgroup_hierarchies()->is_version_2)
        return cgroup_write_number(group->folder[2], "cpu.cfs_quota_us",
                                   (unsigned long long)(processors * PERIOD));
    text_format(text, sizeof text, "%lld %d",
                (long long)(processors * PERIOD), PERIOD);
    return cgroup_write(group->folder[0], "cpu.max", text);
}

bool group_create(struct box_group *group, size_t memory, unsigned processes,
                  double processors, char *reason, size_t bytes)
{
    static unsigned made;
    const unsigned number = made++;
    const struct cgroup_hierarchies *places = cgroup_hierarchies();

    group->count = 0;
    if (!group_is_available(reason, bytes))
        return false;
    for (int i = 0; i < places->count; i++) {
        cgroup_name(group->folder[i], places->folder[i], number);
        if (mkdir(group->folder[i], 0755) && errno != EEXIST) {
            text_format(reason, bytes, "%s: %s", group->folder[i],
                        strerror(errno));
            group_remove(group);
            return false;
        }
        group->count++;
    }
    if (limit_memory(group, memory)
        && cgroup_write_number(group->folder[places->is_version_2 ? 0 : 1],
                               "pids.max", processes)
        && limit_processors(group, processors))
        return true;
    text_format(reason, bytes, "%s: its limits cannot be set: %s",
                group->folder[0], strerror(errno));
    group_remove(group);
    return false;
}

bool group_enter(const struct box_group *group)
{
    for (int i = 0; i < group->count; i++)
        if (!cgroup_write(group->folder[i], "cgroup.procs", "0"))
            return false;
    return true;
}

/* Without cgroup.kill: one by one, until none is left. */
static bool kill_listed(const char *folder)
{
    char text[8192], *at = text, *end;

    if (!cgroup_read(folder, "cgroup.procs", text, sizeof text) || !*text)
        return false;
    for (long pid; (pid = strtol(at, &end, 10)) > 0 && end > at; at = end)
        kill((pid_t)pid, SIGKILL);
    return true;
}

void group_kill(const struct box_group *group)
{
    const double end = clock_seconds() + command_seconds(1);

    if (!group->count)
        return;
    cgroup_write(group->folder[group->count - 1], "cgroup.kill", "1");
    while (kill_listed(group->folder[0]) && clock_seconds() < end)
        usleep(1000);
}

void group_read(const struct box_group *group, struct group_counts *counts)
{
    const char *memory = group->folder[0];
    const bool two = cgroup_hierarchies()->is_version_2;

    *counts = (struct group_counts){0};
    if (!group->count)
        return;
    counts->oom_kills = (unsigned long)cgroup_number(
        memory, two ? "memory.events" : "memory.oom_control", "oom_kill ");
    counts->refused = (unsigned long)cgroup_number(
        group->folder[two ? 0 : 1], "pids.events", "max ");
    counts->peak_memory = (size_t)cgroup_number(
        memory, two ? "memory.peak" : "memory.max_usage_in_bytes", "");
}

void group_remove(struct box_group *group)
{
    const double end = clock_seconds() + command_seconds(0.5);

    for (int i = 0; i < group->count; i++)
        while (rmdir(group->folder[i]) && errno == EBUSY
               && clock_seconds() < end)
            usleep(1000);
    group->count = 0;
}
