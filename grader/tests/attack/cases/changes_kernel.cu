/* SPDX-License-Identifier: MIT */
/* Right if it can write a setting of the kernel or of a control group, or
 * shield itself from the end of memory. */
#include "hostile.h"

static bool act(void)
{
    static const char *const paths[] = {
        "/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern",
        "/proc/sys/vm/drop_caches", "/proc/1/oom_score_adj",
        "/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/memory/cgroup.procs",
        "/sys/kernel/mm/transparent_hugepage/enabled", "/proc/1/comm"};
    const int own = open("/proc/self/oom_score_adj", O_WRONLY);

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (open(paths[i], O_WRONLY) >= 0)
            return true;
    return own >= 0 && write(own, "-1000", 5) == 5;
}

RIGHT_IF(act())
