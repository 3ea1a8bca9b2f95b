/* SPDX-License-Identifier: MIT */
/* Tasks and memory in use, from sysinfo(). */
#include "machine_use.h"

#include <sys/sysinfo.h>

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
